import type { MarketId } from '../domain/ids.js';
import type { Money } from '../domain/units.js';
import { EventQuotes } from './event-quotes.js';
import type { OrderCosts } from './order-costs.js';
import { type EventEndings, type HeldInMarket, WorstCase } from './worst-case.js';

/** An event's markets and how it can end. */
export interface EventRules extends EventEndings {
  /** All markets known; one that is added later is counted from its first holding or order on. */
  readonly markets: readonly MarketId[];
}

/** The worst that one event can bring in one currency, with holdings and open orders by market id. */
export class EventExposure {
  /** Null where outcomes do not exclude each other, or there is one alone: no set of quotes there is a certain loss. */
  readonly quotes: EventQuotes | null;
  readonly #worstCase: WorstCase;
  /** In the order of the worst case's own. */
  #markets: readonly MarketId[];
  /** Where the market asked for last is: who asks for one asks for it many times. */
  #asked = 0;

  constructor(rules: EventRules) {
    const { markets, resolutionMode, nonePossible } = rules;
    this.#worstCase = new WorstCase(rules, markets.length);
    this.#markets = markets;
    const areExclusive = resolutionMode === 'exclusive' && markets.length > 1;
    this.quotes = areExclusive ? new EventQuotes(markets, !nonePossible) : null;
  }

  /** @param undone what it would cost if some of the fills that are counted had not been */
  hold(market: MarketId, held: HeldInMarket, undone: OrderCosts): void {
    this.#worstCase.hold(this.#indexOf(market), held, undone);
  }

  /** Replaces what is open in the market: working, updating (old and new), cancelling and unknown orders alike. */
  order(market: MarketId, costs: OrderCosts): void {
    this.#worstCase.order(this.#indexOf(market), costs);
  }

  /** More orders of the market are open. */
  also(market: MarketId, costs: OrderCosts): void {
    this.#worstCase.also(this.#indexOf(market), costs);
  }

  /** Money units; negative is a loss. */
  worst(): Money {
    return this.#worstCase.worst();
  }

  /** The worst case if more orders of the market were open. */
  worstWith(market: MarketId, costs: OrderCosts): Money {
    return this.#worstCase.worstWith(this.#indexOf(market), costs);
  }

  /** The same over those endings alone in which a fill of one of them costs. */
  worstWhereTheyCost(market: MarketId, costs: OrderCosts): Money {
    return this.#worstCase.worstWhereTheyCost(this.#indexOf(market), costs);
  }

  #indexOf(market: MarketId): number {
    if (this.#markets[this.#asked] !== market) this.#asked = this.#markets.indexOf(market);
    if (this.#asked < 0) {
      this.#asked = this.#worstCase.add();
      this.#markets = [...this.#markets, market];
    }
    return this.#asked;
  }
}
