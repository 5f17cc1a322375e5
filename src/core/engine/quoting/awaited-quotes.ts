import type { MarketId } from '../../../domain/ids.js';
import type { EventQuotes } from '../../portfolio/event-exposure.js';

interface Waiting {
  readonly quotes: EventQuotes;
  readonly retreats: number;
}

/**
 * Markets in which an order was refused for what is quoted elsewhere in their event. Nothing comes in for them when that steps
 * back, so they are looked at again then.
 */
export class AwaitedQuotes {
  readonly #waiting = new Map<MarketId, Waiting>();

  /** Whether no market waits, as mostly. */
  get areNone(): boolean {
    return this.#waiting.size === 0;
  }

  await(market: MarketId, quotes: EventQuotes): void {
    this.#waiting.set(market, { quotes, retreats: quotes.retreats });
  }

  /** The market is planned anew. */
  forget(market: MarketId): void {
    if (!this.areNone) this.#waiting.delete(market);
  }

  /** Takes out those whose event has quotes that have stepped back since. */
  take(): readonly MarketId[] {
    const free = [...this.#waiting].filter(([, { quotes, retreats }]) => quotes.retreats > retreats);
    for (const [market] of free) this.#waiting.delete(market);
    return free.map(([market]) => market);
  }
}
