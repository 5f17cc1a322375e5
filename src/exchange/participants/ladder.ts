/** How quoting participants keep a ladder in the book without flicker. */
import type { OrderId } from '../../domain/ids.js';
import { complement, type PriceUnits, type Shares } from '../../domain/units.js';
import { bookSide, type Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, OrderView } from '../contract.js';
import { buying, restingOrders } from './orders.js';
import type { TradedMarket, Trader } from './participant.js';

/** One level on the long side of the book. */
export interface LadderLevel {
  readonly side: Side;
  readonly price: PriceUnits;
  readonly shares: Shares;
}

/** A resting order this close to the wished size stays: rounding moves sizes by a hundredth of a share. */
const NEAR_ENOUGH = 2;

/**
 * Commands that bring the trader's resting orders in a market to a ladder. What already stands stays; what is missing
 * is placed first and what is left over is cancelled last, so that the book never shows an empty side in between.
 * Every level buys (long, or short at the complement): a participant has collateral in plenty and nothing to plan.
 * A level below the venue's least amount is left out.
 */
export function bringTo(
  ladder: readonly LadderLevel[],
  market: TradedMarket,
  trader: Trader,
  venue: ExchangeCore,
): readonly Command[] {
  const resting = restingOrders(market, trader, venue);
  const least = venue.event(market.eventId)?.minAmount ?? 0;
  const kept = new Set<OrderView>();
  const missing: LadderLevel[] = [];
  for (const level of ladder) {
    if (costOf(level) < least) continue;
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
