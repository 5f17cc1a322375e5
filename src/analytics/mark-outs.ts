import type { OrderId } from '../domain/ids.js';
import { type Micros, MONEY_ONE, PRICE_ONE, SHARE_ONE, type Shares } from '../domain/units.js';
import type { MarkOutFigures } from './analysis.js';
import type { Side } from '../domain/vocabulary.js';

/** +1 for a fill that bought long or sold short, -1 for the other way. */
const directionOf = (side: Side): 1 | -1 => (side === 'bid' ? 1 : -1);

/** Seconds after a fill at which it is judged; the last judgement is at resolution. */
export const MARK_OUT_SECONDS = [1, 10, 60, 300] as const;
const MARK_OUT_HORIZONS = MARK_OUT_SECONDS.length + 1;
const AT_RESOLUTION = MARK_OUT_SECONDS.length;

/** Sums over judged fills of one horizon; adding two gives the sums over both. */
interface HorizonSums {
  fills: number;
  shares: number;
  /** Side x (mid - price) x shares, money units. */
  profit: number;
  /** Of profit per share: weighted by squared shares, for the error of the mean. */
  squares: number;
  crossed: number;
  weights: number;
}

const noSums = (): HorizonSums => ({ fills: 0, shares: 0, profit: 0, squares: 0, crossed: 0, weights: 0 });

/** Mark-outs of a group of fills, per horizon; groups add up. */
export class MarkOutSums {
  readonly #horizons = Array.from({ length: MARK_OUT_HORIZONS }, noSums);

  /** @param worth side x (mid - price) in price units */
  judge(horizon: number, worth: number, shares: number): void {
    const sums = this.#horizons[horizon]!;
    sums.fills += 1;
    sums.shares += shares;
    sums.profit += worth * shares;
    sums.squares += (worth * shares) ** 2;
    sums.crossed += worth * shares * shares;
    sums.weights += shares * shares;
  }

  /** A fill that was judged was worth something else. */
  rejudge(horizon: number, [before, after]: readonly [number, number], shares: number): void {
    const sums = this.#horizons[horizon]!;
    sums.profit += (after - before) * shares;
    sums.squares += (after * shares) ** 2 - (before * shares) ** 2;
    sums.crossed += (after - before) * shares * shares;
  }

  /** Takes in the sums of other fills. */
  add(other: MarkOutSums): void {
    this.#horizons.forEach((sums, horizon) => {
      const more = other.#horizons[horizon]!;
      for (const key of Object.keys(sums) as (keyof HorizonSums)[]) sums[key] += more[key];
    });
  }

  figures(): readonly MarkOutFigures[] {
    return this.#horizons.map((sums, horizon) => figuresOf(sums, MARK_OUT_SECONDS[horizon] ?? null));
  }
}

function figuresOf(sums: HorizonSums, seconds: number | null): MarkOutFigures {
  const { fills, shares, profit } = sums;
  const mean = shares === 0 ? null : profit / shares;
  return {
    seconds,
    fills,
    shares: shares / SHARE_ONE,
    profit: profit / MONEY_ONE,
    perShare: mean === null ? null : mean / PRICE_ONE,
    standardError: mean === null ? null : standardError(sums, mean),
  };
}

/** Of a ratio estimate: root of n/(n-1) x sum of (shares x (worth - mean))^2, over all shares. */
function standardError(
  { fills, shares, squares, crossed, weights }: HorizonSums,
  mean: number,
): number | null {
  if (fills < 2) return null;
  const residual = Math.max(0, squares - 2 * mean * crossed + mean * mean * weights);
  return Math.sqrt((residual * fills) / (fills - 1)) / shares / PRICE_ONE;
}

/** A fill as it is kept: for tables and pictures, and until it is judged. */
export interface KeptFill {
  readonly at: Micros;
  /** Bought long or sold short, or the other way. */
  readonly side: 'bid' | 'ask';
  /** Long-side price units; a fraction when several trades are told as one. A later report may tell it better. */
  price: number;
  readonly shares: Shares;
  readonly mid: number | null;
}

interface JudgedFill {
  readonly orderId: OrderId;
  readonly fill: KeptFill;
  readonly sums: MarkOutSums;
}

interface PendingFill extends JudgedFill {
  readonly direction: 1 | -1;
  /** Side x (mid - price) at each horizon that it was judged at. */
  readonly worths: number[];
}

/** How far the list of judged fills may grow before it is cut. */
const COMPACT_AT = 1_024;

