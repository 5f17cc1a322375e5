import type { QuoteLevel } from '../../../domain/intent.js';
import { lockAt } from '../../../domain/locks.js';
import { complement, type Money, type PriceUnits, type Shares } from '../../../domain/units.js';
import type { Currency, Side } from '../../../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';
import type { OwnOrder } from '../orders/own-order.js';
import { type Touch, restingPrice } from './touch.js';

/** Which shares a quote uses first: those held (frees their value when it trades) or freshly minted ones. */
export type RouteOrder = 'held-first' | 'collateral-first';

/** A part of the intent that no order expresses. It is tried again when intent or funds change. */
export interface Unrouted {
  readonly side: Side;
  /** Long-side price. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /**
   * `dust`: below the minimum amount; `cash`: neither cash nor shares for it; `over-maximum`: above the maximum amount;
   * `no-room`: no price is left at which it would rest.
   */
  readonly reason: 'dust' | 'cash' | 'over-maximum' | 'no-room';
}

/** What is wanted at one price: what stands already, what is sold from holdings, and what is bought. */
export interface Leg {
  readonly side: Side;
  readonly longPrice: PriceUnits;
  /** Price of the position that is sold, and of the other position that is bought instead. */
  readonly sellPrice: PriceUnits;
  readonly buyPrice: PriceUnits;
  wanted: Shares;
  /** The largest level at this price: no order is larger. */
  largest: Shares;
  /** Levels that were moved to this price. */
  levels: number;
  /** Working orders that stay. */
  kept: readonly OwnOrder[];
  sell: Shares;
  buy: Shares;
}

/** Working orders that may stay, so that their place in the queue is not given up. */
export interface Standing {
  readonly orders: readonly OwnOrder[];
  /** A level that is short of at most so many shares is not topped up. */
  readonly missingShares: number;
  /** What was filled of a level is put back once it is this share of the level. */
  readonly refillShare: number;
}

export const NOTHING_STANDS: Standing = Object.freeze({ orders: [], missingShares: 0, refillShare: 0 });

/** Most orders of one level: the rest of an older one and what was put back, or a sale and a purchase. */
export const ORDERS_PER_LEVEL = 2;

/** One side of an intent and what may be used for it. */
export interface LegSource {
  readonly levels: readonly QuoteLevel[];
  readonly side: Side;
  /** Shares that may be sold on this side of the book, including those of standing orders. */
  readonly held: Shares;
  /** Whether to sell what is held before buying. */
  readonly sellFirst: boolean;
  readonly standing: Standing;
  /** Best foreign prices; levels that would take are moved just behind them. */
  readonly touch: Touch | null;
}

const NONE: readonly OwnOrder[] = [];

/**
 * Splits levels into sales and purchases, nearest first. Levels moved to one price become one leg.
 * @param unrouted takes what is too large for one order
 */
export function legsOf(source: LegSource, terms: MarketTerms, unrouted: Unrouted[]): Leg[] {
  let held: number = source.held;
  const legs: Leg[] = [];
  let last: Leg | null = null;
  for (const level of source.levels) {
    const longPrice = priceOf(level, source, terms, unrouted);
    if (longPrice === null) continue;
    const wanted = withinMaximum(level, source.side, longPrice, terms, unrouted);
    if (last !== null && last.longPrice === longPrice) {
      held += sharesOf(last.kept, 'sales');
      widen(last, wanted);
    } else legs.push((last = legOf(source.side, longPrice, wanted)));
    keep(last, held, source, terms);
    held -= sharesOf(last.kept, 'sales');
  }
  if (source.sellFirst) for (const leg of legs) held -= sellFirst(leg, held, terms);
  return legs;
}

/** Where the level can rest; null: nowhere. */
function priceOf(
  level: QuoteLevel,
  { side, touch }: LegSource,
  { tickUnits }: MarketTerms,
  unrouted: Unrouted[],
): PriceUnits | null {
  const wish = (level.price * tickUnits) as PriceUnits;
  const longPrice = touch === null ? wish : restingPrice(side, wish, touch, tickUnits);
  if (longPrice === null) unrouted.push({ side, price: wish, shares: level.shares, reason: 'no-room' });
  return longPrice;
}

function legOf(side: Side, longPrice: PriceUnits, wanted: Shares): Leg {
  const shortPrice = complement(longPrice);
  return {
    side,
    longPrice,
    sellPrice: side === 'ask' ? longPrice : shortPrice,
    buyPrice: side === 'ask' ? shortPrice : longPrice,
    wanted,
    largest: wanted,
    levels: 1,
    kept: NONE,
    sell: 0 as Shares,
    buy: wanted,
  };
}

function widen(leg: Leg, wanted: Shares): void {
  leg.wanted = (leg.wanted + wanted) as Shares;
  leg.levels += 1;
  leg.largest = Math.max(leg.largest, wanted) as Shares;
}

