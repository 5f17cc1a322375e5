import { writtenId } from '../../../domain/ids.js';
import type { SendEffect, VenueRequest } from '../../../domain/effects.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const SECOND_SEED = 0x9747b28c | 0;
const SECOND_PRIME = 0x5bd1e995;

/**
 * The chain of decisions of a run. Each decision is a line of integers and fixed words in fixed key order, hashed together
 * with the hash before it. Two runs decided the same when their last hashes are equal.
 */
export class DecisionChain {
  /** The two halves of the hash, 32 bits each. */
  private high = FNV_OFFSET;
  private low = SECOND_SEED;
  private length = 0;

  /** @param tell told each line, ending in the hash of those before it (`"prev"`), for a tape or a log; null: nobody */
  constructor(private readonly tell: ((line: string) => void) | null = null) {}

  get count(): number {
    return this.length;
  }

  /** 16 hexadecimal digits. */
  get hash(): string {
    return hexOf(this.high) + hexOf(this.low);
  }

  /** Appends the requests decided on one input. */
  append(seq: number, sends: readonly SendEffect[]): void {
    for (const [index, effect] of sends.entries()) {
      const line = decisionLine(seq, index, effect);
      this.tell?.(`${line.slice(0, -1)},"prev":"${this.hash}"}`);
      this.add(line);
      this.length += 1;
    }
  }

  private add(line: string): void {
    let { high, low } = this;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      high = Math.imul(high ^ code, FNV_PRIME);
      low = (Math.imul(low ^ code, SECOND_PRIME) + (low >>> 13)) | 0;
    }
    this.high = high;
    this.low = low ^ high;
  }
}

const decisionLine = (seq: number, index: number, { requestId, request, deadline }: SendEffect): string =>
  JSON.stringify({ in: seq, n: index, kind: request.kind, requestId, deadline, request: decided(request) });

/**
 * Requests are written key by key, whatever object they come as; an id of digits as a number. Which parts of an order an update states is left out: that
 * follows from the order which the update replaces.
 */
function decided(request: VenueRequest): object {
  const { kind } = request;
  switch (kind) {
    case 'create-orders':
      return { kind, orders: request.orders.map(orderText) };
    case 'replace-orders':
      return { kind, replacements: request.replacements.map(replacementText) };
    case 'cancel-orders':
      return { kind, orderIds: request.orderIds.map(writtenId) };
    case 'cancel-scope':
      return { kind, scope: request.scope };
    case 'read-book':
      return { kind, marketId: writtenId(request.marketId), mode: request.mode };
    case 'read-event':
      return { kind, eventId: writtenId(request.eventId) };
    case 'read-orders':
    case 'read-holdings':
    case 'read-balances':
      return { kind };
  }
}

const orderText = (order: LimitOrder): object => ({
  eventId: writtenId(order.eventId),
  marketId: writtenId(order.marketId),
  side: order.side,
  position: order.position,
  currency: order.currency,
  price: order.price,
  shares: order.shares,
  expiresAt: order.expiresAt,
});

const replacementText = ({ orderId, place, price, shares, expiresAt }: OrderReplacement): object => ({
  orderId: writtenId(orderId),
  place: {
    eventId: writtenId(place.eventId),
    marketId: writtenId(place.marketId),
    side: place.side,
    position: place.position,
    currency: place.currency,
  },
  price,
  shares,
  expiresAt,
});

const hexOf = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
