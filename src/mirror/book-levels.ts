import type { Levels } from '../domain/inputs.js';
import { PRICE_ONE, type Shares, type Ticks } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import { type BookMemory, WORD } from './book-memory.js';

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

/** The best levels of every market in integer ticks, best first; own shares included. */
export class BookLevels {
  constructor(private readonly memory: BookMemory) {}

  condition(index: number): Condition {
    return this.memory.word(index, WORD.condition) as Condition;
  }

  /** How many levels per side the book would show if they existed. */
  covered(index: number): number {
    return this.memory.word(index, WORD.covered);
  }

  count(index: number, side: Side): number {
    return this.memory.word(index, side === 'bid' ? WORD.bidCount : WORD.askCount);
  }

  /** @param level 0 is the best; below `count` */
  tick(index: number, side: Side, level: number): Ticks {
    const { words, layout } = this.memory;
    const first = side === 'bid' ? layout.bidTicks : layout.askTicks;
    return words[index * layout.strideWords + first + level]! as Ticks;
  }

  /** @param level 0 is the best; below `count` */
  shares(index: number, side: Side, level: number): Shares {
    const { numbers, layout } = this.memory;
    const first = side === 'bid' ? layout.bidShares : layout.askShares;
    return numbers[index * layout.strideNumbers + first + level]! as Shares;
  }

  /**
   * Replaces both sides by the best levels given. A price off the grid makes the book unusable; nothing is rounded.
   * @param covered how many levels per side the source covers
   * @param tickUnits price units per tick
   * @returns whether a level or the condition changed
   */
  write(index: number, bids: Levels, asks: Levels, covered: number, tickUnits: number): boolean {
    const { memory } = this;
    const levels = Math.min(covered, memory.depth);
    const { bidTicks, askTicks, bidShares, askShares } = memory.layout;
    const outcome =
      this.#writeSide(index, bids, levels, tickUnits, bidTicks, bidShares, WORD.bidCount, -1) |
      this.#writeSide(index, asks, levels, tickUnits, askTicks, askShares, WORD.askCount, 1);
    const condition = outcome > CHANGED ? faultOf(outcome) : this.#touchCondition(index);
    const changed = outcome !== UNCHANGED || condition !== memory.word(index, WORD.condition);
    memory.setWord(index, WORD.condition, condition);
    memory.setWord(index, WORD.covered, levels);
    return changed;
  }

  /** @param worse sign of the way from better to worse ticks: -1 for bids, 1 for asks */
  #writeSide(
    index: number,
    side: Levels,
    covered: number,
    tickUnits: number,
    firstTick: number,
    firstShares: number,
    countField: 2 | 3,
    worse: -1 | 1,
  ): number {
    const { numbers, words, layout } = this.memory;
    const ticksAt = index * layout.strideWords + firstTick;
    const sharesAt = index * layout.strideNumbers + firstShares;
    const countAt = index * layout.strideWords + layout.words + countField;
    const count = Math.min(side.prices.length, covered);
    let outcome = words[countAt] === count ? UNCHANGED : CHANGED;
    let previous = worse < 0 ? PRICE_ONE / tickUnits : 0;
    for (let level = 0; level < count; level++) {
      const tick = side.prices[level]! / tickUnits;
      const shares = side.shares[level]!;
      if (!Number.isInteger(tick) || tick <= 0 || tick * tickUnits >= PRICE_ONE) outcome |= OFF_GRID;
      if ((tick - previous) * worse <= 0 || !(shares > 0)) outcome |= MALFORMED;
      if (words[ticksAt + level] !== tick || numbers[sharesAt + level] !== shares) outcome |= CHANGED;
      words[ticksAt + level] = tick;
      numbers[sharesAt + level] = shares;
      previous = tick;
    }
    words[countAt] = count;
    return outcome;
  }

  #touchCondition(index: number): Condition {
    if (this.count(index, 'bid') === 0 || this.count(index, 'ask') === 0) return CONDITION.sound;
    const gap = this.tick(index, 'ask', 0) - this.tick(index, 'bid', 0);
    return gap > 0 ? CONDITION.sound : gap < 0 ? CONDITION.crossed : CONDITION.locked;
  }
}

const faultOf = (outcome: number): Condition =>
  (outcome & OFF_GRID) !== 0 ? CONDITION.offGrid : CONDITION.malformed;

/**
 * A 32-bit fingerprint (FNV-1a over prices and shares) of the best levels, the same for an update and for a read that
 * shows the same book.
 * @param covered levels per side that enter
 */
export function fingerprint(bids: Levels, asks: Levels, covered: number): number {
  return fingerprintSide(asks, covered, fingerprintSide(bids, covered, 0x811c9dc5));
}

function fingerprintSide(side: Levels, covered: number, start: number): number {
  const count = Math.min(side.prices.length, covered);
  let hash = Math.imul(start ^ count, 0x01000193);
  for (let level = 0; level < count; level++) {
    const shares = side.shares[level]!;
    hash = Math.imul(hash ^ side.prices[level]!, 0x01000193);
    hash = Math.imul(hash ^ (shares >>> 0), 0x01000193);
    hash = Math.imul(hash ^ Math.floor(shares / 0x1_0000_0000), 0x01000193);
  }
  return hash >>> 0;
}
