/**
 * Requests as they stand in the journal. Creates and updates are tables: every place once, then a row for each order
 * with the number of its place. A batch names one or two places, and what is not written need not be summed, copied and
 * taken in by the kernel before the first byte of the request may leave.
 */
import type { VenueRequest } from '../domain/effects.js';
import type { LimitOrder, OrderPlace, OrderReplacement } from '../domain/orders.js';

/** @returns a JSON object */
export function requestText(request: VenueRequest): string {
  if (request.kind === 'create-orders') return createText(request.orders);
  if (request.kind === 'replace-orders') return replaceText(request.replacements);
  return JSON.stringify(request);
}

/** What {@link requestText} wrote, once it is parsed; a request that stands as it is comes back as it is. */
export function requestOf(stored: StoredRequest): VenueRequest {
  if (!('places' in stored)) return stored;
  const { places } = stored;
  const request =
    stored.kind === 'create-orders'
      ? { kind: stored.kind, orders: stored.orders.map((row) => orderOf(row, places)) }
      : { kind: stored.kind, replacements: stored.replacements.map((row) => replacementOf(row, places)) };
  // Whatever is in the journal had been approved before it got there.
  return request as unknown as VenueRequest;
}

/** A request as `JSON.parse` gives it. */
export type StoredRequest = VenueRequest | StoredCreate | StoredReplace;

interface StoredCreate {
  readonly kind: 'create-orders';
  readonly places: readonly OrderPlace[];
  readonly orders: readonly OrderRow[];
}

interface StoredReplace {
  readonly kind: 'replace-orders';
  readonly places: readonly OrderPlace[];
  readonly replacements: readonly ReplacementRow[];
}

type Terms = readonly [
  place: number,
  price: LimitOrder['price'],
  shares: LimitOrder['shares'],
  expiresAt: LimitOrder['expiresAt'],
];
type OrderRow = Terms;
type ReplacementRow = readonly [orderId: OrderReplacement['orderId'], ...Terms];

function createText(orders: readonly LimitOrder[]): string {
  const places = new Places();
  const rows = rowsText(orders, (order) => `${places.numberOf(order)},`);
  return `{"kind":"create-orders","places":[${places.text}],"orders":[${rows}]}`;
}

function replaceText(replacements: readonly OrderReplacement[]): string {
  const places = new Places();
  const rows = rowsText(replacements, ({ orderId, place }) => `${orderId},${places.numberOf(place)},`);
  return `{"kind":"replace-orders","places":[${places.text}],"replacements":[${rows}]}`;
}

type Termed = Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>;

/** Shares and expiry are mostly the same in a whole batch, so they are spelled once. @param startOf what precedes a price */
function rowsText<Item extends Termed>(items: readonly Item[], startOf: (item: Item) => string): string {
  let [rows, lead, end, joint] = ['', '[', '', ''];
  let before: Item | null = null;
  for (const item of items) {
    const { price, shares, expiresAt } = item;
    rows += `${lead}${startOf(item)}${price}`;
    if (before?.shares !== shares || before.expiresAt !== expiresAt) {
      end = `,${shares},${expiresAt}]`;
      joint = `${end},[`;
    }
    lead = joint;
    before = item;
  }
  return rows + end;
}

const orderOf = ([place, price, shares, expiresAt]: OrderRow, places: readonly OrderPlace[]): LimitOrder => ({
  ...places[place]!,
  price,
  shares,
  expiresAt,
});

const replacementOf = (
  [orderId, place, price, shares, expiresAt]: ReplacementRow,
  places: readonly OrderPlace[],
): OrderReplacement => ({ orderId, place: places[place]!, price, shares, expiresAt });

/** Numbers places in the order in which they first appear. */
class Places {
  readonly #places: OrderPlace[] = [];
  text = '';

  /** The orders of a market follow each other, so the place is mostly one of the last. */
  numberOf(place: OrderPlace): number {
    for (let number = this.#places.length - 1; number >= 0; number--)
      if (isSame(this.#places[number]!, place)) return number;
    this.text += (this.#places.length > 0 ? ',' : '') + placeText(place);
    return this.#places.push(place) - 1;
  }
}

const isSame = (left: OrderPlace, right: OrderPlace): boolean =>
  left.marketId === right.marketId &&
  left.side === right.side &&
  left.position === right.position &&
  left.eventId === right.eventId &&
  left.currency === right.currency;

const placeText = ({ eventId, marketId, side, position, currency }: OrderPlace): string =>
  `{"eventId":${eventId},"marketId":${marketId},"side":"${side}","position":"${position}","currency":"${currency}"}`;
