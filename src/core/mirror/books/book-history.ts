import type { Micros } from '../../../domain/units.js';
import { type BookMemory, BYTE, WORD } from './book-memory.js';
import { msBetween } from '../durations.js';

/** What the past of a book says of a fingerprint. */
export type Recollection =
  /** The book had it at some time of the interval. */
  | 'seen'
  /** It did not. */
  | 'unseen'
  /** The past kept does not reach back to the interval's beginning. */
  | 'forgotten';

/**
 * Past states kept, of all books together: within the four seconds that a read may lag behind by default, these are four
 * thousand changes a second. A book whose past they do not reach cannot be accused; its updates keep it alive.
 */
export const PAST_STATES = 16_384;

/** Where the parts of a past state stand. */
const STATE = { hash: 0, since: 1, before: 2 } as const;
const STATE_WORDS = 3;

/**
 * The states of all books as fingerprint and time, so that a read which is seconds old can be recognised as what its book
 * was. The present one is kept with the book; the past ones of all books share one ring, each with the number of the one
 * before it, so that many are kept of a book that changes often and none of one that does not. Times are milliseconds
 * modulo 2^32 (49 days), compared as ages, and so are the numbers of states.
 */
export class BookHistory {
  readonly #past = new Uint32Array(STATE_WORDS * PAST_STATES);
  /** Number of the past state that comes next. */
  #next = 0;

  constructor(private readonly memory: BookMemory) {}

  /** The book has this fingerprint from now on. */
  note(index: number, hash: number, at: Micros): void {
    const { words, layout } = this.memory;
    const word = index * layout.strideWords + layout.words;
    words[word + WORD.before] = this.isEmpty(index) ? this.#begin(index) : this.#keep(word);
    words[word + WORD.hash] = hash;
    words[word + WORD.since] = stamp(at);
  }

  isEmpty(index: number): boolean {
    return this.memory.byte(index, BYTE.noted) === 0;
  }

  /** The past before now does not belong to this book's present any more. */
  forget(index: number): void {
    this.memory.setByte(index, BYTE.noted, 0);
  }

  /** Whether the book has this fingerprint now. */
  isPresent(index: number, hash: number): boolean {
    return !this.isEmpty(index) && this.memory.word(index, WORD.hash) === hash;
  }

  /** Whether the book had this fingerprint at some time from `from` to `now`. */
  recall(index: number, hash: number, from: Micros, now: Micros): Recollection {
    if (this.isEmpty(index)) return 'forgotten';
    if (this.isPresent(index, hash)) return 'seen';
    const past = this.#past;
    const reach = Math.ceil(msBetween(from, now));
    const present = stamp(now);
    let since = this.memory.word(index, WORD.since);
    let state = this.memory.word(index, WORD.before);
    // What has been in force since before the interval leaves no room within it for anything older.
    while ((present - since) >>> 0 <= reach) {
      if (!this.#isKept(state)) return 'forgotten';
      const place = placeOf(state);
      if (past[place + STATE.hash] === hash) return 'seen';
      since = past[place + STATE.since]!;
      state = past[place + STATE.before]!;
    }
    return 'unseen';
  }

  /** Keeps what has been the present state of a book. @param word where its words begin @returns its number */
  #keep(word: number): number {
    const { words } = this.memory;
    const state = this.#next;
    const place = placeOf(state);
    this.#past[place + STATE.hash] = words[word + WORD.hash]!;
    this.#past[place + STATE.since] = words[word + WORD.since]!;
    this.#past[place + STATE.before] = words[word + WORD.before]!;
    this.#next = (state + 1) >>> 0;
    return state;
  }

  /** @returns the number of a state that is not kept any more */
  #begin(index: number): number {
    this.memory.setByte(index, BYTE.noted, 1);
    return (this.#next - PAST_STATES - 1) >>> 0;
  }

  #isKept(state: number): boolean {
    return (this.#next - 1 - state) >>> 0 < PAST_STATES;
  }
}

const placeOf = (state: number): number => STATE_WORDS * (state % PAST_STATES);

/** Whole milliseconds modulo 2^32, which is what the conversion to 32 bits leaves; a remainder by `%` takes 20 ns. */
const stamp = (at: Micros): number => (at / 1_000) >>> 0;
