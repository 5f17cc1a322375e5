import * as ids from '../../../src/domain/ids.js';
import type { SendEffect } from '../../../src/domain/effects.js';
import type { MarketId, OrderId } from '../../../src/domain/ids.js';
import type { Answer, AnswerBody, ItemOutcome } from '../../../src/domain/answers.js';
import type { BookInput, Input } from '../../../src/domain/inputs.js';
import type { LimitOrder, OrderReport } from '../../../src/domain/orders.js';
import type { Micros, Money } from '../../../src/domain/units.js';

const RICH = 1e15 as Money;

/** A venue that does whatever it is asked and fills nothing: every order rests until it is replaced or cancelled. */
export class AgreeableVenue {
  readonly #orders = new Map<OrderId, LimitOrder>();
  readonly #books = new Map<MarketId, BookInput>();
  #lastId = 0;

  /** Orders that rest now. */
  get resting(): number {
    return this.#orders.size;
  }

  /** What the next read of the market's book says. */
  shows(book: BookInput): void {
    this.#books.set(book.marketId, book);
  }

  /** @returns the answer to a request, then the private frames that follow it */
  answer({ requestId, request }: SendEffect, at: Micros): readonly Input[] {
    const frames: Input[] = [];
    const body = this.#body(request, frames, at);
    const answer: Answer = { kind: 'answer', requestId, sentAt: at, outcome: { ok: true, body } };
    return [answer, ...frames];
  }

  #body(request: SendEffect['request'], frames: Input[], at: Micros): AnswerBody {
    switch (request.kind) {
      case 'create-orders':
        return {
          kind: 'create-orders',
          items: request.orders.map((order) => this.#rest(order, frames, at)),
          canceledIds: [],
        };
      case 'replace-orders':
        return {
          kind: 'replace-orders',
          items: request.replacements.map(({ orderId, price, shares, expiresAt }) => {
            const old = this.#orders.get(orderId);
            this.#orders.delete(orderId);
            return old === undefined
              ? { ok: false, code: 'NotFound', means: 'not-found' }
              : this.#rest({ ...old, price, shares, expiresAt }, frames, at);
          }),
        };
      case 'cancel-orders':
        return { kind: 'cancel-orders', items: request.orderIds.map((id) => this.#cancel(id)) };
      case 'cancel-scope':
        return { kind: 'cancel-scope', canceledIds: this.#sweep(request.scope), processingIds: [] };
      case 'read-orders':
        return { kind: 'read-orders', orders: [...this.#orders].map(([id, order]) => report(id, order, at)) };
      case 'read-holdings':
        return { kind: 'read-holdings', holdings: [] };
      case 'read-balances':
        return { kind: 'read-balances', balances: new Map([['OOM', RICH]]) };
      case 'read-book':
        return this.#book(request.marketId);
      case 'read-event':
        throw new Error('statuses come from configuration here');
    }
  }

  #rest(order: LimitOrder, frames: Input[], at: Micros): ItemOutcome<OrderReport> {
    const id = ids.orderId((this.#lastId += 1));
    this.#orders.set(id, order);
    const value = report(id, order, at);
    frames.push({
      kind: 'order',
      report: value,
      cancelReason: null,
      systemInitiated: false,
      venueTime: at,
    });
    return { ok: true, value };
  }

  #cancel(id: OrderId): ItemOutcome<OrderId> {
    return this.#orders.delete(id)
      ? { ok: true, value: id }
      : { ok: false, code: 'NotFound', means: 'not-found' };
  }

  #sweep(scope: { readonly kind: string; readonly marketId?: MarketId }): OrderId[] {
    const ids = [...this.#orders].filter(([, order]) => order.marketId === scope.marketId).map(([id]) => id);
    for (const id of ids) this.#orders.delete(id);
    return ids;
  }

  #book(marketId: MarketId): AnswerBody {
    const book = this.#books.get(marketId);
    const empty = { prices: [], shares: [] };
    const { bids, asks } = book ?? { bids: empty, asks: empty };
    return {
      kind: 'read-book',
      marketId,
      mode: 'play_money',
      bids,
      asks,
      ownBids: null,
      ownAsks: null,
      feePerShare: 0 as Money,
    };
  }
}

const report = (orderId: OrderId, order: LimitOrder, at: Micros): OrderReport => ({
  orderId,
  marketId: order.marketId,
  eventId: order.eventId,
  side: order.side,
  position: order.position,
  currency: order.currency,
  price: order.price,
  status: 'open',
  requested: order.shares,
  filled: 0 as OrderReport['requested'],
  averageFillPrice: null,
  createdAt: at,
  expiresAt: order.expiresAt,
});
