/** Counts in the guards' windows that a restart must not forget, as plain values for file and tape. */
import type { Fill } from '../../domain/fill.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { SentOrders } from '../ports/journal.js';
import type { KeptLoss } from './risk-state.js';
import type { RiskLimits } from '../../domain/risk-limits.js';

/** As much of a fill as guards look at. */
export type GuardedFill = Pick<Fill, 'eventId' | 'marketId' | 'side' | 'position' | 'shares' | 'amount'>;

export interface CountedFill extends GuardedFill {
  /** When it was reported; of pooled fills the last. */
  readonly at: Micros;
  /** Its order, whose price a later report may correct. Unknown for pooled fills and in older files. */
  readonly orderId?: OrderId | undefined;
  /** Number of pooled fills; one unless stated. */
  readonly fills?: number | undefined;
}

/** How far the fills of a market have been judged since the last conclusion. */
export interface MarkOutCount {
  readonly marketId: MarketId;
  /** Fills reported until then have been judged. */
  readonly through: Micros;
  readonly fills: number;
  readonly shares: number;
  /** Price units times share units. */
  readonly gained: number;
}

export interface Windows {
  /** The oldest first. */
  readonly fills: readonly CountedFill[];
  /** One entry per market at most. */
  readonly markOuts: readonly MarkOutCount[];
  /** Creates and updates of the last minute, the oldest first. */
  readonly sent: readonly SentOrders[];
}

/** Losses at this moment; those on the disk are a little older. */
export interface LossNews {
  readonly kind: 'losses';
  /** The losses as written to the disk, which this news updates. */
  readonly noted: readonly KeptLoss[];
  readonly losses: readonly KeptLoss[];
}

/** News of a guard's count, or that a person accepted everything. */
export type WindowNews =
  | LossNews
  | { readonly kind: 'fill'; readonly fill: CountedFill }
  | { readonly kind: 'mark-out'; readonly count: MarkOutCount }
  | { readonly kind: 'forgotten' };

/** Nothing was before. */
export const NO_WINDOWS: Windows = Object.freeze({ fills: [], markOuts: [], sent: [] });

/** Fills of one side of a market within so long are pooled first, then within four times as long, and so on. */
const FIRST_SLICE_US = 1_000;

/** Judged fills are pooled within such a part of their counting time before anything else is pooled. */
const SLICES = 1_000;

/** Only fills of one pool are pooled; null: the fill stays alone. */
type PoolOf = (fill: CountedFill) => string | null;

/** What pooling has to know of the fills. */
export interface Pooling {
  /** Has the mark-out limit judged the fill? Judged fills are pooled first, and never with others. */
  readonly isJudged: (fill: CountedFill) => boolean;
  /** For how long a fill counts. */
  readonly keepUs: number;
}

/**
 * Reduces fills to at most so many entries. Near fills of one side of a market become one fill at the time of the last.
 * None is left out, unless there are more sides than entries.
 * @param fills oldest first; returned as they are if few enough
 */
function pooledTo(most: number, fills: readonly CountedFill[], pooling: Pooling): CountedFill[] {
  const { isJudged, keepUs } = pooling;
  const judgedOnly: PoolOf = (fill) => (isJudged(fill) ? 'judged' : null);
  const apart: PoolOf = (fill) => String(isJudged(fill));
  const fewer = pooledWithin(keepUs / SLICES, [...fills], most, judgedOnly);
  return pooledWithin(4 * keepUs, fewer, most, apart).slice(-most);
}

function pooledWithin(mostUs: number, fills: CountedFill[], most: number, poolOf: PoolOf): CountedFill[] {
  let left = fills;
  for (let sliceUs = FIRST_SLICE_US; sliceUs < mostUs && left.length > most; sliceUs *= 4)
    left = pooled(left, sliceUs, poolOf);
  return left;
}

function pooled(fills: readonly CountedFill[], sliceUs: number, poolOf: PoolOf): CountedFill[] {
  const wholes = new Map<unknown, CountedFill>();
  for (const fill of fills) {
    const { marketId, side, position, at } = fill;
    const pool = poolOf(fill);
    const key = pool === null ? fill : `${pool}/${marketId}/${side}/${position}/${Math.floor(at / sliceUs)}`;
    const whole = wholes.get(key);
    wholes.set(key, whole === undefined ? fill : together(whole, fill));
  }
  return [...wholes.values()].sort((one, other) => one.at - other.at);
}

