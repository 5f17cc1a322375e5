import type { Approved, TradingRequest, VenueRequest } from '../../../domain/effects.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement, CancelScope } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { BatchSizes } from '../../../venues/port.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { ApprovedPlan } from '../planning/plan.js';
import type { OrderPace, PaceOf } from './order-pace.js';
import { type Touch, wouldTake } from '../planning/touch.js';

/** A market's plan goes out in this order, one kind of request at a time. */
export type Phase = 'cancel' | 'replace' | 'create';

/**
 * Best prices of a market at its last look; null where nobody quotes. An order that would take from them does not
 * leave.
 */
export type TouchOf = (market: MarketId) => Touch | null;

/** A request ready to leave. */
export interface PlannedRequest {
  readonly request: VenueRequest;
  /** Markets it trades in; each is busy until the answer. */
  readonly markets: readonly MarketId[];
  /** Set for a replay, which must leave under its old id. */
  readonly requestId: number | null;
  /** Its bytes must not leave later; left out where only the lifetime of its kind counts. */
  readonly notAfter?: Micros;
  /** Urgency of its items; compares batches with each other. */
  readonly urgency: number;
}

/** @returns what the plan sends first; null for nothing */
export function phaseOf(plan: ApprovedPlan): Phase | null {
  if (plan.cancels.length > 0) return 'cancel';
  if (plan.replacements.length > 0) return 'replace';
  return plan.creates.length > 0 ? 'create' : null;
}

export interface Packed {
  /** Null when nothing is left to send. */
  readonly request: PlannedRequest | null;
  /** Markets whose plan has nothing to send any more. */
  readonly outdated: readonly MarketId[];
}

/**
 * Fills one batch across markets, the most urgent market first.
 * @param plans    plans in this phase whose markets are free
 * @param batches  most items of a request
 * @param touchOf  for the last check; an order that fails it is left out and planned again with the next book
 * @param pacing   how many creates and updates may leave now
 */
export function pack(
  plans: readonly ApprovedPlan[],
  phase: Phase,
  batches: BatchSizes,
  touchOf: TouchOf,
  pacing: Pacing,
): Packed {
  const most = batches[phase];
  if (phase === 'cancel')
    return fill(plans, most, putCancels, NOT_ASKED, UNPACED, (orderIds) => ({
      kind: 'cancel-orders',
      orderIds,
    }));
  if (phase === 'replace')
    return fill(plans, most, putMoves, touchOf, pacing, (replacements) => ({
      kind: 'replace-orders',
      replacements,
    }));
  return fill(plans, most, putCreates, touchOf, pacing, (orders) => ({ kind: 'create-orders', orders }));
}

export interface Pacing {
  readonly paceOf: PaceOf;
  readonly at: Micros;
}

export const UNPACED: Pacing = { paceOf: () => null, at: 0 as Micros };

/** Adds the items of a plan that may leave, as many as there is room for. */
type Put<Item> = (plan: ApprovedPlan, most: number, items: Item[], touch: Touch | null) => void;

function fill<Item>(
  plans: readonly ApprovedPlan[],
  most: number,
  put: Put<Item>,
  touchOf: TouchOf,
  { paceOf, at }: Pacing,
  requestOf: (items: readonly Item[]) => TradingRequest,
): Packed {
  const items: Item[] = [];
  const markets: MarketId[] = [];
  const outdated: MarketId[] = [];
  const paced = new Map<OrderPace, number>();
  let urgency = 0;
  for (const plan of byUrgency(plans)) {
    const before = items.length;
    if (before >= most) break;
    const pace = paceOf(plan.marketId);
    const left = pace === null ? most : pace.free(at) - (paced.get(pace) ?? 0);
    if (left <= 0) {
      pace?.holdsBack(at);
      continue;
    }
    put(plan, Math.min(most, before + left), items, touchOf(plan.marketId));
    if (pace !== null) paced.set(pace, (paced.get(pace) ?? 0) + items.length - before);
    if (items.length === before) {
      outdated.push(plan.marketId);
      continue;
    }
    markets.push(plan.marketId);
    urgency += plan.urgency;
  }
  if (items.length === 0) return { request: null, outdated };
  return { request: { request: requestOf(items), markets, requestId: null, urgency }, outdated };
}

const byUrgency = (plans: readonly ApprovedPlan[]): readonly ApprovedPlan[] =>
  plans.length === 1
    ? plans
    : plans.toSorted((a, b) => b.urgency - a.urgency || (a.marketId < b.marketId ? -1 : 1));

const NOT_ASKED: TouchOf = () => null;

function putCancels({ cancels }: ApprovedPlan, most: number, ids: OrderId[]): void {
  for (const { state, orderId } of cancels) {
    if (ids.length >= most) return;
    if (orderId !== null && (state === 'live' || state === 'unknown')) ids.push(orderId);
  }
}

function putMoves(
  { replacements }: ApprovedPlan,
  most: number,
  items: Approved<OrderReplacement>[],
  touch: Touch | null,
): void {
  if (touch === null) return;
  for (const { order, to, item } of replacements) {
    if (items.length >= most) return;
    if (isMovable(order) && !wouldTake(to, touch)) items.push(item);
  }
}

/** The order may have traded since the plan was made; then only a cancel can move it. */
const isMovable = ({ state, stage, filled }: OwnOrder): boolean =>
  state === 'live' && stage === 'open' && filled === 0;

function putCreates(
  { creates }: ApprovedPlan,
  most: number,
  orders: Approved<LimitOrder>[],
  touch: Touch | null,
): void {
  if (touch === null) return;
  for (const order of creates) {
    if (orders.length >= most) return;
    if (!wouldTake(order, touch)) orders.push(order);
  }
}

/** Cancels by id. @param orders at most a batch; those without an id are left out */
export function cancelOf(orders: readonly OwnOrder[]): PlannedRequest {
  const orderIds = orders.map((order) => order.orderId).filter((id): id is OrderId => id !== null);
  const markets = [...new Set(orders.map((order) => order.marketId))];
  return { request: { kind: 'cancel-orders', orderIds }, markets, requestId: null, urgency: 0 };
}

/** Cancels orders by bare ids. @param orderIds at most a batch */
export const cancelOfIds = (orderIds: readonly OrderId[]): PlannedRequest => ({
  request: { kind: 'cancel-orders', orderIds },
  markets: [],
  requestId: null,
  urgency: 0,
});

/** Cancels everything in an exclusive scope. @param markets those of the scope that we trade */
export const cancelOfScope = (scope: CancelScope, markets: readonly MarketId[]): PlannedRequest => ({
  request: { kind: 'cancel-scope', scope },
  markets,
  requestId: null,
  urgency: 0,
});
