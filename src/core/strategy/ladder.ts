/** The way back from a strategy's floats to ticks. */
import type { MarketId } from '../../domain/ids.js';
import { levelOf, type QuoteIntent, type QuoteLevel, type Step } from '../../domain/intent.js';
import { PRICE_ONE, SHARE_ONE, type Shares, type Ticks } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { Ladder, Quote } from './contract.js';
import { type Faulty, faulty } from './fault.js';

export type IntentOrFault = { readonly ok: true; readonly intent: QuoteIntent } | Faulty;

/**
 * A price or share count this close to the grid, in steps of the grid, is on it: the error of a few hundred float
 * operations, so that 0.1 + 0.2 is not a tick further than 0.3.
 */
const FLOAT_NOISE = 1e-9;
/** Of one side together; above this money is no longer exact. */
const MOST_SHARES = 1e9;
/** Of one side: a whole grid of 0.001. */
const MOST_LEVELS = 1_000;

/**
 * Rounds a ladder to the market's grid: bids down, asks up, shares down to 0.01. Levels that round away (to price
 * zero or one, or to no shares) are left out; levels on one tick are joined and keep the reason of the first.
 * @param tickUnits price units per tick
 * @returns levels best first, or why the ladder cannot be used
 */
export function toIntent(ladder: Ladder, marketId: MarketId, tickUnits: number): IntentOrFault {
  const bids = readSide(ladder.bids, 'bid', tickUnits);
  if (!bids.ok) return bids;
  const asks = readSide(ladder.asks, 'ask', tickUnits);
  if (!asks.ok) return asks;
  const [bid, ask] = [bids.levels[0], asks.levels[0]];
  const areOnOneTick = bid !== undefined && ask !== undefined && bid.price >= ask.price;
  if (areOnOneTick || bids.best >= asks.best)
    return faulty('crossed', `bid ${bids.best} is not below ask ${asks.best} on the grid`);
  return { ok: true, intent: { marketId, bids: bids.levels, asks: asks.levels } };
}

/** The price on the grid that is not more aggressive: bids down, asks up. @param price inside (0, 1) */
export function roundPassive(price: number, side: Side, tickUnits: number): Ticks {
  const count = (price * PRICE_ONE) / tickUnits;
  return (side === 'bid' ? Math.floor(count + FLOAT_NOISE) : Math.ceil(count - FLOAT_NOISE)) as Ticks;
}

const sharesOf = (shares: number): Shares => Math.floor(shares * SHARE_ONE + FLOAT_NOISE) as Shares;

interface SideRead {
  readonly ok: true;
  /** Best first. */
  readonly levels: readonly QuoteLevel[];
  /** Best price as stated; 0 or 1 on an empty side. */
  readonly best: number;
}

/** Reads each property once: what was checked is what is used, even of an object with getters. */
function readSide(quotes: unknown, side: Side, tickUnits: number): SideRead | Faulty {
  if (!Array.isArray(quotes)) return faulty('malformed', `the ladder has no array of ${side}s`);
  if (quotes.length > MOST_LEVELS)
    return faulty('malformed', `${quotes.length} ${side}s; at most ${MOST_LEVELS}`);
  const lastTick = PRICE_ONE / tickUnits - 1;
  const levels: QuoteLevel[] = [];
  let best = side === 'bid' ? 0 : 1;
  let total = 0;
  for (const quote of quotes) {
    const { price, shares, reason } = (quote ?? NOTHING) as Quote;
    const fault = faultOf(price, shares, side) ?? faultOfReason(reason, side);
    if (fault !== null) return fault;
    total += shares;
    best = side === 'bid' ? Math.max(best, price) : Math.min(best, price);
    const tick = roundPassive(price, side, tickUnits);
    const size = sharesOf(shares);
    if (tick >= 1 && tick <= lastTick && size > 0) insert(levels, side, levelOf(reason, tick, size));
  }
  if (total > MOST_SHARES) return tooMany(total, side);
  return { ok: true, levels, best };
}

const NOTHING = {};

function faultOf(price: number, shares: number, side: Side): Faulty | null {
  if (typeof price !== 'number' || typeof shares !== 'number')
    return faulty('malformed', `a ${side} needs a price and shares as numbers`);
  if (Number.isNaN(price) || Number.isNaN(shares))
    return faulty('not-a-number', `${side} ${price} x ${shares}`);
  if (price <= 0 || price >= 1)
    return faulty('price-out-of-range', `${side} at ${price}; prices are inside (0, 1)`);
  return shares >= 0 && shares <= MOST_SHARES ? null : tooMany(shares, side);
}

const tooMany = (shares: number, side: Side): Faulty =>
  faulty('shares-out-of-range', `${side} of ${shares} shares; 0 to ${MOST_SHARES} on one side`);

function faultOfReason(reason: readonly Step[], side: Side): Faulty | null {
  if (!Array.isArray(reason)) return faulty('malformed', `a ${side} needs its reason as an array of steps`);
  for (const step of reason) {
    const { label, value } = (step ?? NOTHING) as Step;
    if (typeof label !== 'string' || typeof value !== 'number')
      return faulty('malformed', `a step of a ${side} needs a label and a value`);
    if (!Number.isFinite(value)) return faulty('not-a-number', `step ${label} of a ${side} is ${value}`);
  }
  return null;
}

/** Keeps the levels sorted, best first, and joins what is on one tick. */
function insert(levels: QuoteLevel[], side: Side, level: QuoteLevel): void {
  let at = levels.length;
  while (at > 0 && isBetter(level.price, levels[at - 1]!.price, side)) at -= 1;
  const same = at > 0 ? levels[at - 1]! : undefined;
  if (at === levels.length && same?.price !== level.price) levels.push(level);
  else if (same?.price === level.price)
    levels[at - 1] = levelOf(same.reason, same.price, (same.shares + level.shares) as Shares);
  else levels.splice(at, 0, level);
}

const isBetter = (tick: number, other: number, side: Side): boolean =>
  side === 'bid' ? tick > other : tick < other;