function together(one: CountedFill, other: CountedFill): CountedFill {
  return {
    ...other,
    orderId: one.orderId === other.orderId ? one.orderId : undefined,
    shares: (one.shares + other.shares) as CountedFill['shares'],
    amount: (one.amount + other.amount) as CountedFill['amount'],
    fills: fillsIn(one) + fillsIn(other),
  };
}

/** A fill without shares only corrects a price. */
const fillsIn = ({ shares, fills }: CountedFill): number => (shares > 0 ? (fills ?? 1) : 0);

/** Beyond so many, fills are pooled and counts of markets forgotten, oldest first. */
const MOST = 10_000;
/** A fill that came due while no bot ran is judged by the next run, unless later than this. */
const LATE_MS = 3_600_000;

/** For how long a fill may count under such limits. */
export const fillsCountMs = (limits: readonly Pick<RiskLimits, 'fillBreaker' | 'markOut'>[]): number =>
  Math.max(
    0,
    ...limits.map(({ fillBreaker, markOut }) => Math.max(fillBreaker.windowMs, markOut.horizonMs + LATE_MS)),
  );

/** Everything guards counted that may still count, in bounded memory. */
export class WindowMemory {
  #keepUs = 0;
  #fills: CountedFill[] = [];
  readonly #markOuts = new Map<MarketId, MarkOutCount>();
  #losses: LossNews | null = null;

  /** @param keepMs for how long a fill may count: {@link fillsCountMs} */
  constructor(keepMs: number) {
    this.keep(keepMs);
  }

  /** Fills may count for so long from now on. */
  keep(keepMs: number): void {
    this.#keepUs = keepMs * 1_000;
  }

  note(news: WindowNews): void {
    if (news.kind === 'fill') this.#filled(news.fill);
    else if (news.kind === 'mark-out') this.#judged(news.count);
    else if (news.kind === 'losses') this.#losses = news;
    else this.#forget();
  }

  /** What counts at this moment. */
  windows(now: Micros): Pick<Windows, 'fills' | 'markOuts'> {
    this.#fills = this.#fills.filter(({ at }) => at > now - this.#keepUs);
    return { fills: [...this.#fills], markOuts: [...this.#markOuts.values()] };
  }

  /** The present losses, if those on the disk are these. */
  lossesSince(noted: readonly KeptLoss[]): readonly KeptLoss[] {
    const news = this.#losses;
    return news !== null && JSON.stringify(news.noted) === JSON.stringify(noted) ? news.losses : noted;
  }

  /** The memory as news: noting them restores it. */
  news(now: Micros): readonly WindowNews[] {
    const { fills, markOuts } = this.windows(now);
    return [
      ...fills.map((fill): WindowNews => ({ kind: 'fill', fill })),
      ...markOuts.map((count): WindowNews => ({ kind: 'mark-out', count })),
      ...(this.#losses === null ? [] : [this.#losses]),
    ];
  }

  /** Pools only at twice as many, because pooling looks at all fills. */
  #filled(fill: CountedFill): void {
    if (this.#fills.push(fill) <= 2 * MOST) return;
    const fills = this.#fills.filter(({ at }) => at > fill.at - this.#keepUs);
    const isJudged = ({ marketId, at }: CountedFill): boolean =>
      at <= (this.#markOuts.get(marketId)?.through ?? -Infinity);
    this.#fills = pooledTo(MOST, fills, { isJudged, keepUs: this.#keepUs });
  }

  #judged(count: MarkOutCount): void {
    this.#markOuts.delete(count.marketId);
    this.#markOuts.set(count.marketId, count);
    const [oldest] = this.#markOuts.keys();
    if (this.#markOuts.size > MOST && oldest !== undefined) this.#markOuts.delete(oldest);
  }

  #forget(): void {
    this.#fills = [];
    this.#markOuts.clear();
    this.#losses = null;
  }
}
