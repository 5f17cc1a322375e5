/**
 * Requests as they stand in the journal, beside their bodies. Of creates and updates only what the body does not say is
 * written: an update names no place, and of the terms only what changes. What is not written need not be summed, copied and
 * taken in by the kernel before the first byte of the request may leave.
 */
import type { VenueRequest } from '../../domain/effects.js';
import type { OrderPlace, OrderReplacement, Said } from '../../domain/orders.js';
import { readPrice, readShares } from '../../venues/futuur/protocol/decimals.js';
import type {
  BatchCreate,
  BatchUpdate,
  OrderUpdateItem,
} from '../../venues/futuur/protocol/rest/order-batches.js';
import { readOptionalTimestamp } from '../../venues/futuur/protocol/timestamps.js';
import { requestOfTable, type TableRequest } from './request-table.js';

/** @returns a JSON object */
export function requestText(request: VenueRequest): string {
  if (request.kind === 'create-orders') return CREATE_TEXT;
  if (request.kind === 'replace-orders') return replaceText(request.replacements);
  return JSON.stringify(request);
}

/** What {@link requestText} wrote, once it is parsed; what an older version wrote, too. @param body of the request, parsed */
export function requestOf(stored: StoredRequest, body: unknown): VenueRequest {
  if ('runs' in stored) return approved(replaceOf(stored, body as BatchUpdate));
  if ('places' in stored) return approved(requestOfTable(stored));
  if (isInBody(stored)) return approved(createOf(body as BatchCreate));
  return stored.kind === 'replace-orders' ? approved(replaceInFull(stored)) : stored;
}

/** A request as `JSON.parse` gives it. */
export type StoredRequest = VenueRequest | StoredCreate | StoredReplace | TableRequest;

interface StoredCreate {
  readonly kind: 'create-orders';
}

interface StoredReplace {
  readonly kind: 'replace-orders';
  readonly places: readonly OrderPlace[];
  /** The numbers of places, each with how many replacements in a row are about it. */
  readonly runs: readonly (readonly [place: number, items: number])[];
  /** Size and expiry, each with how many replacements in a row have both; in version 4 bodies said them. */
  readonly terms?: readonly (readonly [...KeptTerms, items: number])[];
}

type KeptTerms = readonly [shares: OrderReplacement['shares'], expiresAt: OrderReplacement['expiresAt']];

const CREATE_TEXT = JSON.stringify({ kind: 'create-orders' } satisfies StoredCreate);

function replaceText(replacements: readonly OrderReplacement[]): string {
  const places = new Places();
  let runs = '';
  for (let first = 0, next = 0; first < replacements.length; first = next) {
    const { place } = replacements[first]!;
    while (next < replacements.length && isSame(replacements[next]!.place, place)) next += 1;
    runs += `${first > 0 ? ',' : ''}[${places.numberOf(place)},${next - first}]`;
  }
  return `{"kind":"replace-orders","places":[${places.text}],"runs":[${runs}],"terms":[${termsText(replacements)}]}`;
}

function termsText(replacements: readonly OrderReplacement[]): string {
  let text = '';
  for (let first = 0, next = 0; first < replacements.length; first = next) {
    const { shares, expiresAt } = replacements[first]!;
    while (next < replacements.length && hasTerms(replacements[next]!, shares, expiresAt)) next += 1;
    text += `${first > 0 ? ',' : ''}[${shares},${expiresAt},${next - first}]`;
  }
  return text;
}

const hasTerms = (one: OrderReplacement, shares: number, expiresAt: number | null): boolean =>
  one.shares === shares && one.expiresAt === expiresAt;

const isInBody = (stored: VenueRequest | StoredCreate): stored is StoredCreate =>
  stored.kind === 'create-orders' && !('orders' in stored);

const createOf = ({ orders }: BatchCreate) => ({
  kind: 'create-orders',
  orders: orders.map(({ event, market, side, position, currency, price, shares, expired_at }) => ({
    eventId: event,
    marketId: market,
    side,
    position,
    currency,
    price: readPrice(price, 'price'),
    shares: readShares(shares, 'shares'),
    expiresAt: readOptionalTimestamp(expired_at, 'expired_at'),
  })),
});

function replaceOf({ places, runs, terms }: StoredReplace, { orders }: BatchUpdate) {
  const placeOfItem = runs.flatMap(([place, items]) => Array<OrderPlace>(items).fill(places[place]!));
  const termsOfItem = terms?.flatMap(([shares, expiresAt, items]) =>
    Array.from({ length: items }, (): KeptTerms => [shares, expiresAt]),
  );
  const replacements = orders.map((item, index) => {
    const [shares, expiresAt] = termsOfItem?.[index] ?? termsIn(item);
    const price = readPrice(item.price, 'price');
    return { orderId: item.id, place: placeOfItem[index], price, shares, expiresAt, says: saidIn(item) };
  });
  return { kind: 'replace-orders', replacements };
}

const termsIn = ({ shares, expired_at }: OrderUpdateItem) =>
  [readShares(shares, 'shares'), readOptionalTimestamp(expired_at, 'expired_at')] as const;

const saidIn = ({ shares, expired_at }: OrderUpdateItem): Said => {
  if (expired_at === undefined) return shares === undefined ? 'price' : 'price-and-shares';
  return shares === undefined ? 'price-and-expiry' : 'all';
};

/** Of version 1, whose bodies said everything. */
const replaceInFull = ({ kind, replacements }: Extract<VenueRequest, { kind: 'replace-orders' }>) => ({
  kind,
  replacements: replacements.map((item) => ({ ...item, says: item.says ?? 'all' })),
});

/** Whatever is in the journal had been approved before it got there. */
const approved = (request: object): VenueRequest => request as unknown as VenueRequest;

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

/** What passed the gate in one go mostly has one place for a whole run. */
const isSame = (left: OrderPlace, right: OrderPlace): boolean =>
  left === right ||
  (left.marketId === right.marketId &&
    left.side === right.side &&
    left.position === right.position &&
    left.eventId === right.eventId &&
    left.currency === right.currency);

/** A place that was written, and its text. */
interface WrittenPlace {
  readonly place: OrderPlace;
  readonly text: string;
}

/** By market, side and position: the same places are written again and again. */
const writtenPlaces = new Map<number, WrittenPlace>();

function placeText(place: OrderPlace): string {
  const number = 4 * place.marketId + (place.side === 'bid' ? 0 : 2) + (place.position === 'long' ? 0 : 1);
  const known = writtenPlaces.get(number);
  if (known !== undefined && isSame(known.place, place)) return known.text;
  const { eventId, marketId, side, position, currency } = place;
  const text = JSON.stringify({ eventId, marketId, side, position, currency });
  writtenPlaces.set(number, { place, text });
  return text;
}
