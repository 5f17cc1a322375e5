import type { RequestedOrder } from '../../../analytics/observer.js';
import type { VenueRequest } from '../../../domain/effects.js';
import type { OrderId } from '../../../domain/ids.js';
import { bookSide } from '../../../domain/vocabulary.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';

interface KnownOrders {
  byId(id: OrderId): OwnOrder | undefined;
}

/** The orders that a request names, as those hear of them who look on; a cancel of an order that we do not know is left out. */
export function requestedOrders(request: VenueRequest, known: KnownOrders): readonly RequestedOrder[] {
  switch (request.kind) {
    case 'create-orders':
      return request.orders.map(requestedOrder);
    case 'replace-orders':
      return request.replacements.map(({ place }) => requestedOrder(place));
    case 'cancel-orders':
      return request.orderIds.flatMap((id) => known.byId(id) ?? []);
    case 'cancel-scope':
    case 'read-orders':
    case 'read-holdings':
    case 'read-balances':
    case 'read-book':
    case 'read-event':
      return NONE;
  }
}

const NONE: readonly RequestedOrder[] = [];

const requestedOrder = ({
  marketId,
  side,
  position,
}: Pick<OwnOrder, 'marketId' | 'side' | 'position'>): RequestedOrder => ({
  marketId,
  bookSide: bookSide(side, position),
});
