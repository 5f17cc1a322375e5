/** `GET /orders/` (specification 4.5). */
import type { AccountId, EventId, MarketId, OrderId } from '../contract/ids.js';
import { modeOf } from '../../domain/vocabulary.js';
import { byId, type Account, type BookAccount, type Order } from '../accounts/accounts.js';
import type { OrderOrdering, OrderQuery, OrderView, Page } from '../contract.js';
import { listedStatus, orderView, shownAmount, shownShares } from '../orders/orders.js';
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
  const owners =
    account === null ? [] : ownersIn(state, account, query.marketId ?? null, query.eventId ?? null);
  const isFinished = query.status === 'filled' || query.status === 'canceled';
  const orders = owners
    .flatMap((owner) => (isFinished ? [...owner.finished] : [...owner.ordersOn(0), ...owner.ordersOn(1)]))
    .filter((order) => matches(order, query));
  const { ordering } = query;
  orders.sort(
    ordering === undefined ? (a, b) => byId(b, a) : byKey(KEYS[ordering.field], ordering.descending),
  );
  return pageOf(orders, query, orderView);
}

/** What an account has in the books of one market, of an event's markets, or everywhere when neither is named. */
export function ownersIn(
  { markets }: State,
  { inBook }: Account,
  marketId: MarketId | null,
  eventId: EventId | null,
): BookAccount[] {
  if (marketId === null && eventId === null) return [...inBook.values()];
  const event = eventId === null ? null : markets.event(eventId);
  const named = marketId === null ? (event?.markets ?? []) : [markets.market(marketId)];
  return named.flatMap((market) => {
    if (market === null || (eventId !== null && market.event !== event)) return [];
    return markets.both(market).flatMap((book) => inBook.get(book) ?? []);
  });
}

function matches(order: Order, query: OrderQuery): boolean {
  const { market } = order.owner.book;
  const { category, title } = market.event.config;
  return (
    listedStatus(order.status) === query.status &&
    (query.side ?? order.side) === order.side &&
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

const KEYS: Readonly<Record<OrderOrdering, (order: Order) => number | string>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  expired_at: ({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY,
  price: ({ price }) => price ?? 0,
  shares: shownShares,
  amount: shownAmount,
  market: ({ owner }) => owner.book.market.id,
  side: ({ side }) => side,
  currency: ({ currency }) => currency,
  status: ({ status }) => listedStatus(status),
  position: ({ position }) => position,
};