/**
 * Keeps the orders that fit; the rest of the level is to be bought. Many small fills do not pile up orders: what was
 * filled is put back when it is worth it, and a level that would take more than {@link ORDERS_PER_LEVEL} is laid anew.
 * @param held shares that may be sold
 */
function keep(leg: Leg, held: number, { standing, sellFirst }: LegSource, { currency }: MarketTerms): void {
  const { wanted } = leg;
  leg.kept = keptAt(leg, held, standing.orders, currency);
  const missing = wanted - sharesOf(leg.kept, 'all');
  if (isNearEnough(leg, missing, standing)) return void (leg.buy = 0 as Shares);
  leg.buy = missing as Shares;
  if (leg.kept.length === 0) return;
  const room = ORDERS_PER_LEVEL * leg.levels - leg.kept.length;
  const spare = sellFirst ? held - sharesOf(leg.kept, 'sales') : 0;
  const isMixed = spare > 0 && spare < missing;
  if (isMixed && room === 1 && 2 * spare >= missing) leg.buy = spare as Shares;
  else if (room < (isMixed ? 2 : 1)) [leg.kept, leg.buy] = [NONE, wanted];
}

function isNearEnough({ wanted, kept }: Leg, missing: number, standing: Standing): boolean {
  if (missing <= Math.min(standing.missingShares, wanted - 1)) return true;
  const filled = kept.reduce((sum, order) => sum + order.filled, 0);
  return missing <= filled && missing < standing.refillShare * wanted;
}

/**
 * Working orders at the level's price that fit into it whole, oldest first. A purchase stays even where the router
 * would sell by now: a quote changes its way only when it moves.
 * @param held shares that may still be sold on this side
 */
function keptAt(
  { side, longPrice, wanted }: Leg,
  held: number,
  orders: readonly OwnOrder[],
  currency: Currency,
): readonly OwnOrder[] {
  const kept: OwnOrder[] = [];
  let [sold, bought] = [0, 0];
  for (const order of orders) {
    if (order.bookSide !== side || order.longPrice !== longPrice) continue;
    if (order.currency !== currency || !mayStand(order)) continue;
    const { remaining } = order;
    if (remaining > wanted - sold - bought) continue;
    if (order.side === 'ask' && remaining > held - sold) continue;
    kept.push(order);
    if (order.side === 'ask') sold += remaining;
    else bought += remaining;
  }
  return kept;
}

const mayStand = ({ ownership, state, remaining }: OwnOrder): boolean =>
  ownership === 'ours' && remaining > 0 && (state === 'live' || state === 'creating' || state === 'unknown');

/** Shares of these orders, or of those among them that sell. */
export const sharesOf = (orders: readonly OwnOrder[], which: 'all' | 'sales'): number =>
  orders.reduce((sum, { side, remaining }) => sum + (which === 'all' || side === 'ask' ? remaining : 0), 0);

/** @returns shares it will sell */
function sellFirst(leg: Leg, held: number, terms: MarketTerms): Shares {
  move(leg, Math.min(held, leg.buy));
  evenOut(leg, held, terms);
  return leg.sell;
}

function withinMaximum(
  level: QuoteLevel,
  side: Side,
  price: PriceUnits,
  terms: MarketTerms,
  unrouted: Unrouted[],
): Shares {
  const dearer = Math.max(price, complement(price));
  if (level.shares * dearer <= terms.maxAmount) return level.shares;
  const most = Math.floor(terms.maxAmount / dearer) as Shares;
  unrouted.push({ side, price, shares: (level.shares - most) as Shares, reason: 'over-maximum' });
  return most;
}

/** Merges a part that is too small for an order with the other part. @param held shares left to sell */
function evenOut(leg: Leg, held: number, terms: MarketTerms): void {
  if (leg.sell === 0 || leg.buy === 0) return;
  if (leg.sell * leg.sellPrice < terms.minAmount) move(leg, -leg.sell);
  else if (leg.buy * leg.buyPrice < terms.minAmount && leg.sell + leg.buy <= held) move(leg, leg.buy);
}

/** @param shares to sell instead of buying their complement; negative the other way round */
function move(leg: Leg, shares: number): void {
  leg.sell = (leg.sell + shares) as Shares;
  leg.buy = (leg.buy - shares) as Shares;
}

/** Splits shares into as few orders as possible, none larger than `largest` and all of about one size. */
export function piecesOf(shares: number, largest: number): readonly Shares[] {
  const pieces: Shares[] = [];
  for (let left = shares; left > 0; left -= pieces.at(-1)!)
    pieces.push((left <= largest ? left : Math.ceil(left / Math.ceil(left / largest))) as Shares);
  return pieces;
}

/** Cash that the purchase locks, in as many orders as it takes. @param fee the higher fee */
export const lockOfPurchase = ({ buyPrice, largest }: Leg, shares: number, fee: number): Money =>
  piecesOf(shares, largest).reduce((lock, piece) => lock + lockAt(buyPrice, piece, fee), 0) as Money;
