/** Orders of requests whose answer was lost, compared with what may have become of them: they have no ids, only terms. */
import type { LimitOrder, OrderReport } from '../../../domain/orders.js';
import type { OwnOrder } from './own-order.js';

type Place = Pick<LimitOrder, 'marketId' | 'side' | 'position' | 'currency'>;
type Termed = Place & Pick<LimitOrder, 'price' | 'shares'>;

/** All that a listing tells of an order but its id and its times, as a text. */
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

/** Are these the same order as far as a report of its market can tell? */
export const sameTerms = (order: OwnOrder, report: OrderReport): boolean =>
  order.side === report.side &&
  order.position === report.position &&
  order.currency === report.currency &&
  order.price === report.price &&
  order.requested === report.requested;

/** What is left of these once each order that was found has taken the first of its terms. */
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
