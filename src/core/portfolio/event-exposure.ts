import type { MarketId } from '../../domain/ids.js';
import type { Money } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import { EventQuotes } from './event-quotes.js';
import type { OrderCosts } from './order-costs.js';
import { type EventEndings, type HeldInMarket, WorstCase } from './worst-case.js';

/** An event's markets and how it can end. */
export interface EventRules extends EventEndings {
  /** All markets known; one that is added later is counted from its first holding or order on. */
  readonly markets: readonly MarketId[];
  /** Whether its outcomes may come to exclude each other where they are not said to now. */
  readonly mayExclude: boolean;
}

/** The worst that one event can bring in one currency, with holdings and open orders by market id. */
export class EventExposure {
  /** Null where outcomes never exclude each other, or there is one alone: no set of quotes there is a certain loss. */
  readonly quotes: EventQuotes | null;
  readonly #worstCase: WorstCase;
  /** In the order of the worst case's own. */
  #markets: readonly MarketId[];
  /** Where the market asked for last is: who asks for one asks for it many times. */
  #asked = 0;

  /** @param rules looked at whenever something is asked: how the event can end may change */
  constructor(private readonly rules: EventRules) {
    const { markets, mayExclude, nonePossible } = rules;
    this.#worstCase = new WorstCase(rules, markets.length);
    this.#markets = markets;
    this.quotes = mayExclude && markets.length > 1 ? new EventQuotes(markets, !nonePossible) : null;
  }

  /** As {@link EventQuotes.roomIn}; null where outcomes do not exclude each other, so that any quotes may stand together. */
  roomIn(market: MarketId, position: Position): Money | null {
    if (this.quotes === null || this.rules.resolutionMode !== 'exclusive') return null;
    return this.quotes.roomIn(market, position);
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
