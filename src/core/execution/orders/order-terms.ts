/** Compares orders by their terms, for lost orders have no id. */
import type { LimitOrder, OrderReport } from '../../../domain/orders.js';
import type { OwnOrder } from './own-order.js';

type Place = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'currency'>;
type Termed = Place & Pick<LimitOrder, 'price' | 'shares'>;

/** The terms of an order that a listing tells, as one text. */
export const termsOf = ({ marketId, side, position, currency, price, shares }: Termed): string =>
  `${marketId} ${side} ${position} ${currency} ${price} ${shares}`;

export const reportedTerms = ({
  marketId,
  side,
  position,
  currency,
  price,
  requested,
}: OrderReport): string => `${marketId} ${side} ${position} ${currency} ${price} ${requested}`;

/** Of an order of ours. */
export const orderedTerms = ({ marketId, side, position, currency, price, requested }: OwnOrder): string =>
  termsOf({ marketId, side, position, currency, price, shares: requested });

/** Do order and report have the same terms? Both are of one market. */
export const sameTerms = (order: OwnOrder, report: OrderReport): boolean =>
  order.side === report.side &&
  order.position === report.position &&
  order.currency === report.currency &&
  order.price === report.price &&
  order.requested === report.requested;

/** The lost orders that are left once each found order has taken the first with its terms. */
export function withoutFound<Order extends Termed>(
  lost: readonly Order[],
  found: readonly Termed[],
): readonly Order[] {
  const left = [...lost];
  for (const one of found) {
    const terms = termsOf(one);
    const at = left.findIndex((order) => termsOf(order) === terms);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
