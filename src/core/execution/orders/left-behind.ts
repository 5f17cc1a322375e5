/**
 * Which of the orders that the venue lists did a bot leave behind? For whoever withdraws them in its place and knows
 * nothing but its configuration and its journal.
 */
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReport } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { ClaimedOrder, JournalRecord, OrderClaims } from '../../ports/journal.js';
import type { MarketOwnership } from './claims.js';
import { reportedTerms, termsOf, withoutFound } from './lost-orders.js';
import { ordersOf } from './requests.js';

/** What a journal says of the orders of its bot. */
export interface JournalWork {
  /** Orders that the venue named in answers, or that were found to be of lost requests, and that may still rest. */
  readonly named: ReadonlySet<OrderId>;
  /** Orders of the account that are of none of its requests; left out: none. */
  readonly foreign?: ReadonlySet<OrderId>;
  /** Orders that may be, of which a person was told; left out: none. */
  readonly ambiguous?: ReadonlySet<OrderId>;
  /** Creates and updates whose effect is not known, one entry for each order. */
  readonly lost: readonly LostOrder[];
}

/** As much of an order without an id as a listing can be compared with. */
export interface LostOrder {
  /** See {@link termsOf}. */
  readonly terms: string;
  readonly askedAt: Micros;
}

export interface LeftBehind {
  readonly ours: readonly OrderReport[];
  /** May be ours or somebody else's: left alone, a person has to look. */
  readonly ambiguous: readonly OrderReport[];
}

/**
 * Reads what a journal left open.
 * @param records    as a start would recover them
 * @param venueAhead microseconds that the venue's clock is ahead of that of the reader
 */
export function workIn(records: readonly JournalRecord[], venueAhead: number): JournalWork {
  return {
    named: new Set(namesIn(records)),
    foreign: new Set(claimsIn(records).flatMap(({ foreign }) => foreign)),
    ambiguous: new Set(claimsIn(records).flatMap(({ ambiguous }) => ambiguous)),
    lost: lostRequests(records).flatMap(({ record, orders }) =>
      orders.map((order) => lostOrder(order, signedAt(record, venueAhead))),
    ),
  };
}

/** A request whose answer was lost, and those of its orders that nobody has found. */
interface LostRequest {
  readonly record: RequestRecord;
  readonly orders: readonly LimitOrder[];
}

/** @param records as a start would recover them */
export function lostRequests(records: readonly JournalRecord[]): readonly LostRequest[] {
  const lost: LostRequest[] = [];
  for (const record of records) {
    if (record.kind === 'request') lost.push({ record, orders: ordersOf(record.request) });
    if (record.kind === 'claims') for (const found of record.ours) takeFound(lost, found);
  }
  return lost;
}

/** The oldest that it may be: a journal tells of what was found of a request right behind it. */
function takeFound(lost: LostRequest[], found: ClaimedOrder): void {
  const terms = termsOf(found);
  const at = lost.findIndex(({ orders }) => orders.some((order) => termsOf(order) === terms));
  if (at < 0) return;
  const { record, orders } = lost[at]!;
  lost[at] = { record, orders: withoutFound(orders, [found]) };
}

/** Ids of orders of its own that a journal tells of. */
export const namesIn = (records: readonly JournalRecord[]): readonly OrderId[] =>
  records.flatMap((record) => {
    if (record.kind === 'own-orders') return record.orderIds;
    return record.kind === 'claims' ? record.ours.flatMap(({ orderId }) => orderId ?? []) : [];
  });

/** What it tells of whose orders are. */
export const claimsIn = (records: readonly JournalRecord[]): readonly OrderClaims[] =>
  records.flatMap((record) => (record.kind === 'claims' ? [record] : []));

/**
 * When a request was signed, by the clock of the reader: that of the writer may have been another, or the same before it was
 * set. Where an earlier version did not say what it knew of the venue's, they are taken for one.
 */
export const signedAt = ({ at, venueAhead: aheadThen }: RequestRecord, venueAhead: number): Micros =>
  (at + (aheadThen ?? venueAhead) - venueAhead) as Micros;

type RequestRecord = Extract<JournalRecord, { readonly kind: 'request' }>;

/**
 * Sorts a complete listing. Where a market is ours alone every order is; elsewhere those that the journal names, and
 * those that fit a lost request in all that a listing tells, unless more fit than were lost. When it was created decides
 * that an order is ours, never that it is not: that takes an id that is known to be another's.
 * @param ownershipOf null for markets that the configuration does not name, or not any more
 * @param windowUs microseconds by which an order's creation may differ from the request for it
 */
export function leftBehind(
  listed: readonly OrderReport[],
  ownershipOf: (market: MarketId) => MarketOwnership | null,
  { named, foreign, ambiguous, lost }: JournalWork,
  windowUs: number,
): LeftBehind {
  const isExclusive = ({ marketId }: OrderReport): boolean => ownershipOf(marketId) === 'exclusive';
  const isNamed = (order: OrderReport): boolean => isExclusive(order) || named.has(order.orderId);
  const isDoubted = ({ orderId }: OrderReport): boolean => ambiguous?.has(orderId) === true;
  const unnamed = listed.filter((order) => !isNamed(order) && foreign?.has(order.orderId) !== true);
  const { fitting, tooMany } = matched(unnamed, lost, windowUs);
  return {
    ours: listed.filter((order) => isNamed(order) || (fitting.has(order) && !isDoubted(order))),
    ambiguous: unnamed.filter((order) => isDoubted(order) || (tooMany.has(order) && !fitting.has(order))),
  };
}

/** @param askedAt when its request was decided */
export const lostOrder = (order: LimitOrder, askedAt: Micros): LostOrder => ({
  terms: termsOf(order),
  askedAt,
});

/**
 * Orders that fit as many lost ones as there are, and those of which more fit than were lost, or that only the time of
 * their creation tells from them.
 */
function matched(
  orders: readonly OrderReport[],
  lost: readonly LostOrder[],
  windowUs: number,
): { readonly fitting: ReadonlySet<OrderReport>; readonly tooMany: ReadonlySet<OrderReport> } {
  const fitting = new Set<OrderReport>();
  const tooMany = new Set<OrderReport>();
  for (const [terms, alike] of groupsOf(lost)) {
    const candidates = orders.filter((order) => reportedTerms(order) === terms);
    const inTime = candidates.filter((order) => alike.some((one) => isInTime(order, one, windowUs)));
    const into = inTime.length <= alike.length ? fitting : tooMany;
    inTime.forEach((order) => into.add(order));
    if (inTime.length < alike.length) candidates.forEach((order) => tooMany.add(order));
  }
  return { fitting, tooMany };
}

/** Lost orders that a listing cannot tell from one another, by their terms. */
function groupsOf(lost: readonly LostOrder[]): ReadonlyMap<string, readonly LostOrder[]> {
  const groups = new Map<string, LostOrder[]>();
  for (const one of lost) {
    const group = groups.get(one.terms);
    if (group === undefined) groups.set(one.terms, [one]);
    else group.push(one);
  }
  return groups;
}

const isInTime = ({ createdAt }: OrderReport, { askedAt }: LostOrder, windowUs: number): boolean =>
  createdAt === null || Math.abs(createdAt - askedAt) <= windowUs;
