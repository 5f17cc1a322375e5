/** What one market earned and holds in one currency, by average cost, and the five things that can happen to it. */
import type { Fill } from '../../domain/fill.js';
import { type Money, PRICE_ONE, type Shares } from '../../domain/units.js';
import { type Position, bookSide } from '../../domain/vocabulary.js';

/** Shares of one position and what the open ones cost, by average cost. */
export interface Holding {
  /** Below zero only while a sale is known and an earlier purchase is not yet. */
  readonly shares: Shares;
  /** Same sign as the shares. */
  readonly cost: Money;
}

const NOTHING_HELD: Holding = { shares: 0 as Shares, cost: 0 as Money };

/**
 * Books a trade by average cost. To the unit, the trade has realised the change of cost less what was paid.
 * @param bought shares bought, negative when sold
 * @param paid money paid for them, negative when received
 */
function trade(held: Holding, bought: Shares, paid: Money): Holding {
  const opens = held.shares === 0 || held.shares > 0 === bought > 0;
  if (opens) return plus(held, bought, paid);
  const closed = Math.min(Math.abs(bought), Math.abs(held.shares));
  const costOfClosed = share(held.cost, closed, Math.abs(held.shares));
  const paidForClosed = share(paid, closed, Math.abs(bought));
  return plus(held, bought, (paid - paidForClosed - costOfClosed) as Money);
}

/** Average cost per share in price units; null when nothing is held. */
export const averageCost = (held: Holding): number | null =>
  held.shares === 0 ? null : held.cost / held.shares;

/** Amounts in money units (0.000001) of one currency; marks in long-side price units. */
export interface Ledger {
  long: Holding;
  short: Holding;
  /** Received less paid, fees included. */
  cash: number;
  /** Value of shares that left without a trade less that of shares that came so; not profit. */
  transferred: number;
  /** Null before anything gave one. */
  mark: number | null;
  /** Net long shares that came while the mark was assumed; null while it is not, as mostly. */
  assumed: number | null;
  /** What those had gained by the first price that is known, before it and not by us; not profit. */
  carried: number;
  spread: number;
  inventory: number;
  resolution: number;
  fees: number;
  rebates: number;
}

export const emptyLedger = (): Ledger => ({
  long: NOTHING_HELD,
  short: NOTHING_HELD,
  cash: 0,
  transferred: 0,
  mark: null,
  assumed: null,
  carried: 0,
  spread: 0,
  inventory: 0,
  resolution: 0,
  fees: 0,
  rebates: 0,
});

/** Long less short shares. */
export const netShares = ({ long, short }: Ledger): Shares => (long.shares - short.shares) as Shares;

/** What is held is worth at the mark; nothing held is worth nothing, mark or not. */
export const valueAtMark = ({ long, short, mark }: Ledger): number =>
  mark === null ? 0 : long.shares * mark + short.shares * (PRICE_ONE - mark);

/** Of what is held no more, fees included: what came back beyond what it cost. To the unit, for trades book all they pay. */
export const realisedOf = ({ long, short, cash, transferred }: Ledger): number =>
  long.cost + short.cost + cash + transferred;

/** A trade. The first price there ever was is the mark until a better one is known. */
export function bookFill(ledger: Ledger, fill: Fill): void {
  const buys = fill.side === 'bid' ? 1 : -1;
  const towardsLong = bookSide(fill.side, fill.position) === 'bid' ? 1 : -1;
  const longAmount = fill.position === 'long' ? fill.amount : PRICE_ONE * fill.shares - fill.amount;
  const { mark, assumed } = ledger;
  if (mark === null || assumed !== null) moveMark(ledger, longAmount / fill.shares);
  else ledger.spread += towardsLong * (mark * fill.shares - longAmount);
  bookTrade(ledger, fill.position, (buys * fill.shares) as Shares, (buys * fill.amount) as Money);
  ledger.cash -= buys * fill.amount + fill.fee;
  ledger.fees += Math.max(0, fill.fee);
  ledger.rebates += Math.max(0, -fill.fee);
}

