import { micros } from '../../domain/units.js';
import type { Micros } from '../../domain/units.js';

const SAMPLES = 15;
const SECOND = 1_000_000;
/** A signature is accepted tens of seconds early or late; less than this is not worth another attempt. */
const NOTEWORTHY = 2 * SECOND;

/**
 * How far the venue's clock is ahead of ours: the median over the last `Date` headers, so that a slow answer or a
 * stray clock behind a load balancer does not count. A header states whole seconds, so half of one is added.
 */
export class ClockOffset {
  /** Oldest first. */
  readonly #samples: number[] = [];
  /** The same by size, so that each answer moves few of them. */
  readonly #sorted: number[] = [];
  readonly #headers = new DateHeaders();

  /** Takes the `Date` header of an answer. A missing or unreadable one is ignored. */
  note(date: string | undefined, sentAt: Micros, receivedAt: Micros): void {
    const sample = this.#sampleOf(date, sentAt, receivedAt);
    if (sample === null) return;
    this.#samples.push(sample);
    insert(this.#sorted, sample);
    if (this.#samples.length > SAMPLES) this.#sorted.splice(this.#sorted.indexOf(this.#samples.shift()!), 1);
  }

  /**
   * Takes the word of an answer that refused our time, and forgets what was measured before.
   * @returns whether that changes the offset so much that signing again is worthwhile
   */
  correct(date: string | undefined, sentAt: Micros, receivedAt: Micros): boolean {
    const sample = this.#sampleOf(date, sentAt, receivedAt);
    if (sample === null) return false;
    const isNews = Math.abs(sample - this.median()) > NOTEWORTHY;
    for (const samples of [this.#samples, this.#sorted]) samples.splice(0, samples.length, sample);
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

  /** What our clock showed then; a difference that is not worth mentioning leaves the venue's word as it is. */
  ourTime(venueTime: Micros): Micros {
    const ahead = this.median();
    return Math.abs(ahead) > NOTEWORTHY ? micros(venueTime - ahead) : venueTime;
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
