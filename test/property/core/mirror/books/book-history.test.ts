import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Micros, micros } from '../../../../../src/domain/units.js';
import {
  BookHistory,
  PAST_STATES,
  type Recollection,
} from '../../../../../src/core/mirror/books/book-history.js';
import { BookMemory } from '../../../../../src/core/mirror/books/book-memory.js';

const BOOKS = 3;
const MS = 1_000;

const historyOf = (): BookHistory => {
  const memory = new BookMemory(5, BOOKS);
  for (let book = 0; book < BOOKS; book++) memory.add(100);
  return new BookHistory(memory);
};

/** Every state of one book, newest first, however many. */
class EveryState {
  #states: { readonly hash: number; readonly since: Micros }[] = [];

  note(hash: number, since: Micros): void {
    this.#states.unshift({ hash, since });
  }

  forget(): void {
    this.#states = [];
  }

  recall(hash: number, from: Micros): Recollection {
    const first = this.#states.findIndex(({ since }) => since < from);
    const within = first < 0 ? this.#states : this.#states.slice(0, first + 1);
    if (within.some((state) => state.hash === hash)) return 'seen';
    return first < 0 ? 'forgotten' : 'unseen';
  }
}

const step = fc.record({
  book: fc.nat(BOOKS - 1),
  hash: fc.nat(6),
  passedMs: fc.nat(40),
  forgets: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});
const asked = fc.record({ book: fc.nat(BOOKS - 1), hash: fc.nat(7), backMs: fc.nat(400) });

describe('the history of books', () => {
  it('recalls of each book what a list of all its states would', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(asked, { minLength: 1 }),
        (steps, questions) => {
          const history = historyOf();
          const oracle = Array.from({ length: BOOKS }, () => new EveryState());
          let now = 1_800_000_000_000_000;
          for (const { book, hash, passedMs, forgets } of steps) {
            now += passedMs * MS;
            if (forgets) history.forget(book);
            if (forgets) oracle[book]!.forget();
            history.note(book, hash, micros(now));
            oracle[book]!.note(hash, micros(now));
            expect(history.isPresent(book, hash)).toBe(true);
          }
          for (const { book, hash, backMs } of questions) {
            const from = micros(now - backMs * MS);
            expect(history.recall(book, hash, from, micros(now))).toBe(oracle[book]!.recall(hash, from));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('forgets the past of a book, never its present, when others have changed too often since', () => {
    const history = historyOf();
    const at = (ms: number) => micros(ms * MS);
    history.note(0, 1, at(1));
    history.note(0, 2, at(2));
    for (let change = 0; change < PAST_STATES; change++) history.note(1, change, at(3));
    expect(history.recall(0, 1, at(1), at(4))).toBe('seen');
    history.note(1, 7, at(3));
    expect(history.recall(0, 1, at(1), at(4))).toBe('forgotten');
    expect(history.recall(0, 2, at(1), at(4))).toBe('seen');
    expect(history.recall(0, 9, at(3), at(4))).toBe('unseen');
  });
});
