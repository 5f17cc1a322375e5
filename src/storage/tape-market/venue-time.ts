import type { Micros } from '../../domain/units.js';

/** The venue's time of what carries none: its receive time less the shortest delay of any stamped frame so far. */
export class VenueTime {
  #shortest: number | null = null;

  /** A frame stated the venue's time. */
  heard(receivedAt: Micros, venueAt: Micros): void {
    const way = receivedAt - venueAt;
    if (this.#shortest === null || way < this.#shortest) this.#shortest = way;
  }

  /** Before the first such frame: the receive time. */
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
 * Puts what was received into the order in which it happened. Everything waits until something that is younger by the
 * hold has come. What comes even later leaves at once, out of order. Memory does not grow with the tape.
 */
export class VenueOrder<Item extends Timed> {
  #waiting: Item[] = [];
  #latest = -Infinity;

  /** @param hold microseconds */
  constructor(private readonly hold: number = HOLD) {}

  /** @returns what waits no longer, oldest first */
  push(item: Item): readonly Item[] {
    let place = this.#waiting.length;
    while (place > 0 && isBefore(item, this.#waiting[place - 1]!)) place -= 1;
    this.#waiting.splice(place, 0, item);
    return this.passed(item.at);
  }

  /** It is so late at the venue. @returns what waits no longer */
  passed(at: Micros): readonly Item[] {
    this.#latest = Math.max(this.#latest, at);
    return this.#release(this.#latest - this.hold);
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

/** Lines that wait at most: a quiet market may show no frame for hours. */
const MOST = 10_000;

/**
 * Lines before the first frame that states the venue's time wait for that frame. Dated by the machine's clock, which may
 * be ahead, they would put everything after them into their past. When too many wait, or nothing more comes, the
 * machine's clock has to do.
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
