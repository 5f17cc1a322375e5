import type { Micros } from '../../domain/units.js';

interface Timed {
  /** Venue time. */
  readonly at: Micros;
  /** Of the same time, smaller comes first. */
  readonly rank: number;
}

/** Public and private frames overtake each other by less than this, as a rule. */
const HOLD = 1_000_000 as Micros;

/**
 * Puts what was received into the order in which it happened. Everything waits until something {@link HOLD} younger has
 * come; what comes later still is out of order and leaves at once. Memory does not grow with the tape.
 */
export class VenueOrder<Item extends Timed> {
  #waiting: Item[] = [];
  #latest = -Infinity;

  /** @returns what waits no longer, oldest first */
  push(item: Item): readonly Item[] {
    let place = this.#waiting.length;
    while (place > 0 && isBefore(item, this.#waiting[place - 1]!)) place -= 1;
    this.#waiting.splice(place, 0, item);
    this.#latest = Math.max(this.#latest, item.at);
    return this.#release(this.#latest - HOLD);
  }

  /** @returns whatever still waits */
  end(): readonly Item[] {
    return this.#release(Infinity);
  }

  #release(until: number): readonly Item[] {
    const first = this.#waiting.findIndex(({ at }) => at > until);
    return this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
  }
}

const isBefore = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.rank < b.rank);
