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
  readonly #samples: number[] = [];
  /** Kept, since requests ask for it and answers change it. */
  #median = 0;

  /** Takes the `Date` header of an answer. A missing or unreadable one is ignored. */
  note(date: string | undefined, sentAt: Micros, receivedAt: Micros): void {
    const sample = offsetOf(date, sentAt, receivedAt);
    if (sample === null) return;
    this.#samples.push(sample);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    this.#median = medianOf(this.#samples);
  }

  /**
   * Takes the word of an answer that refused our time, and forgets what was measured before.
   * @returns whether that changes the offset so much that signing again is worthwhile
   */
  correct(date: string | undefined, sentAt: Micros, receivedAt: Micros): boolean {
    const sample = offsetOf(date, sentAt, receivedAt);
    if (sample === null) return false;
    const isNews = Math.abs(sample - this.median()) > NOTEWORTHY;
    this.#samples.splice(0, this.#samples.length, sample);
    this.#median = sample;
    return isNews;
  }

  /** Microseconds to add to our time; 0 before anything was measured. */
  median(): number {
    return this.#median;
  }

  /** Our reading of the venue's time. */
  venueTime(now: Micros): Micros {
    return micros(now + this.median());
  }
}

function medianOf(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function offsetOf(date: string | undefined, sentAt: Micros, receivedAt: Micros): number | null {
  const venueMs = Date.parse(date ?? '');
  if (Number.isNaN(venueMs)) return null;
  return Math.round(venueMs * 1_000 + SECOND / 2 - (sentAt + receivedAt) / 2);
}
