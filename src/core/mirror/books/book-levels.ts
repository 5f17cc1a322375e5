import type { Levels } from '../../../domain/levels.js';
import { PRICE_ONE, type Shares, type Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import { type BookMemory, BYTE, SMALL } from './book-memory.js';

/** What is to be said of the levels of a book, apart from their age. */
export const CONDITION = {
  /** Nothing was ever written. */
  unread: 0,
  sound: 1,
  /** A price is no whole number of the market's ticks, or not inside (0, 1). */
  offGrid: 2,
  /** A side is not strictly sorted, or a level has no shares. */
  malformed: 3,
  /** Best bid above best ask. */
  crossed: 4,
  /** Best bid equal to best ask. */
  locked: 5,
} as const;
export type Condition = (typeof CONDITION)[keyof typeof CONDITION];

/** Outcome of writing one side, as bits. */
const UNCHANGED = 0;
const CHANGED = 1;
const OFF_GRID = 2;
const MALFORMED = 4;

/**
 * A division by the tick takes several times as long as a multiplication by its reciprocal, here in 16 binary places and
 * rounded up: a price of n ticks gets less than n tick units too much, which 65,536 swallow, and any other price is found
 * out by multiplying back.
 */
const SHIFT = 16;
const SHIFTED = 2 ** SHIFT;

/** Where one side of a book lies, and which way its levels get worse. */
interface SideLayout {
  /** First tick in halves, first share count in words, relative to the book. */
  readonly ticks: number;
  readonly shares: number;
  readonly countField: typeof BYTE.bidCount | typeof BYTE.askCount;
  /** Sign of the way from better to worse ticks. */
  readonly worse: -1 | 1;
}

/** The best levels of every market in integer ticks, best first; own shares included. */
export class BookLevels {
  readonly #bid: SideLayout;
  readonly #ask: SideLayout;
  #fingerprint = 0;
  #condition: Condition = CONDITION.unread;
  #isConditionNew = false;
  /** The grid that was written on last: ticks up to one, and how many a price unit is. */
  #tickUnits = 0;
  #ticksToOne = 0;
  #ticksPerUnit = 0;

  constructor(private readonly memory: BookMemory) {
    const { bidTicks, askTicks, bidShares, askShares } = memory.layout;
    this.#bid = { ticks: bidTicks, shares: bidShares, countField: BYTE.bidCount, worse: -1 };
    this.#ask = { ticks: askTicks, shares: askShares, countField: BYTE.askCount, worse: 1 };
  }

  /** Of the levels written last, as {@link fingerprint} makes it. */
  get fingerprint(): number {
    return this.#fingerprint >>> 0;
  }

  /** Whether the levels written last may be used. */
  get isSound(): boolean {
    return this.#condition === CONDITION.sound;
  }

  /** What the levels written last made of the book, where that was another condition before; null where it was not. */
  get newCondition(): Condition | null {
    return this.#isConditionNew ? this.#condition : null;
  }

  condition(index: number): Condition {
    return this.memory.byte(index, BYTE.condition) as Condition;
  }

  /** How many levels per side the book would show if they existed. */
  covered(index: number): number {
    return this.memory.byte(index, BYTE.covered);
  }

  count(index: number, side: Side): number {
    return this.memory.byte(index, this.#layout(side).countField);
  }

  /** @param level 0 is the best; below `count` */
  tick(index: number, side: Side, level: number): Ticks {
    const { halves, layout } = this.memory;
    return halves[index * layout.strideHalves + this.#layout(side).ticks + level]! as Ticks;
  }

  /** @param level 0 is the best; below `count` */
  shares(index: number, side: Side, level: number): Shares {
    const { memory } = this;
    const sharesAt = index * memory.layout.strideWords + this.#layout(side).shares;
    return memory.sharesAt(sharesAt + level) as Shares;
  }

  /** Copies a side, best level first. @returns how many levels it has */
  copy(index: number, side: Side, ticks: Int32Array, shares: Float64Array): number {
    const { memory } = this;
    const { halves, layout } = memory;
    const where = this.#layout(side);
    const count = memory.byte(index, where.countField);
    const ticksAt = index * layout.strideHalves + where.ticks;
    const sharesAt = index * layout.strideWords + where.shares;
    for (let level = 0; level < count; level++) {
      ticks[level] = halves[ticksAt + level]!;
      shares[level] = memory.sharesAt(sharesAt + level);
    }
    return count;
  }

  /**
   * Replaces both sides by the best levels given. A price off the grid makes the book unusable; nothing is rounded.
   * @param covered how many levels per side the source covers
   * @returns whether a level or the condition changed
   */
  write(index: number, bids: Levels, asks: Levels, covered: number): boolean {
    const { bytes, layout, depth } = this.memory;
    const byte = index * layout.strideBytes + layout.bytes;
    const levels = covered < depth ? covered | 0 : depth;
    this.#fingerprint = 0;
    this.#layGrid(this.memory.small(index, SMALL.tickUnits));
    const outcome =
      this.#writeSide(index, bids, levels, this.#bid) | this.#writeSide(index, asks, levels, this.#ask);
    bytes[byte + BYTE.covered] = levels;
    const condition = outcome > CHANGED ? faultOf(outcome) : this.#touchCondition(index);
    this.#condition = condition;
    this.#isConditionNew = condition !== bytes[byte + BYTE.condition];
    bytes[byte + BYTE.condition] = condition;
    return (outcome & CHANGED) !== UNCHANGED || this.#isConditionNew;
  }

  /** Most books are on the grid of the one before, and a division takes as long as a level. */
  #layGrid(tickUnits: number): void {
    if (tickUnits === this.#tickUnits) return;
    this.#tickUnits = tickUnits;
    this.#ticksToOne = Math.ceil(PRICE_ONE / tickUnits) | 0;
    this.#ticksPerUnit = Math.ceil(SHIFTED / tickUnits) | 0;
  }

  #writeSide(index: number, side: Levels, covered: number, where: SideLayout): number {
    const { memory } = this;
    const tickUnits = this.#tickUnits;
    const one = this.#ticksToOne;
    const ticksPerUnit = this.#ticksPerUnit;
    const { words, halves, bytes, layout } = memory;
    const { worse } = where;
    const { prices, shares } = side;
    const countAt = index * layout.strideBytes + layout.bytes + where.countField;
    const ticksAt = index * layout.strideHalves + where.ticks;
    const sharesAt = index * layout.strideWords + where.shares;
    const count = prices.length < covered ? prices.length : covered;
    let outcome = bytes[countAt] === count ? UNCHANGED : CHANGED;
    let previous = worse < 0 ? one : 0;
    let hash = mixCount(count, worse);
    for (let level = 0; level < count; level++) {
      const price = prices[level]!;
      const size = shares[level]!;
      const tick = Math.imul(price, ticksPerUnit) >>> SHIFT;
      if (tick * tickUnits !== price) outcome |= OFF_GRID;
      if ((tick - previous) * worse <= 0 || size <= 0) outcome |= MALFORMED;
      if (halves[ticksAt + level] !== tick) outcome |= CHANGED;
      halves[ticksAt + level] = tick;
      const small = size | 0;
      if (small === size) {
        if (words[sharesAt + level] !== small) outcome |= CHANGED;
        words[sharesAt + level] = small;
        hash = (hash + finished(placeOf(price, level, worse) ^ small)) | 0;
      } else {
        if (!memory.setLargeAt(sharesAt + level, size)) outcome |= CHANGED;
        hash = (hash + mixLevel(price, size, level, worse)) | 0;
      }
      previous = tick;
    }
    // Sorted from the near end of the range on, only the last can be beyond its far one.
    if (outcome >= MALFORMED || (worse < 0 ? previous <= 0 : previous >= one))
      outcome |= rangeFault(prices, count);
    bytes[countAt] = count;
    this.#fingerprint = (this.#fingerprint + hash) | 0;
    return outcome;
  }

  #touchCondition(index: number): Condition {
    if (this.count(index, 'bid') === 0 || this.count(index, 'ask') === 0) return CONDITION.sound;
    const gap = this.tick(index, 'ask', 0) - this.tick(index, 'bid', 0);
    return gap > 0 ? CONDITION.sound : gap < 0 ? CONDITION.crossed : CONDITION.locked;
  }

  #layout(side: Side): SideLayout {
    return side === 'bid' ? this.#bid : this.#ask;
  }
}

