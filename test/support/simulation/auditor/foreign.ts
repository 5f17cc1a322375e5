import type { VenueEntry } from '../venue-record.js';
import type { LostRequests } from './lost-requests.js';
import { type Charter, describe, type Moment, type Rule } from './rule.js';

/** Why an order ends because its account asked for something. */
const BY_USER: ReadonlySet<string | null> = new Set(['user-requested', 'replaced', 'conflicting-order']);

/**
 * The bot cancels nothing that is not its own, and the whole account never. An order of a hand that has all the terms of one
 * that the bot asked for and nobody told it of is the exception: the venue says nothing by which to tell them apart.
 */
export class Foreign implements Rule {
  readonly name = 'touched-what-is-not-its-own';
  readonly #exclusive: ReadonlySet<number>;
  readonly #lost: Pick<LostRequests, 'mayBe'>;

  constructor({ events }: Charter, lost: Pick<LostRequests, 'mayBe'>) {
    this.#lost = lost;
    this.#exclusive = new Set(events.filter((one) => one.isExclusiveScope).map(({ event }) => event));
  }

  note(entry: VenueEntry, { register }: Moment): string | null {
    if (entry.kind === 'left' && entry.letter.endpoint === 'cancelAll') return this.#scope(entry.letter.body);
    if (entry.kind !== 'said' || entry.cause.by !== 'letter') return null;
    for (const event of entry.events) {
      const isCancel = event.kind === 'order-update' && BY_USER.has(event.cancelReason);
      const order = isCancel ? register.orders.get(event.orderId) : undefined;
      if (order === undefined || order.letter !== null || this.#exclusive.has(order.eventId)) continue;
      if (!this.#lost.mayBe(order))
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
