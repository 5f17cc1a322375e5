import type { Micros } from '../../domain/units.js';

const NOT_PLANNED = -1;

/**
 * When to look at which subject again, soonest first, ties by subject, so that the order is the same in every run. A
 * subject has one date; an earlier one replaces it, a later one is ignored until the subject has been taken. That keeps
 * the hot path free of it: an update of a book moves no date, the market is looked at on the old one and then gets a
 * new one. A binary heap of subject numbers in typed arrays: 16 bytes a subject, for there is one for every market.
 */
export class Agenda {
  #dates: Float64Array;
  /** Place of each subject in the heap. */
  #places: Int32Array;
  #heap: Int32Array;
  #length = 0;

  /** @param expected subjects there will be; more than that cost a copy of all */
  constructor(expected: number) {
    this.#dates = new Float64Array(expected);
    this.#places = new Int32Array(expected).fill(NOT_PLANNED);
    this.#heap = new Int32Array(expected);
  }

  /** The earliest date; null when nothing is planned. */
  get next(): Micros | null {
    return this.#length === 0 ? null : (this.#dates[this.#heap[0]!]! as Micros);
  }

  /** Looks at the subject at this time at the latest. @param subject dense: 0, 1, 2 and so on */
  plan(subject: number, at: Micros): void {
    if (subject >= this.#dates.length) this.#grow(subject);
    if (this.#places[subject] === NOT_PLANNED) this.#places[subject] = this.#length++;
    else if (this.#dates[subject]! <= at) return;
    this.#dates[subject] = at;
    this.#rise(subject);
  }

  /** Forgets the subject's date. */
  drop(subject: number): void {
    const place = this.#places[subject] ?? NOT_PLANNED;
    if (place === NOT_PLANNED) return;
    this.#places[subject] = NOT_PLANNED;
    this.#length -= 1;
    if (place === this.#length) return;
    const moved = this.#heap[this.#length]!;
    this.#places[moved] = place;
    this.#rise(moved);
    this.#sink(moved);
  }

  /** Takes the earliest subject that is due. @returns null when none is */
  take(now: Micros): number | null {
    if (this.#length === 0) return null;
    const first = this.#heap[0]!;
    if (this.#dates[first]! > now) return null;
    this.drop(first);
    return first;
  }

  /** Moves the subject towards the top, as far as it is earlier than what stands there. */
  #rise(subject: number): void {
    let place = this.#places[subject]!;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isEarlier(subject, this.#heap[parent]!)) break;
      this.#put(this.#heap[parent]!, place);
      place = parent;
    }
    this.#put(subject, place);
  }

  /** Moves the subject towards the bottom, as far as something below is earlier. */
  #sink(subject: number): void {
    let place = this.#places[subject]!;
    for (let child = 2 * place + 1; child < this.#length; child = 2 * place + 1) {
      const right = child + 1;
      if (right < this.#length && this.#isEarlier(this.#heap[right]!, this.#heap[child]!)) child = right;
      if (!this.#isEarlier(this.#heap[child]!, subject)) break;
      this.#put(this.#heap[child]!, place);
      place = child;
    }
    this.#put(subject, place);
  }

  #put(subject: number, place: number): void {
    this.#heap[place] = subject;
    this.#places[subject] = place;
  }

  #isEarlier(one: number, other: number): boolean {
    const difference = this.#dates[one]! - this.#dates[other]!;
    return difference < 0 || (difference === 0 && one < other);
  }

  #grow(subject: number): void {
    const length = Math.max(2 * this.#dates.length, subject + 1);
    const dates = new Float64Array(length);
    const places = new Int32Array(length).fill(NOT_PLANNED);
    const heap = new Int32Array(length);
    dates.set(this.#dates);
    places.set(this.#places);
    heap.set(this.#heap);
    [this.#dates, this.#places, this.#heap] = [dates, places, heap];
  }
}
