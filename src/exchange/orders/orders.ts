import type { OrderId } from '../contract/ids.js';
import type { Money, Shares } from '../../domain/units.js';
import type { Order, OrderStatus } from '../accounts/accounts.js';
import type { ListedOrderStatus, OrderView } from '../contract.js';
import { Fifo, Numbered } from '../records.js';

/** All orders. Working orders are kept until they end, the latest finished ones up to a limit. Ids are 1, 2, 3, ... */
export class Orders {
  /** The latest id given. */
  lastId = 0;
  /** In the order in which they ended. */
  readonly finished = new Fifo<Order>();
  private readonly byId = new Numbered<Order>();

  /** @param keep how many finished orders are remembered */
  constructor(private readonly keep: number) {}

  /** @returns null when there is none, or the order ended so long ago that it was forgotten */
  find(id: OrderId): Order | null {
    return this.byId.get(id) ?? null;
  }

  /** A working order that the matching engine named. */
  get(id: OrderId): Order {
    return this.byId.get(id) as Order;
  }

  /** Gives a new order its id. */
  register(order: Order): void {
    this.lastId += 1;
    order.id = this.lastId as OrderId;
    this.byId.set(order.id, order);
  }

  /** Files an order that has ended, and forgets the oldest finished one beyond the limit. */
  finish(order: Order): void {
    this.finished.push(order);
    order.owner.finished.push(order);
    const forgotten = this.finished.size > this.keep ? this.finished.shift() : undefined;
    if (forgotten === undefined) return;
    forgotten.owner.finished.shift();
    this.byId.forget(forgotten.id);
  }

  /** Puts a saved order back; finished ones in the order in which they ended. */
  load(order: Order): void {
    this.byId.set(order.id, order);
    if (isWorking(order)) order.owner.add(order);
    else this.finish(order);
  }
}

export const isWorking = ({ status }: Order): boolean =>
  status === 'processing' || status === 'open' || status === 'partial_filled';

/** REST lists an expired order as `canceled`. */
export const listedStatus = (status: OrderStatus): ListedOrderStatus =>
  status === 'expired' ? 'canceled' : status;

/** The shares asked for; a market order by amount shows what it has filled. */
export const shownShares = ({ requested, filled }: Order): Shares => (requested === 0 ? filled : requested);

/** Price x shares; of a market order its amount, or what it filled when it has none. */
export function shownAmount({ price, requested, amount, filledAmount }: Order): Money {
  if (price !== null) return (price * requested) as Money;
  return amount === 0 ? filledAmount : amount;
}

/** The order as REST shows it. */
export function orderView(order: Order): OrderView {
  const { account, book } = order.owner;
  return {
    id: order.id,
    account: account.id,
    eventId: book.market.event.id,
    marketId: book.market.id,
    side: order.side,
    position: order.position,
    currency: order.currency,
    price: order.price,
    shares: shownShares(order),
    filled: order.filled,
    filledAmount: order.filledAmount,
    amount: shownAmount(order),
    status: listedStatus(order.status),
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
  };
}