/** Fills of one market that wait to be judged. Held: those of the longest horizon, and sums of the rest. */
export class MarkOutQueue {
  #pending: PendingFill[] = [];
  /** Per horizon the first fill not judged yet. */
  readonly #next: number[] = MARK_OUT_SECONDS.map(() => 0);
  #due = Infinity;
  /** Not judged at resolution yet: by sums, so that they need no list. */
  #unresolved = new Map<MarkOutSums, PendingSums>();

  /** Earliest time at which a fill is to be judged; Infinity when none waits. */
  get due(): number {
    return this.#due;
  }

  add(judged: JudgedFill): void {
    const pending = { ...judged, direction: directionOf(judged.fill.side), worths: [] };
    this.#pending.push(pending);
    this.#due = Math.min(this.#due, judged.fill.at + MARK_OUT_SECONDS[0] * 1e6);
    let sums = this.#unresolved.get(judged.sums);
    if (sums === undefined) this.#unresolved.set(judged.sums, (sums = new PendingSums()));
    sums.add(pending);
  }

  /**
   * A later report told what an order really paid: its last fill was at another price. One that waits no more stays.
   * @param more what it came to beyond its price so far, long-side price units x shares
   */
  reprice(order: OrderId, more: number): void {
    const pending = this.#pending.findLast(({ orderId }) => orderId === order);
    if (pending === undefined) return;
    const { direction, fill, sums, worths } = pending;
    const before = fill.price;
    fill.price += more / fill.shares;
    const lost = direction * (fill.price - before);
    worths.forEach((worth, horizon) => {
      worths[horizon] = worth - lost;
      sums.rejudge(horizon, [worth, worth - lost], fill.shares);
    });
    this.#unresolved.get(sums)?.reprice(pending, before);
  }

  /** Judges what came due before `at` by the mark that held until then. */
  advance(at: number, mark: number): void {
    if (at <= this.#due) return;
    this.#judge(at, mark);
  }

  /** The run is over: what is due is judged, the rest stays unknown. */
  end(at: number, mark: number): void {
    this.#judge(at + 1, mark);
  }

  /** @param payout long-side price units, 10,000 or 0, which is the mid from now on; null: the market is void */
  resolve(payout: number | null): void {
    if (payout !== null) {
      this.#judge(Infinity, payout);
      for (const [sums, pending] of this.#unresolved) pending.judge(sums, payout);
    }
    this.#pending = [];
    this.#next.fill(0);
    this.#due = Infinity;
    this.#unresolved = new Map();
  }

  #judge(before: number, mark: number): void {
    this.#due = Infinity;
    for (let horizon = 0; horizon < MARK_OUT_SECONDS.length; horizon++) this.#judgeAt(horizon, before, mark);
    const done = Math.min(...this.#next);
    if (done < COMPACT_AT) return;
    this.#pending.splice(0, done);
    for (let horizon = 0; horizon < this.#next.length; horizon++) this.#next[horizon]! -= done;
  }

  #judgeAt(horizon: number, before: number, mark: number): void {
    const delay = MARK_OUT_SECONDS[horizon]! * 1e6;
    for (; this.#next[horizon]! < this.#pending.length; this.#next[horizon]! += 1) {
      const { direction, fill, sums, worths } = this.#pending[this.#next[horizon]!]!;
      const { at, price, shares } = fill;
      if (at + delay >= before) {
        this.#due = Math.min(this.#due, at + delay);
        return;
      }
      const worth = direction * (mark - price);
      worths.push(worth);
      sums.judge(horizon, worth, shares);
    }
  }
}

/**
 * Fills that wait for the resolution: one of two payouts will judge them all alike, so their sums for either payout
 * are kept instead of the fills.
 */
class PendingSums {
  readonly #ifLong = new MarkOutSums();
  readonly #ifShort = new MarkOutSums();

  add({ direction, fill: { price, shares } }: PendingFill): void {
    this.#ifLong.judge(AT_RESOLUTION, direction * (PRICE_ONE - price), shares);
    this.#ifShort.judge(AT_RESOLUTION, -direction * price, shares);
  }

  /** @param before the price that it was added with */
  reprice({ direction, fill: { price, shares } }: PendingFill, before: number): void {
    const worths = (payout: number) => [before, price].map((paid) => direction * (payout - paid));
    const [ifLong, ifShort] = [worths(PRICE_ONE), worths(0)];
    this.#ifLong.rejudge(AT_RESOLUTION, [ifLong[0]!, ifLong[1]!], shares);
    this.#ifShort.rejudge(AT_RESOLUTION, [ifShort[0]!, ifShort[1]!], shares);
  }

  judge(sums: MarkOutSums, payout: number): void {
    sums.add(payout === 0 ? this.#ifShort : this.#ifLong);
  }
}
