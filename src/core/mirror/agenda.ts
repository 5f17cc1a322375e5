import TinyQueue from 'tinyqueue';
import type { Micros } from '../../domain/units.js';

interface Entry {
  readonly subject: number;
  readonly at: Micros;
}

/**
 * When to look at which subject again, soonest first, ties by subject, so that the order is the same in every run. A
 * subject has one date: an earlier one replaces it, a later one is ignored until the subject has been taken. So an update
 * of a book moves no date: the market is looked at on the old one and then gets a new one.
 */
export class Agenda {
  readonly #dates = new Map<number, Micros>();
  /** May hold entries whose subject has another date by now; they are passed over. */
  readonly #queue = new TinyQueue<Entry>(
    [],
    (one, other) => one.at - other.at || one.subject - other.subject,
  );

  /** The earliest date; null when nothing is planned. */
  get next(): Micros | null {
    return this.#first()?.at ?? null;
  }

  /** Looks at the subject at this time at the latest. */
  plan(subject: number, at: Micros): void {
    const before = this.#dates.get(subject);
    if (before !== undefined && before <= at) return;
    this.#dates.set(subject, at);
    this.#queue.push({ subject, at });
  }

  /** Forgets the subject's date. */
  drop(subject: number): void {
    this.#dates.delete(subject);
  }

  /** Takes the earliest subject that is due. @returns null when none is */
  take(now: Micros): number | null {
    const first = this.#first();
    if (first === null || first.at > now) return null;
    this.#queue.pop();
    this.#dates.delete(first.subject);
    return first.subject;
  }

  #first(): Entry | null {
    for (let first = this.#queue.peek(); first !== undefined; first = this.#queue.peek()) {
      if (this.#dates.get(first.subject) === first.at) return first;
      this.#queue.pop();
    }
    return null;
  }
}
