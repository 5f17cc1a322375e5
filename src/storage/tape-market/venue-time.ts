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
