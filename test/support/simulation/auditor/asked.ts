import type { MarketId, OrderId } from '../../../../src/exchange/contract/ids.js';
import { complement } from '../../../../src/domain/units.js';
import type { Currency, Position, Side } from '../../../../src/domain/vocabulary.js';
import type { Letter } from '../venue-record.js';
import type { Register, RegisteredOrder } from './register.js';

/** What an order is told by; prices are of the named position, shares the whole size. */
export interface Terms {
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly price: number;
  readonly requested: number;
}

interface AskedItem {
  readonly market?: MarketId;
  readonly side?: Side;
  readonly position?: Position;
  readonly currency?: Currency;
  /** Of the order that is to be replaced. */
  readonly id?: OrderId;
  readonly price: string | number;
  /** Left out of an update that leaves the size as it is. */
  readonly shares?: string;
}

/** Orders that a letter asks for, in its order; null for the replacement of one that the venue never told of. */
export function askedBy({ endpoint, body }: Letter, register: Register): readonly (Terms | null)[] {
  if (endpoint !== 'batchCreate' && endpoint !== 'batchUpdate') return [];
  const { orders } = JSON.parse(body) as { readonly orders: readonly AskedItem[] };
  return orders.map((item) => termsOf(item, register));
}

function termsOf(item: AskedItem, register: Register): Terms | null {
  const price = Math.round(Number(item.price) * 10_000);
  const requested = item.shares === undefined ? null : Math.round(Number(item.shares) * 100);
  if (item.id === undefined)
    return {
      marketId: item.market!,
      side: item.side!,
      position: item.position!,
      currency: item.currency!,
      price,
      requested: requested!,
    };
  const old = register.orders.get(item.id);
  return old === undefined ? null : { ...termsIn(old), price, requested: requested ?? old.requested };
}

const termsIn = ({
  marketId,
  side,
  position,
  currency,
}: RegisteredOrder): Omit<Terms, 'price' | 'requested'> => ({
  marketId,
  side,
  position,
  currency,
});

export const isOfTerms = (order: RegisteredOrder, terms: Terms): boolean =>
  order.marketId === terms.marketId &&
  order.side === terms.side &&
  order.position === terms.position &&
  order.currency === terms.currency &&
  order.price === terms.price &&
  order.requested === terms.requested;

export const longPriceOf = ({ position, price }: Pick<Terms, 'position' | 'price'>): number =>
  position === 'long' ? price : complement(price as never);
