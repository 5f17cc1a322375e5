/** How own orders come into being, and what may happen to one of them. */
import type { EventId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import { type Micros, type PriceUnits, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { LifeEvent } from './order-life.js';
import type { Ownership } from './own-order.js';
import { momentOf } from './moment.js';
import { TrackedOrder } from './tracked-order.js';

/** Number and time of an order that is found. */
interface Birth {
  readonly serial: number;
  readonly at: Micros;
}

/**
 * An order that the venue speaks of and none of our requests explains; as old as the venue says.
 * @param eventId of its market
 */
export function found(
  report: OrderReport,
  eventId: EventId,
  ownership: Ownership,
  { serial, at }: Birth,
): TrackedOrder {
  const { marketId, side, position, currency, requested, expiresAt } = report;
  const price = report.price ?? boldest(side);
  const order = { eventId, marketId, side, position, currency, price, shares: requested, expiresAt };
  const first = report.createdAt === null ? at : (Math.min(at, report.createdAt) as Micros);
  const tracked = new TrackedOrder(order, order, serial, momentOf(first));
  tracked.ownership = ownership;
  tracked.state = 'live';
  tracked.orderId = report.orderId;
  tracked.namedAt = at;
  tracked.countsFills = false;
  return tracked;
}

const boldest = (side: Side): PriceUnits => (side === 'bid' ? 9_999 : 1) as PriceUnits;

/** Moves the order along its life. @returns whether this ended it */
export function advance(order: TrackedOrder, event: LifeEvent): boolean {
  const wasDone = order.state === 'done';
  order.live(event);
  return !wasDone && order.state === 'done';
}

/** Sets what is left to be filled and keeps what stood before. */
export function shrink(order: TrackedOrder, remaining: Shares, at: Micros): void {
  if (remaining >= order.remaining) return;
  order.shownBefore = order.remaining;
  order.shownSince = at;
  order.remaining = remaining;
}

/** It is known from now on that the order stands in the book. */
export function show(order: TrackedOrder, at: Micros): void {
  order.shownBefore = ZERO_SHARES;
  order.shownSince = at;
}

/**
 * An update that changed neither price nor size (a renewal) changes no level, so no book will ever tell of it: the new
 * order shows where the old one did, and since then. Its cash was locked by then, too.
 */
export function standInFor(successor: TrackedOrder, old: TrackedOrder): void {
  if (successor.longPrice !== old.longPrice || successor.requested !== old.shownBefore) return;
  successor.bornAt = old.bornAt;
  if (successor.filled === 0) successor.shownSince = old.bornAt;
  old.shownBefore = ZERO_SHARES;
}
