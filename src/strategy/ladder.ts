/** The way back from a strategy's floats to ticks. */
import type { MarketId } from '../domain/ids.js';
import type { QuoteIntent, QuoteLevel } from '../domain/intent.js';
import { PRICE_ONE, SHARE_ONE, type Shares, type Ticks } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { Ladder, Quote } from './contract.js';

/** Why a strategy's answer cannot be used; its instance is stopped. */
export interface StrategyFault {
  readonly code:
    'threw' | 'not-a-number' | 'price-out-of-range' | 'shares-out-of-range' | 'crossed' | 'malformed';
  readonly text: string;
}

export type IntentOrFault =
  { readonly ok: true; readonly intent: QuoteIntent } | { readonly ok: false; readonly fault: StrategyFault };

/** A price this close to a tick is that tick: floats such as 0.1 + 0.2 are not a tick further. */
const FLOAT_NOISE_TICKS = 1e-6;
/** Above this a share count no longer fits exact money. */
const MOST_SHARES = 1e9;

/**
 * Rounds a ladder to the market's grid: bids down, asks up, shares down to 0.01. Levels that round away (to price
 * zero or one, or to no shares) are left out; levels on one tick are joined.
 * @param tickUnits price units per tick
 */
export function toIntent(ladder: Ladder, marketId: MarketId, tickUnits: number): IntentOrFault {
  const fault = findFault(ladder);
  if (fault !== null) return { ok: false, fault };
  const bids = toLevels(ladder.bids, 'bid', tickUnits);
  const asks = toLevels(ladder.asks, 'ask', tickUnits);
  return { ok: true, intent: { marketId, bids, asks } };
}

function findFault(ladder: Ladder): StrategyFault | null {
  if (!Array.isArray(ladder?.bids) || !Array.isArray(ladder.asks))
    return { code: 'malformed', text: 'a ladder has an array of bids and an array of asks' };
  let bestBid = 0;
  let bestAsk = 1;
  for (const quote of ladder.bids) {
    const fault = quoteFault(quote, 'bid');
    if (fault !== null) return fault;
    if (quote.price > bestBid) bestBid = quote.price;
  }
  for (const quote of ladder.asks) {
    const fault = quoteFault(quote, 'ask');
    if (fault !== null) return fault;
    if (quote.price < bestAsk) bestAsk = quote.price;
  }
  if (bestBid < bestAsk) return null;
  return { code: 'crossed', text: `bid ${bestBid} is not below ask ${bestAsk}` };
}

function quoteFault(quote: Quote, side: Side): StrategyFault | null {
  if (typeof quote?.price !== 'number' || typeof quote.shares !== 'number')
    return { code: 'malformed', text: `a ${side} needs a price and shares as numbers` };
  if (Number.isNaN(quote.price) || Number.isNaN(quote.shares))
    return { code: 'not-a-number', text: `${side} ${quote.price} x ${quote.shares}` };
  if (!(quote.price > 0 && quote.price < 1))
    return { code: 'price-out-of-range', text: `${side} at ${quote.price}; prices are inside (0, 1)` };
  if (!(quote.shares >= 0 && quote.shares <= MOST_SHARES))
    return { code: 'shares-out-of-range', text: `${side} of ${quote.shares} shares; 0 to ${MOST_SHARES}` };
  return null;
}

function toLevels(quotes: readonly Quote[], side: Side, tickUnits: number): QuoteLevel[] {
  const levels: QuoteLevel[] = [];
  const lastTick = PRICE_ONE / tickUnits - 1;
  for (const quote of quotes) {
    const price = roundPassive(quote.price, side, tickUnits);
    const amount = Math.floor(quote.shares * SHARE_ONE + FLOAT_NOISE_TICKS) as Shares;
    if (price < 1 || price > lastTick || amount === 0) continue;
    insertLevel(levels, side, { price, shares: amount, reason: quote.reason });
  }
  return levels;
}

/** Bids down, asks up. */
export function roundPassive(price: number, side: Side, tickUnits: number): Ticks {
  const count = (price * PRICE_ONE) / tickUnits;
  return (
    side === 'bid' ? Math.floor(count + FLOAT_NOISE_TICKS) : Math.ceil(count - FLOAT_NOISE_TICKS)
  ) as Ticks;
}

/** Keeps the levels best first; strategies mostly give them in order, so the search from the end is short. */
function insertLevel(levels: QuoteLevel[], side: Side, level: QuoteLevel): void {
  let at = levels.length;
  while (at > 0 && isBetter(level.price, levels[at - 1]!.price, side)) at -= 1;
  const same = at > 0 ? levels[at - 1]! : undefined;
  if (same?.price === level.price)
    levels[at - 1] = { ...same, shares: (same.shares + level.shares) as Shares };
  else levels.splice(at, 0, level);
}

const isBetter = (price: Ticks, other: Ticks, side: Side): boolean =>
  side === 'bid' ? price > other : price < other;
