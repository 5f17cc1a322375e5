import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { BookSide, MatchingBookOptions } from '../../../src/exchange/matching/index.js';
import { BID, MatchingBook } from '../../../src/exchange/matching/index.js';

/** Parameters of one case of the order-flow workload OFW1 (performance page). */
export interface Ofw1Case {
  readonly seed: number;
  readonly maxTick: number;
  readonly mid: number;
  readonly lo: number;
  readonly hi: number;
  /** The mid moves once in so many operations. */
  readonly drift: number;
  /** Per mille; the rest are market orders. */
  readonly add: number;
  readonly cancel: number;
  readonly replace: number;
  /** Per mille of the adds that cross the mid. */
  readonly marketable: number;
  /** Widest distance of a passive add from the mid, and of a marketable one beyond it. */
  readonly width: number;
  readonly reach: number;
  /** Farthest move of a replace. */
  readonly move: number;
  /** Most resting orders. */
  readonly cap: number;
}

type Prices = Pick<Ofw1Case, 'maxTick' | 'mid' | 'lo' | 'hi'>;
type Mix = Pick<Ofw1Case, 'add' | 'cancel' | 'replace'>;
type Shape = Pick<Ofw1Case, 'marketable' | 'width' | 'reach' | 'move' | 'cap'>;

function flow(seed: number, prices: Prices, drift: number, mix: Mix, shape: Shape): Ofw1Case {
  return { seed, drift, ...prices, ...mix, ...shape };
}

/** What a run of a case leaves behind; the published figures are those after 1,000,000 operations. */
export interface Ofw1Totals {
  readonly trades: number;
  readonly volume: number;
  readonly restingOrders: number;
  readonly restingVolume: number;
  readonly hash: number;
}

const WIDE = { maxTick: 999, mid: 500, lo: 100, hi: 900 };
const NARROW = { maxTick: 99, mid: 50, lo: 10, hi: 90 };
const CENTRED = { maxTick: 999, mid: 500, lo: 300, hi: 700 };
const GROWING = { add: 600, cancel: 300, replace: 80 };
const CHURNING = { add: 520, cancel: 340, replace: 120 };
const REQUOTING = { add: 110, cancel: 60, replace: 820 };

export const OFW1_CASES = {
  steady: flow(20260101, WIDE, 64, GROWING, { marketable: 180, width: 60, reach: 6, move: 3, cap: 20_000 }),
  thin: flow(20260102, NARROW, 400, CHURNING, { marketable: 70, width: 16, reach: 3, move: 2, cap: 400 }),
  requote: flow(20260104, WIDE, 200, REQUOTING, {
    marketable: 60,
    width: 600,
    reach: 3,
    move: 3,
    cap: 1_000,
  }),
  deep: flow(20260103, CENTRED, 2000, GROWING, {
    marketable: 60,
    width: 400,
    reach: 4,
    move: 3,
    cap: 200_000,
  }),
};
export type Ofw1Name = keyof typeof OFW1_CASES;

/** The published totals after 1,000,000 operations. */
export const OFW1_TOTALS: Record<Ofw1Name, Ofw1Totals> = {
  steady: {
    trades: 301_772,
    volume: 75_568_377,
    restingOrders: 17_988,
    restingVolume: 9_039_072,
    hash: 341624721,
  },
  thin: { trades: 137_283, volume: 34_590_241, restingOrders: 396, restingVolume: 198_519, hash: 1183520596 },
  requote: {
    trades: 24_031,
    volume: 6_250_694,
    restingOrders: 1_000,
    restingVolume: 501_428,
    hash: 3602048971,
  },
  deep: {
    trades: 100_484,
    volume: 25_154_064,
    restingOrders: 199_992,
    restingVolume: 100_151_322,
    hash: 3800854750,
  },
};

export const ADD = 0;
export const CANCEL = 1;
export const REPLACE = 2;
export const MARKET = 3;

/** A recorded workload: operation i is column i of each array, unused columns are 0. */
export interface Ofw1Tape {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly ids: Int32Array;
  readonly sides: Uint8Array;
  readonly ticks: Int32Array;
  readonly sizes: Int32Array;
  readonly totals: Ofw1Totals;
}

/** The book options a case needs. */
export const ofw1Book = (flow: Ofw1Case): MatchingBookOptions => ({
  minTick: 1 as Ticks,
  maxTick: flow.maxTick as Ticks,
  capacity: flow.cap,
});

/** Generates the first `count` operations of a case, running them through a book as it goes. */
export function recordOfw1(flow: Ofw1Case, count: number): Ofw1Tape {
  return new Recorder(flow, count).run();
}

/** FNV-1a over words; start with {@link HASH_START}. */
export const HASH_START = 0x811c9dc5;
export const hashWord = (hash: number, word: number): number => Math.imul(hash ^ word, 16777619);

class Recorder {
  private readonly book: MatchingBook;
  private readonly random: Xorshift128;
  private readonly live = new LiveOrders();
  private readonly tape;
  private mid: number;
  private nextId = 1;
  private trades = 0;
  private volume = 0;
  private hash = HASH_START;

  constructor(
    private readonly flow: Ofw1Case,
    count: number,
  ) {
    this.book = new MatchingBook(ofw1Book(flow));
    this.random = new Xorshift128(flow.seed);
    this.mid = flow.mid;
    this.tape = {
      count,
      kinds: new Uint8Array(count),
      ids: new Int32Array(count),
      sides: new Uint8Array(count),
      ticks: new Int32Array(count),
      sizes: new Int32Array(count),
    };
  }

