import type { VenueEntry } from '../venue-record.js';
import type { Once } from './once.js';
import type { RegisteredOrder } from './register.js';
import { type Charter, describe, type Moment, type Rule } from './rule.js';

/**
 * A run that ends and says that nothing stands is right. Where the market is shared, orders whose request the venue
 * applied by half and forgot are nobody's.
 */
export class CleanEnd implements Rule {
  readonly name = 'left-behind';
  readonly #exclusive: ReadonlySet<number>;
  readonly #once: Once;

  constructor({ events }: Charter, once: Once) {
    this.#exclusive = new Set(events.filter((one) => one.isExclusiveScope).map(({ event }) => event));
    this.#once = once;
  }

  note(entry: VenueEntry, { register }: Moment): string | null {
    if (entry.kind !== 'run-ended' || entry.outcome !== 'clean') return null;
    for (const order of register.allWorking())
      if (this.#isOwn(order)) return `${entry.run} said that nothing stands: ${describe(order)}`;
    return null;
  }

  #isOwn(order: RegisteredOrder): boolean {
    if (order.letter === null) return false;
    return this.#exclusive.has(order.eventId) || !this.#once.isForgotten(order);
  }
}
