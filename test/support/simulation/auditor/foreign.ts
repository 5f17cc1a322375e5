import type { VenueEntry } from '../venue-record.js';
import { type Charter, describe, type Moment, type Rule } from './rule.js';

/** The bot cancels nothing that is not its own, and the whole account never. */
export class Foreign implements Rule {
  readonly name = 'touched-what-is-not-its-own';
  readonly #exclusive: ReadonlySet<number>;

  constructor({ events }: Charter) {
    this.#exclusive = new Set(events.filter((one) => one.isExclusiveScope).map(({ event }) => event));
  }

  note(entry: VenueEntry, { register }: Moment): string | null {
    if (entry.kind === 'left' && entry.letter.endpoint === 'cancelAll') return this.#scope(entry.letter.body);
    if (entry.kind !== 'said' || entry.cause.by !== 'letter') return null;
    for (const event of entry.events) {
      const isCancel = event.kind === 'order-update' && event.cancelReason === 'user-requested';
      const order = isCancel ? register.orders.get(event.orderId) : undefined;
      if (order !== undefined && order.letter === null && !this.#exclusive.has(order.eventId))
        return `${entry.cause.letter.endpoint} cancelled ${describe(order)}, which a hand had placed`;
    }
    return null;
  }

  #scope(body: string): string | null {
    const { event, market } = JSON.parse(body === '' ? '{}' : body) as { event?: number; market?: number };
    if (event === undefined && market === undefined) return 'a cancel of the whole account left';
    return event === undefined || this.#exclusive.has(event)
      ? null
      : `a cancel of all orders of event ${event} left`;
  }
}
