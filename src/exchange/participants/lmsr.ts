import type { MarketId } from '../../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../contract.js';
import { logit } from './draws.js';
import { TraderHoldings } from './trader-holdings.js';
import { bringTo, type LadderLevel } from './ladder.js';
import { isOpen } from './orders.js';
import type { Participant, TradedMarket, Trader } from './participant.js';

/** How often it looks whether its ladder still stands; a fill makes it look at once. */
const LOOKS_EVERY_MICROS = 500_000;
const LEVELS = 5;
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
  private readonly holdings: TraderHoldings;
  private actedAt: Micros;
  private due: Micros;

  /** @param b liquidity in currency units */
  constructor(
    private readonly trader: Trader,
    private readonly b: number,
    start: Micros,
  ) {
    this.holdings = new TraderHoldings(trader);
    this.actedAt = start;
    this.due = start;
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.holdings.open(venue);
    this.actedAt = now;
    this.due = (now + LOOKS_EVERY_MICROS) as Micros;
    return this.trader.markets
      .filter((market) => isOpen(market, venue))
      .flatMap((market) => bringTo(this.ladder(market), market, this.trader, venue));
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
    if (event.kind === 'position-update' && event.account === this.trader.account) this.due = this.actedAt;
  }

  private ladder(market: TradedMarket): readonly LadderLevel[] {
    return lmsrLadder(this.price(market.id), this.b, market);
  }

  /** 1 / sum e^((q_j - q_i) / b); its own net position is the negative of q, the other side of a pair has none. */
  private price(market: MarketId): number {
    const { markets } = this.trader;
    const q = (one: MarketId): number => -this.holdings.net(one) / SHARE_ONE;
    const others =
      markets.length === 1 ? [0] : markets.filter(({ id }) => id !== market).map(({ id }) => q(id));
    return 1 / others.reduce((sum, other) => sum + Math.exp((other - q(market)) / this.b), 1);
  }
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
  for (let level = 0; level < LEVELS; level++, price += step) {
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
