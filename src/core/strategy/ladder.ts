/** The way back from a strategy's floats to ticks. */
import type { MarketId } from '../../domain/ids.js';
import { levelOf, type QuoteIntent, type QuoteLevel, type Step } from '../../domain/intent.js';
import { PRICE_ONE, SHARE_ONE, type Shares, type Ticks } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { Ladder, Quote } from './contract.js';
import { type Faulty, faulty } from './fault.js';
import type { SaidLadder } from './said-ladder.js';

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
 * @param said      remembers the ladder; nothing when it cannot be used
 * @returns levels best first, or why the ladder cannot be used
 */
export function toIntent(
  ladder: Ladder,
  marketId: MarketId,
  tickUnits: number,
  said: SaidLadder,
): IntentOrFault {
  said.begin();
  const bids = readSide(ladder.bids, 'bid', tickUnits, said);
  if (!bids.ok) return bids;
  const asks = readSide(ladder.asks, 'ask', tickUnits, said);
  if (!asks.ok) return asks;
  if (bids.best >= asks.best) return crossed(bids, asks);
  const bid = bids.levels[0];
  const ask = asks.levels[0];
  if (bid !== undefined && ask !== undefined && bid.price >= ask.price) return onOneTick(bids, asks);
  const intent = { marketId, bids: bids.levels, asks: asks.levels };
  said.keep(intent, bids.quoted, asks.quoted);
  return { ok: true, intent };
}

// Faults are put into words by functions of their own: V8 writes out a number of a text that stands in a branch before
// the branch is taken.

const crossed = (bids: SideRead, asks: SideRead): Faulty =>
  faulty('crossed', `bid ${bids.best} is not below ask ${asks.best}`);

const onOneTick = (bids: SideRead, asks: SideRead): Faulty =>
  faulty('crossed', `bid ${bids.best} and ask ${asks.best} are on one tick`);

/** The price on the grid that is not more aggressive: bids down, asks up. @param price inside (0, 1) */
export function roundPassive(price: number, side: Side, tickUnits: number): Ticks {
  const count = (price * PRICE_ONE) / tickUnits;
  return (side === 'bid' ? Math.floor(count + FLOAT_NOISE) : Math.ceil(count - FLOAT_NOISE)) as Ticks;
}

const sharesOf = (shares: number): Shares => Math.floor(shares * SHARE_ONE + FLOAT_NOISE) as Shares;

interface SideRead {
  readonly ok: true;
  /** Every quote on the grid, in the order in which they were said. */
  readonly quoted: readonly QuoteLevel[];
  /** What is left of them, best first: the same list mostly. */
  readonly levels: readonly QuoteLevel[];
  /** Best price as stated; 0 or 1 on an empty side. */
  readonly best: number;
}

/** Reads each property once: what was checked is what is used and remembered, even of an object with getters. */
function readSide(quotes: unknown, side: Side, tickUnits: number, said: SaidLadder): SideRead | Faulty {
  if (!Array.isArray(quotes)) return faulty('malformed', `the ladder has no array of ${side}s`);
  const count = quotes.length;
  if (count > MOST_LEVELS) return tooManyLevels(count, side);
  const quoted: QuoteLevel[] = [];
  const lastTick = PRICE_ONE / tickUnits - 1;
  // Beyond which the next level would be no worse.
  let limit = side === 'bid' ? lastTick + 1 : 0;
  let isOrderly = true;
  let best = side === 'bid' ? 0 : 1;
  let total = 0;
  said.writeSide(count);
  for (let index = 0; index < count; index++) {
    const { price, shares, reason } = (quotes[index] ?? NOTHING) as Quote;
    const fault = faultOf(price, shares, side) ?? faultOfReason(reason, side);
    if (fault !== null) return fault;
    said.writeQuote(price, shares);
    total += shares;
    best = side === 'bid' ? Math.max(best, price) : Math.min(best, price);
    const tick = roundPassive(price, side, tickUnits);
    const size = sharesOf(shares);
    if (!isBetter(limit, tick, side) || tick < 1 || tick > lastTick || size === 0) isOrderly = false;
    limit = tick;
    quoted.push(levelOf(reason, tick, size));
  }
  if (total > MOST_SHARES) return tooMany(total, side);
  return { ok: true, quoted, levels: isOrderly ? quoted : ordered(quoted, side, lastTick), best };
}

const NOTHING = {};

function faultOf(price: number, shares: number, side: Side): Faulty | null {
  const areNumbers = typeof price === 'number' && typeof shares === 'number';
  if (areNumbers && price > 0 && price < 1 && shares >= 0 && shares <= MOST_SHARES) return null;
  return areNumbers
    ? faultOfNumbers(price, shares, side)
    : faulty('malformed', `a ${side} needs a price and shares as numbers`);
}

function faultOfNumbers(price: number, shares: number, side: Side): Faulty {
  if (Number.isNaN(price) || Number.isNaN(shares)) return notNumbers(price, shares, side);
  return price > 0 && price < 1 ? tooMany(shares, side) : outOfRange(price, side);
}

const tooManyLevels = (count: number, side: Side): Faulty =>
  faulty('malformed', `${count} ${side}s; at most ${MOST_LEVELS}`);

const notNumbers = (price: number, shares: number, side: Side): Faulty =>
  faulty('not-a-number', `${side} ${price} x ${shares}`);

const outOfRange = (price: number, side: Side): Faulty =>
  faulty('price-out-of-range', `${side} at ${price}; prices are inside (0, 1)`);

const tooMany = (shares: number, side: Side): Faulty =>
  faulty('shares-out-of-range', `${side} of ${shares} shares; 0 to ${MOST_SHARES} on one side`);

function faultOfReason(reason: readonly Step[], side: Side): Faulty | null {
  if (!Array.isArray(reason)) return faulty('malformed', `a ${side} needs its reason as an array of steps`);
  for (let step = 0; step < reason.length; step++) {
    const { label, value } = (reason[step] ?? NOTHING) as Step;
    if (typeof label !== 'string' || !Number.isFinite(value)) return faultOfStep({ label, value }, side);
  }
  return null;
}

const faultOfStep = ({ label, value }: Step, side: Side): Faulty =>
  typeof label === 'string' && typeof value === 'number'
    ? stepNoNumber(label, value, side)
    : faulty('malformed', `a step of a ${side} needs a label and a value`);

const stepNoNumber = (label: string, value: number, side: Side): Faulty =>
  faulty('not-a-number', `step ${label} of a ${side} is ${value}`);

/** Leaves out what has rounded away, sorts the rest, best first, and joins what is on one tick. */
function ordered(quoted: readonly QuoteLevel[], side: Side, lastTick: number): readonly QuoteLevel[] {
  const levels: QuoteLevel[] = [];
  for (const level of quoted)
    if (level.price >= 1 && level.price <= lastTick && level.shares > 0) insert(levels, side, level);
  return levels;
}

function insert(levels: QuoteLevel[], side: Side, level: QuoteLevel): void {
  let at = levels.length;
  while (at > 0 && isBetter(level.price, levels[at - 1]!.price, side)) at -= 1;
  const same = at > 0 ? levels[at - 1]! : undefined;
  if (same?.price === level.price)
    levels[at - 1] = levelOf(same.reason, same.price, (same.shares + level.shares) as Shares);
  else levels.splice(at, 0, level);
}

const isBetter = (tick: number, other: number, side: Side): boolean =>
  side === 'bid' ? tick > other : tick < other;
