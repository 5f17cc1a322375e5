import type { MarketId } from '../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits, SHARE_ONE, type Shares } from '../domain/units.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../exchange/contract.js';
import { after, logit } from './draws.js';
import { bringTo, type LadderLevel } from './ladder.js';
import { Holdings } from './orders.js';
import type { Participant, TradedMarket, Trader } from './participant.js';

/** How often it looks whether something was taken. */
const LOOKS_EVERY_MICROS = 500_000;
const LEVELS = 5;

/**
 * Hanson's logarithmic market scoring rule as resting orders: C = b ln sum e^(q_i / b), price = softmax(q / b), where
 * q_i is what others hold long of outcome i against it. One market is a yes-no pair, several are exclusive outcomes.
 * The level at tick t offers exactly the shares that move the price to it, b (L(t) - L(previous)), L = logit, so no
 * share is ever sold below its cost and the loss stays below b ln(1 / smallest initial price).
 */
export class LmsrMaker implements Participant {
  private readonly holdings: Holdings;
  private due: Micros;

  /** @param b liquidity in currency units */
  constructor(
    private readonly trader: Trader,
    private readonly b: number,
    start: Micros,
  ) {
    this.holdings = new Holdings(trader);
    this.due = start;
  }

  nextDue(): Micros {
    return this.due;
  }

  act(now: Micros, venue: ExchangeCore): readonly Command[] {
    this.due = after(now, LOOKS_EVERY_MICROS);
    return this.trader.markets.flatMap((market) =>
      bringTo(lmsrLadder(this.price(market.id), this.b, market), market, this.trader, venue),
    );
  }

  observe(event: ExchangeEvent): void {
    this.holdings.observe(event);
  }

  /** Its own net position is the negative of q. */
  private price(market: MarketId): number {
    const weight = (one: MarketId): number => Math.exp(-this.holdings.net(one) / SHARE_ONE / this.b);
    const { markets } = this.trader;
    const rest =
      markets.length === 1
        ? 1
        : markets.reduce((sum, one) => (one.id === market ? sum : sum + weight(one.id)), 0);
    return weight(market) / (weight(market) + rest);
  }
}

/** Five levels a side around a price; shares rounded down, so that rounding never costs the maker. */
export function lmsrLadder(p: number, b: number, market: TradedMarket): readonly LadderLevel[] {
  return [...oneSide(p, b, market, 'ask'), ...oneSide(p, b, market, 'bid')];
}

function oneSide(
  p: number,
  b: number,
  { tickUnits }: TradedMarket,
  side: 'bid' | 'ask',
): readonly LadderLevel[] {
  const levels: LadderLevel[] = [];
  const step = side === 'ask' ? tickUnits : -tickUnits;
  let price = firstTickBeyond(p * PRICE_ONE, tickUnits, side);
  let from = p;
  for (let level = 0; level < LEVELS; level++, price += step) {
    if (price < tickUnits || price > PRICE_ONE - tickUnits) break;
    const to = price / PRICE_ONE;
    const amount = Math.floor(Math.abs(logit(to) - logit(from)) * b * SHARE_ONE);
    if (amount > 0) levels.push({ side, price: price as PriceUnits, shares: amount as Shares });
    from = to;
  }
  return levels;
}

/** The nearest tick strictly on the far side of the price. */
function firstTickBeyond(price: number, tickUnits: number, side: 'bid' | 'ask'): number {
  const count = price / tickUnits;
  const tick = side === 'ask' ? Math.floor(count + 1e-9) + 1 : Math.ceil(count - 1e-9) - 1;
  return tick * tickUnits;
}
