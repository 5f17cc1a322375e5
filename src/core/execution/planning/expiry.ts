/**
 * Expiry of orders: the venue cancels them by itself if we fall silent for long.
 * Every move states a new expiry. An order that nothing moves is renewed in place, which costs a request and its place
 * in the queue. Renewals are spread over a quarter of the lifetime.
 */
import type { LimitOrder } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';

/** Least lifetime: an order outlives every repair that needs no person. */
export const EXPIRY_LEAST_MS = 120_000;
/** Longest time of a request on its way to the venue. */
const ON_THE_WAY_MS = 5_000;
/** The golden ratio's fraction spreads serial numbers evenly. */
const SPREAD = 0.618_033_988_749_895;

/** @param lifetimeMs null: orders do not expire */
export const expiryOf = (lifetimeMs: number | null, now: Micros): Micros | null =>
  lifetimeMs === null ? null : ((now + (lifetimeMs + ON_THE_WAY_MS) * 1_000) as Micros);

/** The same orders with an expiry. */
export const expiring = (orders: readonly LimitOrder[], expiresAt: Micros | null): readonly LimitOrder[] =>
  expiresAt === null ? orders : orders.map((order) => ({ ...order, expiresAt }));

/**
 * When an order is renewed if nothing moves it: between half and three quarters of its lifetime.
 * @param lifetime microseconds
 */
export function renewalAt({ serial, expiresAt }: OwnOrder, lifetime: number): number {
  if (expiresAt === null) return -Infinity;
  const part = (serial * SPREAD) % 1;
  return Math.floor(expiresAt - lifetime / 2 + (part * lifetime) / 4);
}

/** How soon and how late an order is renewed that nothing moves. */
export const renewedAfterMs = (lifetimeMs: number) => ({ first: lifetimeMs / 2, last: (3 * lifetimeMs) / 4 });

/**
 * Is the expiry of a working order good enough for a wanted one? An expiry stated by a wrong clock may be far too late.
 */
export function lastsLongEnough(order: OwnOrder, wanted: Micros | null, now: Micros): boolean {
  if (wanted === null || order.expiresAt === null) return wanted === order.expiresAt;
  const lifetime = wanted - now;
  return now < renewalAt(order, lifetime) && order.expiresAt - wanted < lifetime / 4;
}

/** When the next order is to be renewed; infinite when none is. */
export function nextRenewal(orders: readonly OwnOrder[], lifetimeMs: number | null, now: Micros): number {
  if (lifetimeMs === null) return Infinity;
  let next = Infinity;
  for (const order of orders) {
    const at = renewalAt(order, (lifetimeMs + ON_THE_WAY_MS) * 1_000);
    if (order.ownership === 'ours' && at > now) next = Math.min(next, at);
  }
  return next;
}
