/**
 * Orders that an answer brought, as they stand in the journal. They mostly differ in id and price alone: what neighbours have the
 * same is written once, and twenty of one market take 800 bytes instead of 6,000, which need not be summed, copied and taken in by the kernel.
 */
import type { AnswerBody, ItemOutcome } from '../../domain/answers.js';
import type { OrderReport } from '../../domain/orders.js';

/** The body of an answer to creates or updates. */
export type OrdersBody = Extract<AnswerBody, { readonly kind: 'create-orders' | 'replace-orders' }>;

/** Such a body as `JSON.parse` gives it. In the files of versions 1 to 5 all stand in full. */
export type StoredOrdersBody = OrdersBody | BroughtOrders;

/** All that was asked for, in that order. */
interface BroughtOrders {
  readonly kind: OrdersBody['kind'];
  readonly canceledIds?: Extract<OrdersBody, { kind: 'create-orders' }>['canceledIds'];
  readonly ids: readonly OrderReport['orderId'][];
  readonly prices: readonly OrderReport['price'][];
  /** The rest of a report, and how many in a row have it. */
  readonly runs: readonly (readonly [rest: RestOfReport, orders: number])[];
}

type RestOfReport = Omit<OrderReport, 'orderId' | 'price'>;

/** @returns a JSON object */
export function ordersText(body: OrdersBody): string {
  const columns = columnsText(body.items);
  if (columns === null) return JSON.stringify(body);
  const canceled = body.kind === 'create-orders' ? `"canceledIds":[${body.canceledIds.join(',')}],` : '';
  return `{"kind":"${body.kind}",${canceled}${columns}}`;
}

/** What {@link ordersText} wrote, once it is parsed; what an older version wrote, too. */
export function ordersOf(stored: StoredOrdersBody): OrdersBody {
  if ('items' in stored) return stored;
  const { kind, canceledIds, ids, prices, runs } = stored;
  const rests = runs.flatMap(([rest, orders]) => Array<RestOfReport>(orders).fill(rest));
  const items = ids.map((orderId, index) => {
    const value: OrderReport = { orderId, price: prices[index]!, ...rests[index]! };
    return { ok: true, value } as const;
  });
  return kind === 'create-orders' ? { kind, items, canceledIds: canceledIds ?? [] } : { kind, items };
}

/** @returns null unless every item brought its order */
function columnsText(items: readonly ItemOutcome<OrderReport>[]): string | null {
  let [ids, prices, runs] = ['', '', ''];
  for (let first = 0, next = 0; first < items.length; first = next) {
    const run = orderOf(items[first]!);
    if (run === null) return null;
    for (; next < items.length; next += 1) {
      const order = orderOf(items[next]!);
      if (order === null || !isAlike(order, run)) break;
      ids += `${next > 0 ? ',' : ''}${order.orderId}`;
      prices += `${next > 0 ? ',' : ''}${order.price}`;
    }
    runs += `${first > 0 ? ',' : ''}[${restText(run)},${next - first}]`;
  }
  return `"ids":[${ids}],"prices":[${prices}],"runs":[${runs}]`;
}

const orderOf = (item: ItemOutcome<OrderReport>): OrderReport | null => (item.ok ? item.value : null);

/** As `JSON.stringify` writes it; its words are the venue's own and need no escapes. */
const restText = (order: OrderReport): string =>
  `{"marketId":${order.marketId},"eventId":${order.eventId},"side":"${order.side}","position":"${order.position}",` +
  `"currency":"${order.currency}","status":"${order.status}","requested":${order.requested},"filled":${order.filled},` +
  (order.filledNow === undefined ? '' : `"filledNow":${order.filledNow},`) +
  `"averageFillPrice":${order.averageFillPrice},"createdAt":${order.createdAt},"expiresAt":${order.expiresAt}}`;

/** But for id and price. */
const isAlike = (one: OrderReport, other: OrderReport): boolean =>
  one.marketId === other.marketId &&
  one.side === other.side &&
  one.position === other.position &&
  one.status === other.status &&
  one.requested === other.requested &&
  one.filled === other.filled &&
  one.createdAt === other.createdAt &&
  one.expiresAt === other.expiresAt &&
  one.currency === other.currency &&
  one.eventId === other.eventId &&
  one.averageFillPrice === other.averageFillPrice &&
  one.filledNow === other.filledNow;
