/**
 * Which of the orders that the venue lists did a bot leave behind? For whoever withdraws them in its place and knows
 * nothing but its configuration and its journal.
 */
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { LimitOrder, OrderReport } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { JournalRecord } from '../../ports/journal.js';
import type { MarketOwnership } from './claims.js';
import { ordersOf } from './requests.js';

/** What a journal says of the orders of its bot. */
export interface JournalWork {
  /** Orders that the venue named in answers and that may still rest. */
  readonly named: ReadonlySet<OrderId>;
  /** Creates and updates whose effect is not known, one entry for each order. */
  readonly lost: readonly LostOrder[];
}

/** As much of an order without an id as a listing can be compared with. */
export interface LostOrder {
  readonly terms: string;
  readonly price: number;
  readonly shares: number;
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
  const named = records.flatMap((record) => (record.kind === 'own-orders' ? record.orderIds : []));
  return { named: new Set(named), lost: records.flatMap((record) => lostIn(record, venueAhead)) };
}

/**
 * When a request was signed, by the clock of the reader: that of the writer may have been another, or the same before it was
 * set. Where an earlier version did not say what it knew of the venue's, they are taken for one.
 */
export const signedAt = ({ at, venueAhead: aheadThen }: RequestRecord, venueAhead: number): Micros =>
  (at + (aheadThen ?? venueAhead) - venueAhead) as Micros;

type RequestRecord = Extract<JournalRecord, { readonly kind: 'request' }>;

/**
 * Sorts a complete listing. Where a market is ours alone every order is; elsewhere those that the journal names, and
 * those that fit a lost request in all that a listing tells, unless more fit than were lost.
 * @param ownershipOf null for markets that the configuration does not name, or not any more
 * @param windowUs microseconds by which an order's creation may differ from the request for it
 */
export function leftBehind(
  listed: readonly OrderReport[],
  ownershipOf: (market: MarketId) => MarketOwnership | null,
  { named, lost }: JournalWork,
  windowUs: number,
): LeftBehind {
  const isExclusive = ({ marketId }: OrderReport): boolean => ownershipOf(marketId) === 'exclusive';
  const unnamed = listed.filter((order) => !isExclusive(order) && !named.has(order.orderId));
  const { fitting, tooMany } = matched(unnamed, lost, windowUs);
  const isOurs = (order: OrderReport): boolean =>
    isExclusive(order) || named.has(order.orderId) || fitting.has(order);
  return {
    ours: listed.filter(isOurs),
    ambiguous: unnamed.filter((order) => tooMany.has(order) && !fitting.has(order)),
  };
}

const lostIn = (record: JournalRecord, venueAhead: number): readonly LostOrder[] =>
  record.kind === 'request'
    ? ordersOf(record.request).map((order) => lostOrder(order, signedAt(record, venueAhead)))
    : [];

/** @param askedAt when its request was decided */
export const lostOrder = (order: LimitOrder, askedAt: Micros): LostOrder => ({
  terms: termsOf(order),
  price: order.price,
  shares: order.shares,
  askedAt,
});

type Termed = Pick<OrderReport, 'marketId' | 'side' | 'position' | 'currency'>;

const termsOf = ({ marketId, side, position, currency }: Termed): string =>
  `${marketId} ${side} ${position} ${currency}`;

/** Orders that fit as many lost ones as there are, and those of which more fit than were lost. */
function matched(
  orders: readonly OrderReport[],
  lost: readonly LostOrder[],
  windowUs: number,
): { readonly fitting: ReadonlySet<OrderReport>; readonly tooMany: ReadonlySet<OrderReport> } {
  const fitting = new Set<OrderReport>();
  const tooMany = new Set<OrderReport>();
  for (const alike of groupsOf(lost)) {
    const candidates = orders.filter((order) => alike.some((one) => fits(order, one, windowUs)));
    const into = candidates.length <= alike.length ? fitting : tooMany;
    candidates.forEach((order) => into.add(order));
  }
  return { fitting, tooMany };
}

/** Lost orders that a listing cannot tell from one another. */
function groupsOf(lost: readonly LostOrder[]): Iterable<readonly LostOrder[]> {
  const groups = new Map<string, LostOrder[]>();
  for (const one of lost) {
    const key = `${one.terms} ${one.price} ${one.shares}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups.values();
}

function fits(order: OrderReport, { terms, price, shares, askedAt }: LostOrder, windowUs: number): boolean {
  const isAlike = order.price === price && order.requested === shares;
  const isInTime = order.createdAt === null || Math.abs(order.createdAt - askedAt) <= windowUs;
  return isAlike && isInTime && terms === termsOf(order);
}