/** The mark moves. From an assumed one it moves for shares alone that were traded since: others come at the new one. */
export function moveMark(ledger: Ledger, mark: number): void {
  const { assumed } = ledger;
  if (ledger.mark !== null) {
    const moved = mark - ledger.mark;
    ledger.inventory += (netShares(ledger) - (assumed ?? 0)) * moved;
    ledger.carried += (assumed ?? 0) * moved;
  }
  ledger.mark = mark;
  ledger.assumed = null;
}

/**
 * Shares come, or go (negative), without a trade: at the mark, so that it is no profit.
 * @param price long-side price units, assumed while there is no mark
 */
export function bookTransfer(ledger: Ledger, position: Position, came: Shares, price: number): void {
  if (ledger.mark === null) {
    ledger.mark = price;
    ledger.assumed = 0;
  }
  if (ledger.assumed !== null) ledger.assumed += position === 'long' ? came : 0 - came;
  const atMark = came * (position === 'long' ? ledger.mark : PRICE_ONE - ledger.mark);
  const value = Math.round(atMark) as Money;
  bookTrade(ledger, position, came, value);
  ledger.transferred -= value;
  // Cost counts whole money units; the rest of a unit is as if the mark had moved.
  ledger.inventory += atMark - value;
}

/**
 * Leaves shares of one position at most, as an account does that nets: a pair of long and short is paid out at once, and
 * shares that were sold without being held become shares of the other position.
 */
export function netOut(ledger: Ledger): void {
  const pairs = Math.min(ledger.long.shares, ledger.short.shares);
  if (pairs === 0) return;
  const less: Position = ledger.long.shares < ledger.short.shares ? 'long' : 'short';
  const more: Position = less === 'long' ? 'short' : 'long';
  // All of the lesser holding goes at its cost, so that the other one gets or gives the rest of what the pairs pay.
  const paid = (PRICE_ONE * pairs - ledger[less].cost) as Money;
  bookTrade(ledger, less, (0 - pairs) as Shares, (0 - ledger[less].cost) as Money);
  bookTrade(ledger, more, (0 - pairs) as Shares, (0 - paid) as Money);
  ledger.cash += PRICE_ONE * pairs;
}

/**
 * Pays one unit for a long and a short share together (facts, "Trading rules").
 * @param mark what a long share pays, in price units
 */
export function payOut(ledger: Ledger, mark: number): void {
  const received = ledger.long.shares * mark + ledger.short.shares * (PRICE_ONE - mark);
  if (ledger.mark !== null) ledger.resolution += netShares(ledger) * (mark - ledger.mark);
  ledger.cash += received;
  dropHoldings(ledger, mark);
}

/** Every cash flow is taken back, fees included, so that nothing was earned (facts, "Trading rules"). */
export function takeBackFlows(ledger: Ledger): void {
  ledger.resolution = ledger.fees - ledger.rebates - ledger.spread - ledger.inventory - ledger.carried;
  ledger.cash = 0 - ledger.transferred;
  dropHoldings(ledger, ledger.mark);
}

function dropHoldings(ledger: Ledger, mark: number | null): void {
  ledger.long = NOTHING_HELD;
  ledger.short = NOTHING_HELD;
  ledger.mark = mark;
}

function bookTrade(ledger: Ledger, position: Position, bought: Shares, paid: Money): void {
  ledger[position] = trade(ledger[position], bought, paid);
}

const plus = (held: Holding, shares: Shares, cost: Money): Holding => ({
  shares: (held.shares + shares) as Shares,
  cost: (held.cost + cost) as Money,
});

/** The part of an amount, to the nearest unit; all of it for the whole. */
const share = (amount: Money, part: number, whole: number): Money =>
  (part === whole ? amount : Math.round((amount * part) / whole)) as Money;
