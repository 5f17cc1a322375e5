/** `GET /orders/` (specification 4.5). */
import type { AccountId, OrderId } from '../contract/ids.js';
import { modeOf } from '../../domain/vocabulary.js';
import type { Account } from '../accounts/accounts.js';
import type { Order } from '../accounts/book-accounts.js';
import type { OrderOrdering, OrderQuery, OrderView, Page } from '../contract.js';
import { listedStatus, orderView } from '../orders/orders.js';
import type { State } from '../state.js';
import { byKey, matchesSearch, pageOf } from './listing.js';

/** @returns the account's order, null when it has none of this id */
export function readOrder({ orders }: State, account: AccountId, id: OrderId): OrderView | null {
  const order = orders.find(id);
  return order === null || order.owner.account.id !== account ? null : orderView(order);
}

/** Newest first unless ordered otherwise; the id breaks ties, so that pages never overlap. */
export function listOrders(state: State, id: AccountId, query: OrderQuery): Page<OrderView> {
  const account = state.accounts.find(id);
  const all = account === null ? [] : ordersOf(state, account, query);
  const views = all.filter((order) => matches(order, query)).map(orderView);
  const { ordering } = query;
  views.sort(ordering === undefined ? newestFirst : byKey(KEYS[ordering.field], ordering.descending));
  return pageOf(views, query, (order) => order);
}

const newestFirst = (a: OrderView, b: OrderView): number => b.id - a.id;

function ordersOf({ orders, bookAccounts }: State, account: Account, { status }: OrderQuery): Order[] {
  if (status !== 'filled' && status !== 'canceled')
    return bookAccounts.ofAccount(account).flatMap((owner) => owner.workingOrders());
  return [...orders.finished].filter(({ owner }) => owner.account === account);
}

function matches(order: Order, query: OrderQuery): boolean {
  const { market } = order.owner.book;
  const { category, title } = market.event.config;
  return (
    listedStatus(order.status) === query.status &&
    (query.side ?? order.side) === order.side &&
    (query.marketId ?? market.id) === market.id &&
    (query.eventId ?? market.event.id) === market.event.id &&
    (query.mode ?? modeOf(order.currency)) === modeOf(order.currency) &&
    isCurrency(order, query) &&
    (query.categories?.includes(category.id) ?? true) &&
    matchesSearch(query.search, [title, market.config.title])
  );
}

function isCurrency({ currency }: Order, query: OrderQuery): boolean {
  if (query.currency !== undefined && query.currency.toUpperCase() !== currency) return false;
  return query.currencies?.some((code) => code.toUpperCase() === currency) ?? true;
}

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
