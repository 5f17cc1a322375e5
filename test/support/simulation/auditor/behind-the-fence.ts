import { GUARD, type VenueEntry } from '../venue-record.js';
import { type Charter, describe, type Moment, type Rule } from './rule.js';

/** A look at the fence serves for so long, and what was being written is on its way. */
const LOOKING = 50_200;
const ASKING: ReadonlySet<string> = new Set(['createOrder', 'batchCreate', 'batchUpdate']);

/** While the fence of a guard stands no create or update leaves, and what the guard calls gone is gone. */
export class BehindTheFence implements Rule {
  readonly name = 'behind-the-fence';
  readonly #events: ReadonlySet<number>;
  #since = Infinity;

  constructor({ events }: Charter) {
    this.#events = new Set(events.map(({ event }) => event));
  }

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'fence') this.#since = entry.isUp ? at : Infinity;
    if (entry.kind === 'guard-proved' && !entry.leavesDoubt)
      for (const order of register.allWorking())
        if (order.letter !== null && order.letter.run !== GUARD && this.#events.has(order.eventId))
          return `the guard said that nothing of the bot stands: ${describe(order)}`;
    if (entry.kind !== 'left' || !ASKING.has(entry.letter.endpoint) || at <= this.#since + LOOKING)
      return null;
    return `${entry.letter.endpoint} left ${(at - this.#since) / 1_000} ms after the fence was raised`;
  }
}
