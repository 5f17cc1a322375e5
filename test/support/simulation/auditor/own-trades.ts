import type { VenueEntry } from '../venue-record.js';
import type { Charter, Moment, Rule } from './rule.js';

/** Orders of the bot never trade with each other, nor ask to: the venue refuses what would. */
export class OwnTrades implements Rule {
  readonly name = 'own-trade';

  constructor(
    private readonly charter: Charter,
    private readonly isExcused: () => boolean,
  ) {}

  note(entry: VenueEntry, { register }: Moment): string | null {
    if (entry.kind === 'said') return this.#traded(entry);
    if (entry.kind !== 'served' || entry.answer === null || this.isExcused()) return null;
    if (!entry.answer.text.includes('OrderBookConflictingOrders')) return null;
    for (const order of register.allWorking()) if (order.letter === null) return null;
    return `${entry.letter.endpoint} asked to trade with an order of its own: ${entry.answer.text.slice(0, 200)}`;
  }

  #traded({ events }: Extract<VenueEntry, { kind: 'said' }>): string | null {
    const { account } = this.charter;
    for (const event of events)
      if (event.kind === 'trade' && event.taker.account === account && event.maker.account === account)
        return `orders ${event.taker.orderId} and ${event.maker.orderId} of the account traded with each other`;
    return null;
  }
}
