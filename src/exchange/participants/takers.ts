import { type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import { modeOf, type Side } from '../../domain/vocabulary.js';
import type { Command } from '../contract.js';
import type { ExchangeCore } from '../exchange.js';
import type { Random } from '../../core/ports/random.js';
import { Arrivals, pick, sizeBetween, LatentPath } from './draws.js';
import {
  isOpen,
  sellingFirst,
  type Wish,
  type Participant,
  type TradedMarket,
  type Trader,
} from './stage.js';
import type { MarketId } from '../contract/ids.js';

export interface NoiseOptions {
  /** Arrivals per second over all its markets. */
  readonly ratePerS: number;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
}

/** Part of the arrivals that take; the others rest near the touch for a while. */
const TAKER_PART = 0.6;
/** Lifetime of a resting order. */
const RESTING_MICROS = 15_000_000;
/** How far from the touch it rests at most, in price units. */
const MOST_DISTANCE = 300;

/**
 * Uninformed flow: Poisson arrivals, side by coin, either a market order or a limit order near the touch that
 * expires by itself.
 */
export class NoiseTrader implements Participant {
  private readonly arrivals: Arrivals;

  constructor(
    private readonly trader: Trader,
    private readonly options: NoiseOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.arrivals = new Arrivals(options.ratePerS, random.fork('arrivals'), start);
  }

  nextDue(): Micros {
    return this.arrivals.next;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.arrivals.pass(now);
    const wish = this.wish(now, venue);
    if (wish === null || !isOpen(wish.market, venue)) return [];
    return [sellingFirst(wish, this.trader, venue)];
  }

  /** Always the same number of draws, so that the venue's state does not shift the later ones. */
  private wish(now: Micros, venue: ExchangeCore): Wish | null {
    const { random, options, trader } = this;
    const market = pick(random, trader.markets);
    const side = random.below(2) === 0 ? 'bid' : 'ask';
    const shares = sizeBetween(random, options.sizeMin, options.sizeMax);
    const distance = random.below(MOST_DISTANCE + 1);
    if (random.uniform() < TAKER_PART) return { market, side, shares, price: null, expiresAt: null };
    const price = this.restingPrice(market, side, distance, venue);
    return price === null
      ? null
      : { market, side, shares, price, expiresAt: (now + RESTING_MICROS) as Micros };
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

export interface InformedOptions {
  readonly ratePerS: number;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
  /** Of the first market's long outcome at the start; the other markets share the rest evenly. */
  readonly probability: number;
  /** Time until the outcome is known, in microseconds. */
  readonly horizonMicros: number;
}

/** It takes only what is mispriced by more than this, in price units. */
const EDGE = 100;

/**
 * An informed trader: knows the true probability and takes mispriced quotes. It stops when the outcome is known, because a
 * market would be closed by then.
 */
export class InformedTrader implements Participant {
  private readonly paths: ReadonlyMap<MarketId, LatentPath>;
  private readonly arrivals: Arrivals;
  private readonly ends: number;

  constructor(
    private readonly trader: Trader,
    private readonly options: InformedOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.arrivals = new Arrivals(options.ratePerS, random.fork('arrivals'), start);
    const { probability, horizonMicros } = options;
    this.ends = start + horizonMicros;
    const rest = (1 - probability) / Math.max(1, trader.markets.length - 1);
    this.paths = new Map(
      trader.markets.map(({ id }, index) => [
        id,
        new LatentPath(index === 0 ? probability : rest, horizonMicros, random.fork(`path-${id}`), start),
      ]),
    );
  }

  nextDue(): Micros | null {
    return this.arrivals.next < this.ends ? this.arrivals.next : null;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    const { random, options, trader } = this;
    this.arrivals.pass(now);
    const market = pick(random, trader.markets);
    const wanted = sizeBetween(random, options.sizeMin, options.sizeMax);
    const belief = this.paths.get(market.id)!.advanceTo(now) * PRICE_ONE;
    const offer = this.bestOffer(market, belief, venue);
    if (offer === null || !isOpen(market, venue)) return [];
    const shares = Math.min(wanted, offer.shares) as Shares;
    const wish = { market, side: offer.side, price: null, shares, expiresAt: null };
    return [sellingFirst(wish, trader, venue)];
  }

  /** How the market will resolve. */
  resolvesLong(market: MarketId): boolean {
    return this.paths.get(market)?.resolvesLong ?? false;
  }

  /** The mispriced touch, if there is one. */
  private bestOffer(
    market: TradedMarket,
    belief: number,
    venue: ExchangeCore,
  ): { readonly side: Side; readonly shares: Shares } | null {
    const book = venue.book(market.id, modeOf(this.trader.currency), 'long', null);
    const ask = book?.asks[0];
    const bid = book?.bids[0];
    if (ask !== undefined && ask.price + EDGE < belief) return { side: 'bid', shares: ask.shares };
    if (bid !== undefined && bid.price - EDGE > belief) return { side: 'ask', shares: bid.shares };
    return null;
  }
}
