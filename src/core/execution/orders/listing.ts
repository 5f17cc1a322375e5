/**
 * What a complete pass proves about the orders we know: `processing`, `open` and `partial_filled`, and of what these have
 * missed the ends that `filled` and `canceled` show.
 */
import type { OrderId } from '../../../domain/ids.js';
import type { OrderReport, MissedOrders } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OrderStatus } from '../../../domain/vocabulary.js';
import type { Claims } from './claims.js';
import type { Ended } from './requests.js';
import { sameTerms } from './lost-orders.js';
import type { OrderWriter } from './order-writer.js';
import type { TrackedOrder } from './tracked-order.js';
import type { InheritedIds } from './inherited-ids.js';
import type { OrderBlotter } from './order-blotter.js';
import type { OwnOrder } from './own-order.js';

/** An order advances while the pages are read, and a page can be lost: one listing alone proves no absence. */
const PASSES = 2;

/** Spans in microseconds. */
export interface ListingSpans {
  /** After this a signed request cannot take effect any more. */
  readonly clockWindow: number;
  /** What a read shows may be so old. */
  readonly readAge: number;
}

export interface Pass {
  /** What works. */
  readonly orders: readonly OrderReport[];
  /** What is over of those that we know; not read: what is missing may be over, or not. */
  readonly ended: Ended;
  /** What of that is known all the same. */
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

  /**
   * Merges one complete pass.
   * @param startedAt when its first byte left us; what happened later it cannot disprove
   */
  read({ orders, ended, filled }: Pass, startedAt: Micros): void {
    for (const report of typeof ended === 'string' ? filled : ended) this.#end(report);
    const unknown = orders.filter((report) => !this.#shown(report, startedAt));
    this.#claims.listed(unknown);
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

  /** An end is final, whenever it was read; of another order that carries the id by now it says nothing about ours. */
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

  /** Until then a doubtful create or update may still take effect. */
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
   * Where nothing at all is listed though orders we know should be, that is taken for a failure of the listing. With
   * nothing to contradict it, a lost create still needs the second witness that a cancel of its scope is.
   */
  #unwitnessed(missing: readonly TrackedOrder[]): void {
    const contradicted = missing.filter((order) => order.orderId !== null && order.failedCancels === 0);
    if (contradicted.length > 0) this.#writer.tell({ kind: 'contradicted', orders: contradicted.length });
    for (const order of contradicted) this.#missed(order, false);
    if (contradicted.length > 0) return;
    for (const order of missing)
      if (order.orderId !== null || this.#isCancelledForGood(order)) this.#missed(order, true);
  }

  /** Where we may cancel the scope, was that done after the create could last take effect? */
  #isCancelledForGood(order: TrackedOrder): boolean {
    if (!this.#claims.isExclusive(order.marketId)) return true;
    return order.failedCancels > 0 && order.activeAt > order.askedAt + this.#spans.clockWindow;
  }

  /** @param proves whether the pass may end the order; otherwise it only puts it in doubt */
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

/** Each status is asked for by itself, and each answer can be empty by itself: where the order is to be found. */
const shelfOf = ({ stage }: TrackedOrder): OrderStatus => (stage === 'partial' ? 'partial_filled' : 'open');

/** Which of the orders that we know a listing has missed, and where they are. */

/** Everything known that may still rest: it changes nothing, and may be asked for between two messages. */
export interface KnownOrders {
  readonly blotter: Pick<OrderBlotter, 'markets' | 'working'>;
  readonly inherited: Pick<InheritedIds, 'unseen'>;
}

/**
 * @param shown   ids that a listing of everything that works has shown
 * @param begunAt when its first byte left: what the venue named since may have come too late for it
 * @returns null when none is missed
 */
export function missedOrders(
  { blotter, inherited }: KnownOrders,
  shown: ReadonlySet<OrderId>,
  begunAt: Micros,
): Omit<MissedOrders, 'pages'> | null {
  const orders = [...blotter.markets()].flatMap((market) =>
    blotter.working(market).filter((order) => isMissed(order, shown, begunAt)),
  );
  const unplaced = [...inherited.unseen].filter((id) => !shown.has(id));
  const ids = new Set([...orders.map(({ orderId }) => orderId as OrderId), ...unplaced]);
  if (ids.size === 0) return null;
  const isPlaced = unplaced.length === 0;
  return {
    ids,
    marketId: isPlaced ? onlyOne(orders.map(({ marketId }) => marketId)) : null,
    eventId: isPlaced ? onlyOne(orders.map(({ eventId }) => eventId)) : null,
  };
}

const isMissed = ({ orderId, namedAt }: OwnOrder, shown: ReadonlySet<OrderId>, begunAt: Micros): boolean =>
  orderId !== null && !shown.has(orderId) && namedAt !== null && namedAt <= begunAt;

function onlyOne<Id>(ids: readonly Id[]): Id | null {
  const [first = null] = ids;
  return ids.every((id) => id === first) ? first : null;
}
