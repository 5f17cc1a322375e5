import type { Micros } from '../../domain/units.js';

/**
 * What the venue's clock showed when something was received that does not say so: the receive time less the shortest
 * way that any stamped frame has taken so far.
 */
export class VenueTime {
  #shortest: number | null = null;

  /** A frame told the venue's time. */
  heard(receivedAt: Micros, venueAt: Micros): void {
    const way = receivedAt - venueAt;
    if (this.#shortest === null || way < this.#shortest) this.#shortest = way;
  }

  /** Before any has told it, the receive time. */
  of(receivedAt: Micros): Micros {
    return (receivedAt - (this.#shortest ?? 0)) as Micros;
  }
}

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

/** So many lines wait at most: a market in which nothing moves may show no frame for hours. */
const MOST = 10_000;

/**
 * What a tape tells before any of its frames tells the venue's time. When that happened shows only with the first frame
 * that does, so it waits for it: taken by the time of the machine, which may be ahead, all that comes later would lie in
 * its past. Where too much waits, or nothing more comes, the time of the machine has to do.
 */
export class UntimedLines {
  #waiting: (() => void)[] = [];
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  wait(act: () => void): void {
    this.#waiting.push(act);
    if (this.#waiting.length === MOST) this.end();
  }

  /** Does in its order what waits; nothing waits from now on. */
  end(): void {
    this.#isOver = true;
    for (const act of this.#waiting.splice(0)) act();
  }
}
