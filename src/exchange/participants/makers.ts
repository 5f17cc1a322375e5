import type { MarketId, OrderId } from '../contract/ids.js';
import {
  type Micros,
  PRICE_ONE,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  complement,
} from '../../domain/units.js';
import { type Side, bookSide } from '../../domain/vocabulary.js';
import type { Command, ExchangeEvent, OrderView } from '../contract.js';
import type { ExchangeCore } from '../exchange.js';
import type { Random } from '../../core/ports/random.js';
import { gaussian, logit, sigmoid, sizeBetween } from './draws.js';
import {
  netOf,
  isOpen,
  type Participant,
  type TradedMarket,
  type Trader,
  buying,
  restingOrders,
} from './stage.js';

export interface CompetingMakerOptions {
  readonly halfSpread: PriceUnits;
  readonly sizeMin: Shares;
  readonly sizeMax: Shares;
  /** Where its opinion of each market starts, in the order of its markets; probabilities inside (0, 1). */
  readonly opinions: readonly number[];
}

/** How often it looks at its quotes. */
const QUOTES_EVERY_MICROS = 1_000_000;
/** Standard deviation of its opinion's walk per look, in logits. */
const OPINION_STEP = 0.02;
/** How far one share held moves its quotes, in logits: the inventory skew. */
const SKEW_PER_SHARE = 0.0008;
const QUOTED_LEVELS = 3;

/**
 * A competing market maker: a random walk as its opinion, a fixed half-spread, a few levels, skewed against its inventory.
 * A level that stays in its ladder keeps its size, so that its orders rest.
 */
export class CompetingMaker implements Participant {
  private readonly opinions: Map<MarketId, number>;
  private readonly ladders = new Map<MarketId, readonly LadderLevel[]>();
  private due: Micros;

  constructor(
    private readonly trader: Trader,
    private readonly options: CompetingMakerOptions,
    private readonly random: Random,
    start: Micros,
  ) {
    this.due = start;
    this.opinions = new Map(
      trader.markets.map(({ id }, index) => [id, logit(options.opinions[index] ?? 0.5)]),
    );
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.due = (now + QUOTES_EVERY_MICROS) as Micros;
    return this.trader.markets.flatMap((market) => {
      const ladder = this.ladder(market, venue);
      this.ladders.set(market.id, ladder);
      return isOpen(market, venue) ? bringTo(ladder, market, this.trader, venue) : [];
    });
  }

  private ladder(market: TradedMarket, venue: ExchangeCore): readonly LadderLevel[] {
    const { halfSpread } = this.options;
    const { tickUnits } = market;
    const centre = this.opinionPrice(market, venue);
    const bid = Math.floor((centre - halfSpread) / tickUnits) * tickUnits;
    const ask = Math.ceil((centre + halfSpread) / tickUnits) * tickUnits;
    return [...this.levels(market, 'bid', bid, -tickUnits), ...this.levels(market, 'ask', ask, tickUnits)];
  }

  /** Its opinion now, less what its inventory makes of it, in price units. */
  private opinionPrice(market: TradedMarket, venue: ExchangeCore): number {
    const opinion = this.opinions.get(market.id)! + OPINION_STEP * gaussian(this.random);
    this.opinions.set(market.id, opinion);
    const lean = (netOf(market, this.trader, venue) / SHARE_ONE) * SKEW_PER_SHARE;
    return sigmoid(opinion - lean) * PRICE_ONE;
  }

  private levels(market: TradedMarket, side: Side, first: number, step: number): readonly LadderLevel[] {
    const levels: LadderLevel[] = [];
    for (let level = 0; level < QUOTED_LEVELS; level++) {
      const price = (first + level * step) as PriceUnits;
      if (price < market.tickUnits || price > PRICE_ONE - market.tickUnits) continue;
      levels.push({ side, price, shares: this.sizeAt(market.id, side, price) });
    }
    return levels;
  }

  private sizeAt(market: MarketId, side: Side, price: PriceUnits): Shares {
    const standing = this.ladders.get(market)?.find((level) => level.side === side && level.price === price);
    return standing?.shares ?? sizeBetween(this.random, this.options.sizeMin, this.options.sizeMax);
  }
}

