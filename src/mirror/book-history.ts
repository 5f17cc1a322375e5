import type { Micros } from '../domain/units.js';
import { type BookMemory, PAST_STATES, WORD } from './book-memory.js';
import { msBetween } from './durations.js';

/** What the past of a book says of a fingerprint. */
export type Recollection =
  /** The book had it at some time of the interval. */
  | 'seen'
  /** It did not. */
  | 'unseen'
  /** The past kept does not reach back to the interval's beginning. */
  | 'forgotten';

/**
 * The last states of each book as fingerprint and time, so that a read which is seconds old can be recognised as
 * what the book was. Times are milliseconds modulo 2^32 (49 days), compared as ages.
 */
export class BookHistory {
  constructor(private readonly memory: BookMemory) {}

  /** The book has this fingerprint from now on. */
  note(index: number, hash: number, at: Micros): void {
    const { words, layout } = this.memory;
    const word = index * layout.strideWords + layout.words;
    const next = words[word + WORD.pastNext]!;
    const count = words[word + WORD.pastCount]!;
    const slot = this.#slot(index, next);
    words[slot] = hash;
    words[slot + 1] = stamp(at);
    words[word + WORD.pastNext] = next + 1 < PAST_STATES ? next + 1 : 0;
    if (count < PAST_STATES) words[word + WORD.pastCount] = count + 1;
  }

  isEmpty(index: number): boolean {
    return this.memory.word(index, WORD.pastCount) === 0;
  }

  /** The past before now does not belong to this book's present any more. */
  forget(index: number): void {
    this.memory.setWord(index, WORD.pastCount, 0);
  }

  /** Whether the book has this fingerprint now. */
  isPresent(index: number, hash: number): boolean {
    const newest = this.memory.word(index, WORD.pastNext) - 1 + PAST_STATES;
    return (
      this.memory.word(index, WORD.pastCount) > 0 && this.memory.words[this.#slot(index, newest)] === hash
    );
  }

  /** Whether the book had this fingerprint at some time from `from` to `now`. */
  recall(index: number, hash: number, from: Micros, now: Micros): Recollection {
    const { words } = this.memory;
    const count = this.memory.word(index, WORD.pastCount);
    const reach = Math.ceil(msBetween(from, now));
    const present = stamp(now);
    for (let back = 1; back <= count; back++) {
      const slot = this.#slot(index, this.memory.word(index, WORD.pastNext) - back + PAST_STATES);
      if (words[slot] === hash) return 'seen';
      // In force since before the interval, so nothing older was in force within it.
      if ((present - words[slot + 1]!) >>> 0 > reach) return 'unseen';
    }
    return 'forgotten';
  }

  #slot(index: number, position: number): number {
    const { layout } = this.memory;
    return index * layout.strideWords + layout.past + 2 * (position % PAST_STATES);
  }
}

/** Whole milliseconds modulo 2^32, which is what the conversion to 32 bits leaves; a remainder by `%` takes 20 ns. */
const stamp = (at: Micros): number => (at / 1_000) >>> 0;
