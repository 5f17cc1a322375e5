/** Which of the orders that we know a listing has missed, and where they are. */
import type { OrderId } from '../../../domain/ids.js';
import type { MissedOrders } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { InheritedIds } from './inherited-ids.js';
import type { OrderBlotter } from './order-blotter.js';
import type { OwnOrder } from './own-order.js';

/** Everything known that may still rest: it changes nothing, and may be asked for between two messages. */
export interface KnownOrders {
  readonly blotter: Pick<OrderBlotter, 'markets' | 'working'>;
  readonly inherited: Pick<InheritedIds, 'unseen'>;
}

/**
 * @param shown   ids that a listing of everything that works has shown
 * @param begunAt when its first byte left: what the venue named since may have come too late for it
 * @returns null when none is missed
 */
export function missedOrders(
  { blotter, inherited }: KnownOrders,
  shown: ReadonlySet<OrderId>,
  begunAt: Micros,
): Omit<MissedOrders, 'pages'> | null {
  const orders = [...blotter.markets()].flatMap((market) =>
    blotter.working(market).filter((order) => isMissed(order, shown, begunAt)),
  );
  const unplaced = [...inherited.unseen].filter((id) => !shown.has(id));
  const ids = new Set([...orders.map(({ orderId }) => orderId as OrderId), ...unplaced]);
  if (ids.size === 0) return null;
  const isPlaced = unplaced.length === 0;
  return {
    ids,
    marketId: isPlaced ? onlyOne(orders.map(({ marketId }) => marketId)) : null,
    eventId: isPlaced ? onlyOne(orders.map(({ eventId }) => eventId)) : null,
  };
}

const isMissed = ({ orderId, namedAt }: OwnOrder, shown: ReadonlySet<OrderId>, begunAt: Micros): boolean =>
  orderId !== null && !shown.has(orderId) && namedAt !== null && namedAt <= begunAt;

function onlyOne<Id>(ids: readonly Id[]): Id | null {
  const [first = null] = ids;
  return ids.every((id) => id === first) ? first : null;
}
