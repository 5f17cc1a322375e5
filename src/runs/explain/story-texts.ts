/** What a story says of an order in words. */
import type { Answer } from '../../domain/answers.js';
import type { LimitOrder, OrderReport } from '../../domain/orders.js';
import { PRICE_ONE, wholeShares } from '../../domain/units.js';
import type { OrderNews } from '../../core/execution/orders/order-news.js';

/** `12.5 at 0.48`: whole shares and currency. */
export const priceText = ({ price, shares }: Pick<LimitOrder, 'price' | 'shares'>): string =>
  `${wholeShares(shares)} at ${price / PRICE_ONE}`;

/** `bid 12.5 at 0.48 long`. */
export const sizeText = (order: LimitOrder): string => `${order.side} ${priceText(order)} ${order.position}`;

/** The status that the venue gives it, with what was traded where it says so. */
export function reportText({ status, requested, filled }: OrderReport): string {
  const part = filled === null ? '' : `, ${wholeShares(filled)} of ${wholeShares(requested)} filled`;
  return `${status}${part}`;
}

/** What has become of it, but for its fills. */
export const newsText = (item: Exclude<OrderNews, { kind: 'filled' | 'contradicted' }>): string => {
  if (item.kind === 'ended') return `over: ${item.order.ending ?? 'ended'}`;
  if (item.kind === 'refused') return `refused: ${item.code}`;
  return item.kind === 'not-sent' ? `kept back: ${item.reason}` : item.kind;
};

/** Why a request brought no answer that can be used, and what that means. */
export const failureText = (failure: Extract<Answer['outcome'], { ok: false }>['failure']): string =>
  failure.kind === 'refused'
    ? `refused with ${failure.status} ${failure.code}: ${failure.detail}`
    : failure.kind === 'not-sent'
      ? `never left: ${failure.reason}`
      : `no usable answer (${failure.reason}); it may have happened`;
