/** `GET /orders/` (specification 4.5). */
import type { AccountId, MarketId, OrderId } from '../../domain/ids.js';
import { modeOf } from '../../domain/vocabulary.js';
import type { Account } from '../money/accounts.js';
import type { ListedOrderStatus, OrderOrdering, OrderQuery, OrderView, Page } from '../contract.js';
import type { Floor } from '../floor.js';
import { listedStatus, orderView } from '../orders/order-words.js';
import { workingOrders } from '../orders/own-orders.js';
import { pageOf } from './paging.js';
import { matchesSearch } from './search.js';

/** @returns the account's order, null when it has none of this id */
export function readOrder(floor: Floor, account: AccountId, id: OrderId): OrderView | null {
  const row = floor.orders.row(id);
  if (row === 0) return null;
  const view = orderView(floor, row);
  return view.account === account ? view : null;
}

/** Newest first unless ordered otherwise; the id breaks ties, so that pages never overlap. */
export function listOrders(floor: Floor, id: AccountId, query: OrderQuery): Page<OrderView> {
  const account = floor.accounts.find(id);
  const all = account === null ? [] : viewsOf(floor, account, query);
  const views = all.filter((order) => matches(floor, order, query));
  views.sort(query.ordering === undefined ? newestFirst : by(query.ordering));
  return pageOf(views, query, (order) => order);
}

function viewsOf(floor: Floor, account: Account, { status, marketId }: OrderQuery): OrderView[] {
  const show = (row: number): OrderView => orderView(floor, row);
  if (status === 'filled' || status === 'canceled') return finishedViews(floor, account, status, marketId);
  const stakes = floor.stakes.ofAccount(account);
  return stakes.flatMap((stake) => workingOrders(floor.orders, stake).map(show));
}

/** An account can have very many: only those that may match are made into views. */
function finishedViews(
  floor: Floor,
  { index }: Account,
  status: ListedOrderStatus,
  marketId: MarketId | undefined,
): OrderView[] {
  const { orders, markets } = floor;
  const views: OrderView[] = [];
  for (const row of orders.finishedOf(index)) {
    if (listedStatus(orders.status(row)) !== status) continue;
    if (marketId !== undefined && markets.bookAt(orders.book(row)).market.id !== marketId) continue;
    views.push(orderView(floor, row));
  }
  return views;
}

function matches(floor: Floor, order: OrderView, query: OrderQuery): boolean {
  return (
    order.status === query.status &&
    (query.side ?? order.side) === order.side &&
    (query.marketId ?? order.marketId) === order.marketId &&
    (query.eventId ?? order.eventId) === order.eventId &&
    (query.mode ?? modeOf(order.currency)) === modeOf(order.currency) &&
    isCurrency(order, query) &&
    isAbout(floor, order, query)
  );
}

function isCurrency({ currency }: OrderView, query: OrderQuery): boolean {
  if (query.currency !== undefined && query.currency.toUpperCase() !== currency) return false;
  return query.currencies?.some((code) => code.toUpperCase() === currency) ?? true;
}

function isAbout(floor: Floor, order: OrderView, { categories, search }: OrderQuery): boolean {
  const market = floor.markets.market(order.marketId);
  if (market === null) return false;
  const { config } = market.event;
  if (categories !== undefined && !categories.includes(config.category.id)) return false;
  return matchesSearch(search, [config.title, market.config.title]);
}

const newestFirst = (a: OrderView, b: OrderView): number => b.id - a.id;

const KEYS: Readonly<Record<OrderOrdering, (order: OrderView) => number | string>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  expired_at: ({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY,
  price: ({ price }) => price ?? 0,
  shares: ({ shares }) => shares,
  amount: ({ amount }) => amount,
  market: ({ marketId }) => marketId,
  side: ({ side }) => side,
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  position: ({ position }) => position,
};

function by({ field, descending }: NonNullable<OrderQuery['ordering']>) {
  const key = KEYS[field];
  return (a: OrderView, b: OrderView): number => {
    const order = compare(key(a), key(b)) || a.id - b.id;
    return descending ? -order : order;
  };
}

/** Of two keys of the same field. */
export const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);
