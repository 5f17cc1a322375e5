import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../domain/units.js';
import { modeOf, type Side } from '../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../exchange/contract.js';
import type { Random } from '../ports/random.js';
import { after, pick, sizeBetween, waitingTime } from './draws.js';
import { Holdings, orderFor, place, type Wish } from './orders.js';
import type { Participant, TradedMarket, Trader } from './participant.js';

export interface NoiseOptions {
  /** Arrivals per second over all its markets. */
  readonly ratePerS: number;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
}

/** Part of the arrivals that take; the others rest near the touch for a while. */
const TAKES = 0.6;
/** How long a resting order of noise lives. */
const RESTS_MICROS = 15_000_000;
/** How far from the touch it rests at most, in price units. */
const RESTS_WITHIN = 300;

/**
 * Uninformed flow: Poisson arrivals, side by coin, either a market order or a limit order near the touch that
 * expires by itself.
 */
export class NoiseTrader implements Participant {
  private readonly holdings: Holdings;
  private due: Micros;

  constructor(
    private readonly trader: Trader,
    private readonly options: NoiseOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.holdings = new Holdings(trader);
    this.due = after(start, waitingTime(random, options.ratePerS));
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    const { random, options, trader } = this;
    this.due = after(now, waitingTime(random, options.ratePerS));
    const market = pick(random, trader.markets);
    const side = random.below(2) === 0 ? 'bid' : 'ask';
    const shares = sizeBetween(random, options.sizeMin, options.sizeMax);
    const distance = random.below(RESTS_WITHIN + 1);
    const wish = { market: market.id, side, shares } as const;
    if (random.uniform() < TAKES) return this.order({ ...wish, price: null, expiresAt: null });
    const price = this.restingPrice(market, side, distance, venue);
    return price === null ? [] : this.order({ ...wish, price, expiresAt: after(now, RESTS_MICROS) });
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
  }

  private restingPrice(
    market: TradedMarket,
    side: Side,
    distance: number,
    venue: ExchangeCore,
  ): PriceUnits | null {
    const book = venue.book(market.id, modeOf(this.trader.currency), 'long', null);
    const touch = side === 'bid' ? book?.bids[0] : book?.asks[0];
    if (touch === undefined) return null;
    const steps = Math.floor(distance / market.tickUnits) * market.tickUnits;
    const price = side === 'bid' ? touch.price - steps : touch.price + steps;
    return price >= market.tickUnits && price <= PRICE_ONE - market.tickUnits ? (price as PriceUnits) : null;
  }

  private order(wish: Wish): readonly Command[] {
    return [place(this.trader, orderFor(wish, this.trader, this.holdings))];
  }
}
