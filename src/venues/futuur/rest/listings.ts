import type { RequestFailure } from '../../../domain/answers.js';
import type { EventId } from '../../../domain/ids.js';
import {
  type HoldingReport,
  type KnownOrders,
  missedOrders,
  type OrderReport,
} from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { CurrencyMode } from '../../../domain/vocabulary.js';
import type { ListedOrderStatus } from '../protocol/rest/queries.js';
import { allPages } from './all-pages.js';
import { type Caller, orders, wagers } from './calls.js';
import { listEnds } from './ended-orders.js';
import type { Outcome } from '../../outcome.js';
import { mapValue } from '../../outcome.js';

/**
 * Statuses of orders that may still trade, in the direction in which orders move through them: one that advances
 * while the pages are read is met again, never missed.
 */
const ACTIVE: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];

/** Ascending: new orders come last, so pages shift only where orders leave. */
const BY_ID = 'id';
const PAGE_SIZE = 100;
const TOO_MANY_REQUESTS = 429;

/**
 * Every order of the account that may still trade, once each; one met in several statuses counts as in the last.
 * `sentAt` is that of the first page: what was absent then and is absent here was absent throughout.
 */
export async function listActiveOrders(caller: Caller): Promise<Outcome<readonly OrderReport[]>> {
  const found = new Map<string, OrderReport>();
  const begun: (Micros | null)[] = [];
  for (const status of ACTIVE) {
    const outcome = await listStatus(caller, status);
    begun.push(outcome.sentAt);
    if (!outcome.ok) return { ...outcome, sentAt: begun[0] ?? null };
    for (const order of outcome.value) found.set(order.orderId, order);
  }
  return { ok: true, value: [...found.values()], sentAt: begun[0] as Micros };
}

/** What works, and what of the known orders is over; `unread`: nobody could say. */
export interface OrderPass {
  readonly working: readonly OrderReport[];
  readonly ended: readonly OrderReport[] | 'unread';
}

/** Takes what works, when the first byte of the pass left, and what of the missed orders was filled; left out: not read yet. */
type TellInPart = (working: readonly OrderReport[], sentAt: Micros, filled?: readonly OrderReport[]) => void;

/**
 * One pass over the account's orders: what works, then of `filled` and `canceled` as much as shows the ends of known
 * orders that were not among it. An order that was known before is met once, whenever it advances meanwhile. That what
 * is over is read slowly, or cannot be, holds up nobody who has to cancel what works. Where the venue asks for silence
 * meanwhile, that is the outcome: nothing may leave for a time, and what works was told.
 * @param tell called before these lists are read, and between them with those that were filled
 */
export async function listOrders(
  caller: Caller,
  known: KnownOrders | undefined,
  tell: TellInPart = () => undefined,
): Promise<Outcome<OrderPass>> {
  const outcome = await listActiveOrders(caller);
  if (!outcome.ok) return outcome;
  const { value: working, sentAt } = outcome;
  const missed = known === undefined ? null : missedOrders(known, working);
  if (missed === null) return { ok: true, value: { working, ended: [] }, sentAt };
  tell(working, sentAt);
  const ends = await listEnds(caller, missed, (filled) => tell(working, sentAt, filled));
  if (!ends.ok && asksForSilence(ends.failure)) return { ...ends, sentAt };
  return { ok: true, value: { working, ended: ends.ok ? ends.value : 'unread' }, sentAt };
}

const asksForSilence = (failure: RequestFailure): boolean =>
  failure.kind === 'refused' && failure.status === TOO_MANY_REQUESTS;

const listStatus = (caller: Caller, status: ListedOrderStatus): Promise<Outcome<readonly OrderReport[]>> =>
  allPages({
    page: async (offset) => {
      const outcome = await caller(orders({ status, ordering: BY_ID, limit: PAGE_SIZE, offset }));
      return mapValue(outcome, ({ orders: items, nextOffset }) => ({ items, nextOffset }));
    },
    keyOf: (order) => order.orderId,
  });

/**
 * Every holding of the account in a currency mode. The venue counts what is held in a disabled market among the past
 * bets (specification 4.11).
 * @param disabledIn events that have such a market
 */
export async function listHoldings(
  caller: Caller,
  mode: CurrencyMode,
  disabledIn: readonly EventId[],
): Promise<Outcome<readonly HoldingReport[]>> {
  const active = await listWagers(caller, { active: true, currency_mode: mode });
  if (!active.ok) return active;
  const holdings = [...active.value];
  for (const event of disabledIn) {
    const past = await listWagers(caller, { past_bets: true, event: Number(event), currency_mode: mode });
    if (!past.ok) return past;
    holdings.push(...past.value);
  }
  return { ...active, value: holdings };
}

type WagerFilter = Omit<Parameters<typeof wagers>[0], 'limit' | 'offset'>;

const listWagers = (caller: Caller, filter: WagerFilter): Promise<Outcome<readonly HoldingReport[]>> =>
  allPages({
    page: async (offset) => {
      const query = { ...filter, limit: PAGE_SIZE, offset };
      const outcome = await caller(wagers(query));
      return mapValue(outcome, ({ holdings: items, nextOffset }) => ({ items, nextOffset }));
    },
    keyOf: ({ marketId, position, currency }) => `${marketId} ${position} ${currency}`,
  });
