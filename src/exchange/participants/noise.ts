import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import { modeOf, type Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../contract.js';
import type { Random } from '../../core/ports/random.js';
import { Arrivals } from './arrivals.js';
import { pick, sizeBetween } from './draws.js';
import { TraderHoldings } from './trader-holdings.js';
import { isOpen, sellingFirst, type Wish } from './orders.js';
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
  private readonly holdings: TraderHoldings;
  private readonly arrivals: Arrivals;

  constructor(
    private readonly trader: Trader,
    private readonly options: NoiseOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.holdings = new TraderHoldings(trader);
    this.arrivals = new Arrivals(options.ratePerS, random.fork('arrivals'), start);
  }

  nextDue(): Micros {
    return this.arrivals.next;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.holdings.open(venue);
    this.arrivals.pass(now);
    const wish = this.wish(now, venue);
    if (wish === null || !isOpen(wish.market, venue)) return [];
    return [sellingFirst(wish, this.trader, this.holdings, venue)];
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
  }

  /** Always the same number of draws, so that the venue's state does not shift the later ones. */
  private wish(now: Micros, venue: ExchangeCore): Wish | null {
    const { random, options, trader } = this;
    const market = pick(random, trader.markets);
    const side = random.below(2) === 0 ? 'bid' : 'ask';
    const shares = sizeBetween(random, options.sizeMin, options.sizeMax);
    const distance = random.below(RESTS_WITHIN + 1);
    if (random.uniform() < TAKES) return { market, side, shares, price: null, expiresAt: null };
    const price = this.restingPrice(market, side, distance, venue);
    return price === null ? null : { market, side, shares, price, expiresAt: (now + RESTS_MICROS) as Micros };
  }

  private restingPrice(
    { id, tickUnits }: TradedMarket,
    side: Side,
    distance: number,
    venue: ExchangeCore,
  ): PriceUnits | null {
    const book = venue.book(id, modeOf(this.trader.currency), 'long', null);
    const touch = side === 'bid' ? book?.bids[0] : book?.asks[0];
    if (touch === undefined) return null;
    const steps = Math.floor(distance / tickUnits) * tickUnits;
    const price = side === 'bid' ? touch.price - steps : touch.price + steps;
    return price >= tickUnits && price <= PRICE_ONE - tickUnits ? (price as PriceUnits) : null;
  }
}