/** One level on the long side of the book. */
export interface LadderLevel {
  readonly side: Side;
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** A resting order this close to the wanted size stays, because rounding moves sizes by a hundredth of a share. */
const NEAR_ENOUGH = 2;

/**
 * Commands that bring the trader's resting orders in a market to a ladder. Matching orders stay. Missing levels are placed
 * first and surplus orders cancelled last, so that no side is empty in between. Every level buys, long or short at the
 * complement. A level below the venue's least amount is left out.
 */
function bringTo(
  ladder: readonly LadderLevel[],
  market: TradedMarket,
  trader: Trader,
  venue: ExchangeCore,
): readonly Command[] {
  const resting = restingOrders(market, trader, venue);
  const kept = new Set<OrderView>();
  const missing: LadderLevel[] = [];
  for (const level of ladder) {
    if (costOf(level) < market.minAmount) continue;
    const standing = resting.find((order) => !kept.has(order) && standsFor(order, level));
    if (standing === undefined) missing.push(level);
    else kept.add(standing);
  }
  const surplus = resting.filter((order) => !kept.has(order)).map((order) => order.id);
  return [
    ...missing.map((level) => buying({ ...level, market, expiresAt: null }, trader)),
    ...cancel(surplus, trader),
  ];
}

const costOf = ({ side, price, shares }: LadderLevel): number =>
  (side === 'bid' ? price : complement(price)) * shares;

function standsFor(order: OrderView, level: LadderLevel): boolean {
  if (order.price === null || bookSide(order.side, order.position) !== level.side) return false;
  const price = order.position === 'long' ? order.price : complement(order.price);
  return price === level.price && Math.abs(order.shares - order.filled - level.shares) <= NEAR_ENOUGH;
}

const cancel = (orderIds: readonly OrderId[], { account }: Trader): readonly Command[] =>
  orderIds.length === 0 ? [] : [{ kind: 'cancel-batch', account, orderIds }];

/** How often it checks its ladder. A fill makes it check at once. */
const LMSR_CHECKS_EVERY_MICROS = 500_000;
const LMSR_LEVELS = 5;
/** A price this close to a tick, in ticks, is that tick. */
const FLOAT_NOISE = 1e-9;

/**
 * Hanson's logarithmic market scoring rule as resting orders: C = b ln sum e^(q_i / b), price = softmax(q / b), where
 * q_i is what others hold long of outcome i against it. One market is a yes-no pair, several are exclusive outcomes of
 * which one wins. The level at tick t offers exactly the shares that move the price to it, b (L(t) - L(previous)), L =
 * logit, so no share is sold below its cost and the loss stays below b ln(1 / initial price), n outcomes b ln n. The
 * ladders of the other outcomes follow a fill at once, but not within one command that takes in several markets.
 */
export class LmsrMaker implements Participant {
  private actedAt: Micros;
  private due: Micros;

  /** @param b liquidity in currency units */
  constructor(
    private readonly trader: Trader,
    private readonly b: number,
    start: Micros,
  ) {
    this.actedAt = start;
    this.due = start;
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.actedAt = now;
    this.due = (now + LMSR_CHECKS_EVERY_MICROS) as Micros;
    const { markets } = this.trader;
    const q = markets.map((market) => -netOf(market, this.trader, venue) / SHARE_ONE);
    return markets.flatMap((market, at) => {
      if (!isOpen(market, venue)) return [];
      return bringTo(lmsrLadder(priceOf(q, at, this.b), this.b, market), market, this.trader, venue);
    });
  }

  observe(event: ExchangeEvent): void {
    if (event.kind === 'position-update' && event.account === this.trader.account) this.due = this.actedAt;
  }
}

/** 1 / sum e^((q_j - q_i) / b). The maker's own net position is the negative of q; the other side of a pair has none. */
function priceOf(q: readonly number[], market: number, b: number): number {
  const others = q.length === 1 ? [0] : q.filter((_, at) => at !== market);
  return 1 / others.reduce((sum, other) => sum + Math.exp((other - q[market]!) / b), 1);
}

/**
 * Five levels a side around a price; shares are rounded down, so that rounding never costs the maker.
 * @param p inside (0, 1)
 */
export function lmsrLadder(p: number, b: number, market: TradedMarket): readonly LadderLevel[] {
  return [...oneSide(p, b, market, 'ask'), ...oneSide(p, b, market, 'bid')];
}

function oneSide(p: number, b: number, { tickUnits }: TradedMarket, side: Side): readonly LadderLevel[] {
  const levels: LadderLevel[] = [];
  const step = side === 'ask' ? tickUnits : -tickUnits;
  let price = firstTickBeyond(p * PRICE_ONE, tickUnits, side);
  let from = p;
  for (let level = 0; level < LMSR_LEVELS; level++, price += step) {
    if (price < tickUnits || price > PRICE_ONE - tickUnits) break;
    const to = price / PRICE_ONE;
    const shares = Math.floor(Math.abs(logit(to) - logit(from)) * b * SHARE_ONE) as Shares;
    if (shares > 0) levels.push({ side, price: price as PriceUnits, shares });
    from = to;
  }
  return levels;
}

/** The nearest tick strictly on the far side of the price. */
function firstTickBeyond(price: number, tickUnits: number, side: Side): number {
  const count = price / tickUnits;
  const tick = side === 'ask' ? Math.floor(count + FLOAT_NOISE) + 1 : Math.ceil(count - FLOAT_NOISE) - 1;
  return tick * tickUnits;
}
