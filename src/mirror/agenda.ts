import TinyQueue from 'tinyqueue';
import type { Micros } from '../domain/units.js';

interface Appointment {
  readonly at: Micros;
  readonly subject: number;
}

/** By date, ties by subject, so that the order is the same in every run. */
const earlier = (a: Appointment, b: Appointment): number => a.at - b.at || a.subject - b.subject;

/**
 * When to look at which subject again. A subject has one date; an earlier one replaces it, a later one is ignored
 * until the subject has been looked at. That keeps the hot path free of it: an update of a book moves no date, the
 * subject is looked at on the old one and then gets a new one.
 */
export class Agenda {
  readonly #queue = new TinyQueue<Appointment>([], earlier);
  readonly #dates = new Map<number, Micros>();

  /** The earliest date; null when nothing is planned. */
  get next(): Micros | null {
    return this.#first()?.at ?? null;
  }

  /** Looks at the subject at this time at the latest. */
  plan(subject: number, at: Micros): void {
    const planned = this.#dates.get(subject);
    if (planned !== undefined && planned <= at) return;
    this.#dates.set(subject, at);
    this.#queue.push({ at, subject });
  }

  /** Forgets the subject's date. */
  drop(subject: number): void {
    this.#dates.delete(subject);
  }

  /** Takes the earliest subject that is due. @returns null when none is */
  take(now: Micros): number | null {
    // Mostly nothing is due, and then not even a replaced date is.
    if ((this.#queue.peek()?.at ?? Infinity) > now) return null;
    const first = this.#first();
    if (first === undefined || first.at > now) return null;
    this.#queue.pop();
    this.#dates.delete(first.subject);
    return first.subject;
  }

  /** The earliest appointment that still holds; replaced and dropped ones are thrown away on the way to it. */
  #first(): Appointment | undefined {
    let first = this.#queue.peek();
    while (first !== undefined && this.#dates.get(first.subject) !== first.at) {
      this.#queue.pop();
      first = this.#queue.peek();
    }
    return first;
  }
}
