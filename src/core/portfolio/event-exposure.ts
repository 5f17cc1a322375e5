import type { MarketId } from '../../domain/ids.js';
import { MONEY_ONE, type Money, PRICE_ONE, type PriceUnits, SHARE_ONE } from '../../domain/units.js';
import type { Position, Side } from '../../domain/vocabulary.js';
import { type EventEndings, WorstCase } from './worst-case.js';

/** An event's markets and how it can end. */
export interface EventRules extends EventEndings {
  /** All markets known; one that is added later is counted from its first holding or order on. */
  readonly markets: readonly MarketId[];
  /** Whether its outcomes may come to exclude each other where they are not said to now. */
  readonly mayExclude: boolean;
}

/** What one event may cost in one currency: its worst case, and what its quotes cost together. */
export class EventExposure extends WorstCase {
  /** Null where outcomes never exclude each other, or there is one alone: no set of quotes there is a certain loss. */
  readonly quotes: EventQuotes | null;

  /** @param rules looked at whenever something is asked: how the event can end may change */
  constructor(private readonly rules: EventRules) {
    super(rules, rules.markets);
    const { markets, mayExclude, nonePossible } = rules;
    this.quotes = mayExclude && markets.length > 1 ? new EventQuotes(markets, !nonePossible) : null;
  }

  /** As {@link EventQuotes.roomIn}; null where outcomes do not exclude each other, so that any quotes may stand together. */
  roomIn(market: MarketId, position: Position): Money | null {
    if (this.quotes === null || this.rules.resolutionMode !== 'exclusive') return null;
    return this.quotes.roomIn(market, position);
  }
}

/**
 * What a share of either position costs at the dearest own order, in money units per whole share, fee included; zero where
 * none can be filled. A sale of the other position comes to the same as a purchase: it changes what every ending pays alike.
 */
export class DearestShares {
  long = 0;
  short = 0;

  /**
   * @param bookSide on which the order stands
   * @param fee      money units per whole share of a fill
   */
  add(bookSide: Side, longPrice: PriceUnits, fee: Money): void {
    if (bookSide === 'bid') this.long = Math.max(this.long, longPrice * SHARE_ONE + fee);
    else this.short = Math.max(this.short, (PRICE_ONE - longPrice) * SHARE_ONE + fee);
  }
}

type Costs = Pick<DearestShares, Position>;

const NOTHING: Costs = { long: 0, short: 0 };

/**
 * Own quotes on outcomes of which at most one wins, in one currency. Quotes that are all filled lose whatever happens where a
 * share bought in each outcome costs more than they pay together; of each market its dearest quote decides, and sums that are
 * kept let a change of one market cost nothing of the others.
 */
export class EventQuotes {
  readonly #costs: Map<MarketId, Costs>;
  #long = 0;
  #short = 0;
  #retreats = 0;

  /**
   * @param markets      all that are known; one that is quoted besides them is added then
   * @param isExhaustive whether one of them wins for certain
   */
  constructor(
    markets: readonly MarketId[],
    private readonly isExhaustive: boolean,
  ) {
    this.#costs = new Map(markets.map((market) => [market, NOTHING]));
  }

  /** Rises whenever the dearest quote of a market gets cheaper, or goes. */
  get retreats(): number {
    return this.#retreats;
  }

  /** Replaces what may be filled in the market. */
  quote(market: MarketId, { long, short }: Costs): void {
    const before = this.#in(market);
    if (long === before.long && short === before.short) return;
    if (long < before.long || short < before.short) this.#retreats += 1;
    this.#long += long - before.long;
    this.#short += short - before.short;
    this.#costs.set(market, { long, short });
  }

  /**
   * What a share of the position in every market pays together at most, less what it costs in the others that are quoted, money
   * units: whoever pays as much for one here loses whatever happens, if all of it is filled. Not positive where the others alone
   * come to that.
   */
  roomIn(market: MarketId, position: Position): Money {
    const { long, short } = this.#in(market);
    if (position === 'long') return (MONEY_ONE - this.#long + long) as Money;
    return (this.#shortsPaid * MONEY_ONE - this.#short + short) as Money;
  }

  /** All of them pay where nothing needs to win. */
  get #shortsPaid(): number {
    return this.isExhaustive ? this.#costs.size - 1 : this.#costs.size;
  }

  #in(market: MarketId): Costs {
    return this.#costs.get(market) ?? NOTHING;
  }
}
