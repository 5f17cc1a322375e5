/**
 * Finds the orders that a bot left behind, for whoever withdraws them in its place. It knows only the bot's
 * configuration and journal.
 */
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReport } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { ClaimedOrder, JournalRecord, OrderClaims } from '../../ports/journal.js';
import type { MarketOwnership } from '../../../domain/vocabulary.js';
import { reportedTerms, termsOf, withoutFound } from './order-terms.js';
import { ordersOf } from './requests.js';

/** What a journal tells about its bot's orders. */
export interface JournalWork {
  /** Ids named in answers, or found for lost requests, that may still rest. */
  readonly named: ReadonlySet<OrderId>;
  /** Orders of the account that are not the bot's; left out: none. */
  readonly foreign?: ReadonlySet<OrderId>;
  /** Orders that may be the bot's, which a person was told about; left out: none. */
  readonly ambiguous?: ReadonlySet<OrderId>;
  /** Orders of creates and updates with an unknown outcome. */
  readonly lost: readonly LostOrder[];
}

/** An order without an id, as a listing can be compared with it. */
export interface LostOrder {
  /** See {@link termsOf}. */
  readonly terms: string;
  readonly marketId: MarketId;
  readonly askedAt: Micros;
}

export interface LeftBehind {
  readonly ours: readonly OrderReport[];
  /** May be the bot's or somebody else's: left alone, a person has to look. */
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

/** A request with a lost answer, and those of its orders that are not found yet. */
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

/** A found order belongs to the oldest matching request: the journal tells of it right behind. */
function takeFound(lost: LostRequest[], found: ClaimedOrder): void {
  const terms = termsOf(found);
  const at = lost.findIndex(({ orders }) => orders.some((order) => termsOf(order) === terms));
  if (at < 0) return;
  const { record, orders } = lost[at]!;
  lost[at] = { record, orders: withoutFound(orders, [found]) };
}

/** Ids of the bot's own orders in a journal. */
export const namesIn = (records: readonly JournalRecord[]): readonly OrderId[] =>
  records.flatMap((record) => {
    if (record.kind === 'own-orders') return record.orderIds;
    return record.kind === 'claims' ? record.ours.flatMap(({ orderId }) => orderId ?? []) : [];
  });

/** What a journal tells about whose orders are. */
export const claimsIn = (records: readonly JournalRecord[]): readonly OrderClaims[] =>
  records.flatMap((record) => (record.kind === 'claims' ? [record] : []));

/**
 * When a request was signed, by the reader's clock. The writer's clock may have been another. A record that does not
 * tell the venue's time is taken to agree with ours.
 */
export const signedAt = ({ at, venueAhead: aheadThen }: RequestRecord, venueAhead: number): Micros =>
  (at + (aheadThen ?? venueAhead) - venueAhead) as Micros;

type RequestRecord = Extract<JournalRecord, { readonly kind: 'request' }>;

/**
 * Sorts a complete listing. In an exclusive market every order is ours. Elsewhere ours are the orders that the journal
 * names and those that match a lost request, unless more match than were lost. A creation time can prove that an order
 * is ours, never the opposite.
 * @param ownershipOf null for markets that the configuration does not name
 * @param windowUs microseconds by which an order's creation may differ from its request
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
  marketId: order.marketId,
  askedAt,
});

/**
 * `fitting`: orders that match no more lost ones than there are. `tooMany`: more orders match than were lost, or only
 * the creation time does not match.
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

/** Lost orders by their terms: a listing cannot tell orders of one group apart. */
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
