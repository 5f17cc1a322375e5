/** What an agreeable venue shows and says: books of five levels a side, and its word on an order. */
import { eventText } from '../../../src/venues/futuur/protocol/pusher-frames.js';

const DEPTH = 5;

/** An order as the venue knows it. */
export interface VenueOrder {
  readonly id: number;
  readonly market: number;
  readonly event: number;
  readonly side: string;
  readonly position: string;
  readonly price: number;
  readonly shares: number;
}

/** Five levels a side around a mid of whole cents, two cents apart at the touch; fees and sums as in a read. */
export function bookSides(midCents: number): {
  readonly bid: readonly object[];
  readonly ask: readonly object[];
} {
  const side = (sign: 1 | -1) =>
    Array.from({ length: DEPTH }, (_, level) => ({
      price: (midCents + sign * (level + 1)) / 100,
      total_shares: 1_000 + level,
      total_amount: 500,
      total_fees: 0,
      cumulative_shares: 1_000 * (level + 1),
      cumulative_amount: 500 * (level + 1),
      cumulative_fees: 0,
    }));
  return { bid: side(-1), ask: side(1) };
}

/** The text of a frame, as the realtime service sends it. @param at milliseconds */
export function bookText(event: number, market: number, midCents: number, at: number): string {
  const level = ({ price, total_shares, total_amount }: Readonly<Record<string, unknown>>) => ({
    price,
    total_shares,
    total_amount,
  });
  const sides = bookSides(midCents) as Readonly<
    Record<'bid' | 'ask', readonly Readonly<Record<string, unknown>>[]>
  >;
  const payload = {
    market_id: market,
    event_id: event,
    currency: 'OOM',
    currency_mode: 'play_money',
    top_n: DEPTH,
    ask: sides.ask.map(level),
    bid: sides.bid.map(level),
    timestamp: new Date(at).toISOString(),
  };
  return eventText('order-book-update', `event-${event}`, JSON.stringify(payload));
}

/** The payload of a private frame about an order that rests, as text. @param at milliseconds */
function orderPayload(order: VenueOrder, at: number): string {
  const { id, market, event, side, position, price, shares } = order;
  return (
    `{"order_id":${id},"market_id":${market},"event_id":${event},"status":"open","side":"${side}",` +
    `"position":"${position}","price":${price},"shares_requested":${shares},"shares_filled":0,"currency":"OOM",` +
    `"timestamp":"${new Date(at).toISOString()}"}`
  );
}

export const ACCOUNT = 1;

/** A private frame about an order that rests; twenty follow every batch. */
export const orderText = (order: VenueOrder, at: number): string =>
  eventText('order-update', `private-user-${ACCOUNT}`, orderPayload(order, at));

/** The text of a private frame about half of an order that was filled, as its maker. @param at milliseconds */
export function fillText(order: VenueOrder, at: number): string {
  const resting = JSON.parse(orderPayload(order, at)) as object;
  const half = Math.ceil(order.shares / 2);
  const filled = { status: 'partial_filled', shares_filled: half, shares_filled_delta: half };
  return eventText('order-update', `private-user-${ACCOUNT}`, JSON.stringify({ ...resting, ...filled }));
}