  run(): Ofw1Tape {
    for (let at = 0; at < this.tape.count; at++) this.step(at);
    return { ...this.tape, totals: this.totals() };
  }

  private step(at: number): void {
    if (this.random.below(this.flow.drift) === 0) this.moveMid();
    const kind = this.kind(this.random.below(1000));
    this.tape.kinds[at] = kind;
    if (kind === ADD) this.add(at);
    else if (kind === MARKET) this.market(at);
    else if (kind === CANCEL) this.cancel(at);
    else this.replace(at);
  }

  private moveMid(): void {
    const { lo, hi } = this.flow;
    this.mid += this.random.below(2) === 0 ? -1 : 1;
    if (this.mid < lo) this.mid = lo + 1;
    if (this.mid > hi) this.mid = hi - 1;
  }

  private kind(draw: number): number {
    const { add, cancel, replace, cap } = this.flow;
    if (draw < add) return this.live.count >= cap ? CANCEL : ADD;
    if (draw >= add + cancel + replace) return MARKET;
    if (this.live.count === 0) return ADD;
    return draw < add + cancel ? CANCEL : REPLACE;
  }

  private add(at: number): void {
    const id = this.nextId++;
    const side = this.random.below(2) as BookSide;
    const tick = this.clamp(this.mid + (side === BID ? 1 : -1) * this.offset());
    const size = 1 + this.random.below(1000);
    this.write(at, id, side, tick, size);
    this.enter(id, this.book.add(id as OrderId, side, tick as Ticks, size as Shares));
  }

  /** Ticks beyond the mid (more than zero: marketable) or short of it. */
  private offset(): number {
    const { marketable, reach, width } = this.flow;
    if (this.random.below(1000) < marketable) return 1 + this.random.below(reach);
    const a = this.random.below(width);
    const b = this.random.below(width);
    return -(1 + Math.floor((a * b) / width));
  }

  private market(at: number): void {
    const side = this.random.below(2) as BookSide;
    const size = 1 + this.random.below(1000);
    const id = this.nextId++;
    this.write(at, id, side, 0, size);
    this.book.market(side, size as Shares);
    this.settle(id);
  }

  private cancel(at: number): void {
    const id = this.live.at(this.random.below(this.live.count));
    this.write(at, id, 0, 0, 0);
    this.book.cancel(id as OrderId);
    this.live.remove(id);
  }

  private replace(at: number): void {
    const { move } = this.flow;
    const id = this.live.at(this.random.below(this.live.count));
    const { side, tick: from } = this.book.order(id as OrderId)!;
    const tick = this.clamp(from + this.random.below(2 * move + 1) - move);
    const size = 1 + this.random.below(1000);
    this.write(at, id, side, tick, size);
    this.live.remove(id);
    this.enter(id, this.book.replace(id as OrderId, tick as Ticks, size as Shares));
  }

  private enter(id: number, rests: number): void {
    this.settle(id);
    if (rests > 0) this.live.add(id);
  }

  private settle(taker: number): void {
    const { fills } = this.book;
    for (let at = 0; at < fills.count; at++) {
      this.trades++;
      this.volume += fills.shares(at);
      this.hash = hashWord(hashWord(this.hash, taker), fills.makerId(at));
      this.hash = hashWord(hashWord(this.hash, fills.tick(at)), fills.shares(at));
      if (fills.makerLeft(at) === 0) this.live.remove(fills.makerId(at));
    }
  }

  private write(at: number, id: number, side: number, tick: number, size: number): void {
    this.tape.ids[at] = id;
    this.tape.sides[at] = side;
    this.tape.ticks[at] = tick;
    this.tape.sizes[at] = size;
  }

  private clamp(tick: number): number {
    return Math.min(this.flow.maxTick, Math.max(1, tick));
  }

  private totals(): Ofw1Totals {
    const { book, flow, trades, volume } = this;
    const restingVolume = book.depth(0, 1 as Ticks) + book.depth(1, flow.maxTick as Ticks);
    return { trades, volume, restingOrders: book.size, restingVolume, hash: this.hash >>> 0 };
  }
}

/** The resting ids in an array without holes, for drawing one at random. */
class LiveOrders {
  private readonly ids: number[] = [];
  private readonly places = new Map<number, number>();

  get count(): number {
    return this.ids.length;
  }

  at(place: number): number {
    return this.ids[place]!;
  }

  add(id: number): void {
    this.places.set(id, this.ids.length);
    this.ids.push(id);
  }

  remove(id: number): void {
    const place = this.places.get(id)!;
    const last = this.ids.pop()!;
    this.places.delete(id);
    if (last === id) return;
    this.ids[place] = last;
    this.places.set(last, place);
  }
}

/** The generator the workload is defined with. */
class Xorshift128 {
  private x: number;
  private y: number;
  private z: number;
  private w: number;

  constructor(seed: number) {
    const next = splitmix32(seed);
    this.x = next();
    this.y = next();
    this.z = next();
    this.w = next() | 1;
  }

  /** Uniform integer in [0, n). */
  below(n: number): number {
    let t = this.x ^ (this.x << 11);
    t ^= t >>> 8;
    this.x = this.y;
    this.y = this.z;
    this.z = this.w;
    this.w = this.w ^ (this.w >>> 19) ^ t;
    return Math.floor(((this.w >>> 0) * n) / 4294967296);
  }
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let v = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    v = Math.imul(v ^ (v >>> 15), 0x735a2d97);
    return v ^ (v >>> 15);
  };
}
