import { micros } from '../../../domain/units.js';
import type { Micros } from '../../../domain/units.js';

const SECOND = 1_000_000;
/** A signature is accepted tens of seconds early or late; less than this is not worth another attempt. */
const NOTEWORTHY = 2 * SECOND;

/**
 * How far the venue's clock is ahead of ours: the median over the last `Date` headers, so that a slow answer or a
 * stray clock behind a load balancer does not count. A header states whole seconds, so half of one is added.
 */
export class ClockOffset {
  /** The last {@link told}. */
  #told = 0;
  /** Oldest first. */
  readonly #samples: number[] = [];
  /** The same by size, so that each answer moves few of them. */
  readonly #sorted: number[] = [];
  readonly #headers = new DateHeaders();
  /** Whether what was measured counts no longer than until the next answer. */
  #isVoid = false;

  /** @param samples as many answers as count; more than half of them must agree before it moves */
  constructor(private readonly samples: number) {}

  /** Takes the `Date` header of an answer. A missing or unreadable one is ignored. */
  note(date: string | undefined, sentAt: Micros, receivedAt: Micros): void {
    const sample = this.#sampleOf(date, sentAt, receivedAt);
    if (sample === null) return;
    if (this.#isVoid) this.#clear();
    this.#samples.push(sample);
    insert(this.#sorted, sample);
    if (this.#samples.length > this.samples)
      this.#sorted.splice(this.#sorted.indexOf(this.#samples.shift()!), 1);
  }

  /**
   * Takes the word of an answer that refused our time, and forgets what was measured before.
   * @returns whether that changes the offset so much that signing again is worthwhile
   */
  correct(date: string | undefined, sentAt: Micros, receivedAt: Micros): boolean {
    const sample = this.#sampleOf(date, sentAt, receivedAt);
    if (sample === null) return false;
    const isNews = Math.abs(sample - this.median()) > NOTEWORTHY;
    this.#clear();
    for (const samples of [this.#samples, this.#sorted]) samples.push(sample);
    return isNews;
  }

  /** Microseconds to add to our time; 0 before anything was measured. */
  median(): number {
    return this.#sorted[this.#sorted.length >> 1] ?? 0;
  }

  /** Our reading of the venue's time. */
  venueTime(now: Micros): Micros {
    return micros(now + this.median());
  }

  /** The same where it is worth mentioning, and else 0; it moves by more than half a second or not at all. */
  told(): number {
    const measured = this.median();
    const least = this.#told === 0 ? NOTEWORTHY : SECOND;
    if (Math.abs(measured - this.#told) > SECOND / 2) this.#told = Math.abs(measured) > least ? measured : 0;
    return this.#told;
  }

  /** Either clock may be another now: the next answer tells all that is known of it. */
  forget(): void {
    this.#isVoid = true;
  }

  #clear(): void {
    this.#isVoid = false;
    this.#samples.length = 0;
    this.#sorted.length = 0;
  }

  #sampleOf(date: string | undefined, sentAt: Micros, receivedAt: Micros): number | null {
    const venueMs = this.#headers.millisecondsOf(date ?? '');
    if (Number.isNaN(venueMs)) return null;
    return Math.round(venueMs * 1_000 + SECOND / 2 - (sentAt + receivedAt) / 2);
  }
}

/** Reads `Date` headers; all of one second have the same text. */
class DateHeaders {
  #text = '';
  #milliseconds = Number.NaN;

  /** @returns NaN for a text that is no date */
  millisecondsOf(text: string): number {
    if (text !== this.#text) {
      this.#text = text;
      this.#milliseconds = Date.parse(text);
    }
    return this.#milliseconds;
  }
}

function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
  sorted[at] = value;
}
