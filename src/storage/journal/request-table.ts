/** Requests as version 2 of the journal wrote them: tables, in which every place stands once and every order is a row. */
import type { LimitOrder, OrderPlace, OrderReplacement } from '../../domain/orders.js';

/** Such a request as `JSON.parse` gives it. */
export type TableRequest = CreateTable | ReplaceTable;

interface CreateTable {
  readonly kind: 'create-orders';
  readonly places: readonly OrderPlace[];
  readonly orders: readonly Terms[];
}

interface ReplaceTable {
  readonly kind: 'replace-orders';
  readonly places: readonly OrderPlace[];
  readonly replacements: readonly (readonly [orderId: OrderReplacement['orderId'], ...Terms])[];
}

type Terms = readonly [
  place: number,
  price: LimitOrder['price'],
  shares: LimitOrder['shares'],
  expiresAt: LimitOrder['expiresAt'],
];

/** @returns the request, its orders written out */
export function requestOfTable(table: TableRequest): object {
  const { kind, places } = table;
  if (table.kind === 'create-orders')
    return { kind, orders: table.orders.map((row) => ({ ...places[row[0]], ...termsOf(row) })) };
  const replacements = table.replacements.map(([orderId, ...terms]) => ({
    orderId,
    place: places[terms[0]],
    ...termsOf(terms),
    says: 'all',
  }));
  return { kind, replacements };
}

const termsOf = ([, price, shares, expiresAt]: Terms) => ({ price, shares, expiresAt });
