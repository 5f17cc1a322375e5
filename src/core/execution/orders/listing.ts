/**
 * Concludes from a complete listing what became of known orders. It lists `processing`, `open` and `partial_filled`,
 * and of the missing orders the ends among `filled` and `canceled`.
 */
import type { OrderId } from '../../../domain/ids.js';
import type { OrderReport, KnownOrders } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OrderStatus } from '../../../domain/vocabulary.js';
import type { Claims } from './claims.js';
import type { Ended } from './requests.js';
import { sameTerms } from './order-terms.js';
import type { OrderWriter } from './order-writer.js';
import type { TrackedOrder } from './tracked-order.js';
import type { InheritedIds } from './inherited-ids.js';
import type { OrderBlotter } from './order-blotter.js';
import type { OwnOrder } from './own-order.js';

/** An order may move between pages while they are read, and a page can be lost: one listing proves no absence. */
const PASSES = 2;

/** Spans in microseconds. */
export interface ListingSpans {
  /** After this a signed request cannot take effect any more. */
  readonly clockWindow: number;
  /** Greatest age of what a read shows. */
  readonly readAge: number;
}

export interface Pass {
  /** Open orders. */
  readonly orders: readonly OrderReport[];
  /** Ends of known orders; if unread, missing orders may have ended or not. */
  readonly ended: Ended;
  /** Known ends of an incomplete listing. */
  readonly filled: readonly OrderReport[];
}

export class Listing {
  readonly #writer: OrderWriter;
  readonly #claims: Claims;
  readonly #spans: ListingSpans;

  constructor(writer: OrderWriter, claims: Claims, spans: ListingSpans) {
    this.#writer = writer;
    this.#claims = claims;
    this.#spans = spans;
  }

  /** Merges one complete listing. @param startedAt when its first byte left; it cannot disprove anything later */
  read({ orders, ended, filled }: Pass, startedAt: Micros): void {
    for (const report of typeof ended === 'string' ? filled : ended) this.#end(report);
    const unknown = orders.filter((report) => !this.#shown(report, startedAt));
    this.#claims.listed(unknown, (startedAt - this.#spans.readAge) as Micros);
    if (typeof ended !== 'string') this.#miss(orders, startedAt);
  }

  #miss(orders: readonly OrderReport[], startedAt: Micros): void {
    const missing = this.#missing(new Set(orders.map((order) => order.orderId)), startedAt);
    const told = new Set(orders.map(({ status }) => status));
    const isWitnessed = (order: TrackedOrder): boolean =>
      order.orderId === null ? told.size > 0 : told.has(shelfOf(order));
    for (const order of missing) if (isWitnessed(order)) this.#missed(order, true);
    this.#unwitnessed(missing.filter((order) => !isWitnessed(order)));
  }

  /** An end is final, whenever it was read. An order that reuses the id is another order. */
  #end(report: OrderReport): void {
    const order = this.#writer.blotter.byId(report.orderId);
    if (order !== undefined && order.marketId === report.marketId && sameTerms(order, report))
      this.#writer.merge(order, report, 'listing');
  }

  /** @returns whether the order is one that we know */
  #shown(report: OrderReport, startedAt: Micros): boolean {
    const order = this.#writer.blotter.byId(report.orderId);
    if (order === undefined) return false;
    if (order.ending === 'vanished' && startedAt > (order.endedAt ?? 0)) this.#writer.revive(order);
    const later = startedAt > order.requestedAt + this.#spans.readAge && startedAt > this.#binding(order);
    this.#writer.merge(order, report, 'listing');
    if (report.status === 'open') this.#writer.knowFilled(order, startedAt - this.#spans.readAge);
    if (!later) return true;
    order.failedCancels = 0;
    this.#writer.apply(order, 'listed', null);
    return true;
  }

  /** Until when a doubtful create or update may still take effect. */
  #binding(order: TrackedOrder): number {
    const doubtful = order.doubt === 'create' || order.doubt === 'update';
    return doubtful && order.state === 'unknown'
      ? order.askedAt + this.#spans.clockWindow + this.#spans.readAge
      : 0;
  }

  #missing(present: ReadonlySet<OrderId>, startedAt: Micros): TrackedOrder[] {
    const missing: TrackedOrder[] = [];
    for (const market of this.#writer.blotter.markets())
      for (const order of this.#writer.blotter.working(market))
        if (this.#shouldShow(order, startedAt) && !(order.orderId !== null && present.has(order.orderId)))
          missing.push(order);
    return missing;
  }

  #shouldShow(order: TrackedOrder, startedAt: Micros): boolean {
    if (order.state !== 'live' && order.state !== 'unknown') return false;
    const { readAge, clockWindow } = this.#spans;
    if (startedAt <= order.activeAt + readAge) return false;
    return order.orderId !== null || startedAt > order.askedAt + clockWindow + readAge;
  }

  /**
   * Handles missing orders of which the listing shows no neighbour. If nothing is listed although known orders should
   * be, the listing has failed. If nothing contradicts it, a lost create still needs a second proof: a cancel of its
   * scope.
   */
  #unwitnessed(missing: readonly TrackedOrder[]): void {
    const contradicted = missing.filter((order) => order.orderId !== null && order.failedCancels === 0);
    if (contradicted.length > 0) this.#writer.tell({ kind: 'contradicted', orders: contradicted.length });
    for (const order of contradicted) this.#missed(order, false);
    if (contradicted.length > 0) return;
    for (const order of missing)
      if (order.orderId !== null || this.#isCancelledForGood(order)) this.#missed(order, true);
  }

  /** In an exclusive market: was the scope cancelled after the create could last take effect? */
  #isCancelledForGood(order: TrackedOrder): boolean {
    if (!this.#claims.isExclusive(order.marketId)) return true;
    return order.failedCancels > 0 && order.activeAt > order.askedAt + this.#spans.clockWindow;
  }

  /** @param proves whether the listing may end the order; otherwise it only puts the order in doubt */
  #missed(order: TrackedOrder, proves: boolean): void {
    order.absences += 1;
    if (order.absences >= PASSES && (proves || order.ownership === 'foreign')) this.#conclude(order);
    else if (order.state === 'live') this.#writer.apply(order, 'lost', null);
  }

  #conclude(order: TrackedOrder): void {
    const unnamed = order.orderId === null;
    this.#writer.apply(order, 'absent', unnamed ? 'never-executed' : 'vanished');
    if (!unnamed) this.#writer.tell({ kind: 'vanished', order });
  }
}

/** The status under which the order is listed: each status is a request of its own and can fail on its own. */
const shelfOf = ({ stage }: TrackedOrder): OrderStatus => (stage === 'partial' ? 'partial_filled' : 'open');

/** The known orders that may still rest. */
export interface RestingOrders {
  readonly blotter: Pick<OrderBlotter, 'markets' | 'working'>;
  readonly inherited: Pick<InheritedIds, 'unseen'>;
}

/** Where each order is that has an id and may still rest; null: of an earlier run, nobody knows. */
export function placesOf({ blotter, inherited }: RestingOrders): KnownOrders['places'] {
  const places = new Map<OrderId, Pick<OwnOrder, 'marketId' | 'eventId'> | null>();
  for (const market of blotter.markets())
    for (const { orderId, marketId, eventId } of blotter.working(market))
      if (orderId !== null) places.set(orderId, { marketId, eventId });
  for (const id of inherited.unseen) if (!places.has(id)) places.set(id, null);
  return places;
}
