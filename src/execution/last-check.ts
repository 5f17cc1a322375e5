/**
 * There is no post-only on this venue, so each create and update is checked against the newest book when it is put
 * into its request: an order that could take although it was meant to rest is dropped, and planned again.
 */
import type { LimitOrder } from '../domain/orders.js';
import { type PriceUnits, SHARE_ONE, complement } from '../domain/units.js';
import { bookSide } from '../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';

/** Best foreign prices of the long side; null where nothing foreign is known. */
export interface Touch {
  readonly bid: PriceUnits | null;
  readonly ask: PriceUnits | null;
}

/** How an order stands to the book: it rests, or it would trade at once at this long-side price or better. */
export type Meeting = { readonly kind: 'rests' } | { readonly kind: 'takes'; readonly at: PriceUnits };

const RESTS: Meeting = { kind: 'rests' };

/** Would the order trade at once? */
export function meets(order: LimitOrder, touch: Touch): Meeting {
  const price = longPrice(order);
  if (bookSide(order.side, order.position) === 'bid')
    return touch.ask !== null && price >= touch.ask ? { kind: 'takes', at: touch.ask } : RESTS;
  return touch.bid !== null && price <= touch.bid ? { kind: 'takes', at: touch.bid } : RESTS;
}

/** What a strategy that means to take wants for it. */
export interface TakingPolicy {
  /** Null: an order is never meant to take. */
  readonly leastEdgeUnits: number | null;
  /** Long-side fair value; without one nothing is taken. */
  readonly fair: PriceUnits | null;
}

/**
 * @returns whether the order may go out: it rests, or taking is meant and leaves the edge after the taker fee
 */
export function mayStand(
  order: LimitOrder,
  touch: Touch,
  terms: Pick<MarketTerms, 'takerFee'>,
  policy: TakingPolicy,
): boolean {
  const meeting = meets(order, touch);
  if (meeting.kind === 'rests') return true;
  if (policy.leastEdgeUnits === null || policy.fair === null) return false;
  const buys = bookSide(order.side, order.position) === 'bid';
  const edge = buys ? policy.fair - meeting.at : meeting.at - policy.fair;
  return edge - feeUnits(terms) >= policy.leastEdgeUnits;
}

/** Taker fee per share in price units, rounded against us. */
const feeUnits = ({ takerFee }: Pick<MarketTerms, 'takerFee'>): number => Math.ceil(takerFee / SHARE_ONE);

/**
 * The least change that lets an order rest: one tick behind the price it would trade at.
 * @returns null when no price of the grid is left; the result needs the approval of risk like any other
 */
export function repriced(order: LimitOrder, touch: Touch, tickUnits: number): LimitOrder | null {
  const meeting = meets(order, touch);
  if (meeting.kind === 'rests') return order;
  const side = bookSide(order.side, order.position);
  const price = meeting.at + (side === 'bid' ? -tickUnits : tickUnits);
  if (price <= 0 || price >= 10_000) return null;
  return { ...order, price: ofPosition(price as PriceUnits, order) };
}

const longPrice = (order: LimitOrder): PriceUnits => ofPosition(order.price, order);
const ofPosition = (price: PriceUnits, { position }: LimitOrder): PriceUnits =>
  position === 'long' ? price : complement(price);