/** Whether a price is not inside the range of the market. */
function rangeFault(prices: Levels['prices'], count: number): number {
  for (let level = 0; level < count; level++)
    if (prices[level]! <= 0 || prices[level]! >= PRICE_ONE) return OFF_GRID;
  return UNCHANGED;
}

const faultOf = (outcome: number): Condition =>
  (outcome & OFF_GRID) !== 0 ? CONDITION.offGrid : CONDITION.malformed;

/**
 * A 32-bit fingerprint of the best levels, the same for an update and for a read that shows the same book. Levels are
 * mixed one by one and added up, so that the processor can work on several at a time.
 * @param covered levels per side that enter
 */
export function fingerprint(bids: Levels, asks: Levels, covered: number): number {
  return (mixSide(bids, covered, -1) + mixSide(asks, covered, 1)) >>> 0;
}

function mixSide({ prices, shares }: Levels, covered: number, worse: -1 | 1): number {
  const count = Math.min(prices.length, covered);
  let hash = mixCount(count, worse);
  for (let level = 0; level < count; level++)
    hash = (hash + mixLevel(prices[level]!, shares[level]!, level, worse)) | 0;
  return hash;
}

/** Odd constants with well-spread bits (golden ratio; murmur3's finaliser). */
const SPREAD = 0x9e3779b1;
const FINAL = 0x85ebca6b;

const mixCount = (count: number, worse: -1 | 1): number => Math.imul(8 * count + worse, SPREAD);

const placeOf = (price: number, level: number, worse: -1 | 1): number =>
  Math.imul((price << 8) + (level << 2) + worse, SPREAD);

function finished(mixed: number): number {
  const spread = Math.imul(mixed, FINAL);
  return spread ^ (spread >>> 15);
}

function mixLevel(price: number, size: number, level: number, worse: -1 | 1): number {
  const beyond32 = size > 0xffff_ffff ? Math.floor(size / 0x1_0000_0000) : 0;
  return finished(placeOf(price, level, worse) ^ size ^ Math.imul(beyond32, SPREAD));
}
