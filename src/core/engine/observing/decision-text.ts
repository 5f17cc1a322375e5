/** A decision as a line of integers and fixed words in fixed key order. */
import type { SendEffect, VenueRequest } from '../../../domain/effects.js';
import type { LimitOrder, OrderPlace, OrderReplacement } from '../../../domain/orders.js';
import { CURRENCIES, POSITIONS, SIDES } from '../../../domain/vocabulary.js';
import type { RunningHash } from './running-hash.js';

export interface Decided {
  readonly seq: number;
  /** Among the decisions on one input. */
  readonly index: number;
  readonly effect: SendEffect;
}

/** Bodies of effects are plain integers and words and are made in one place each, so their key order is fixed. */
export function decisionLine({ seq, index, effect }: Decided): string {
  const { requestId, request, deadline } = effect;
  return JSON.stringify({
    in: seq,
    n: index,
    kind: request.kind,
    requestId,
    deadline,
    request: decided(request),
  });
}

/** What of an order an update says follows from what stood there: it is no decision. */
const decided = (request: VenueRequest): object =>
  request.kind === 'replace-orders'
    ? { kind: request.kind, replacements: request.replacements.map(unsaid) }
    : request;

const unsaid = ({ orderId, place, price, shares, expiresAt }: OrderReplacement) => ({
  orderId,
  place,
  price,
  shares,
  expiresAt,
});

/** Hashes {@link decisionLine}. That of new and replaced orders, which are nearly all, is hashed without being made. */
export function hashDecision(hash: RunningHash, decided: Decided): void {
  const { request } = decided.effect;
  if (request.kind === 'replace-orders') {
    hashHead(hash, decided, PIECES.replaceOrders, PIECES.replacements);
    hashList(hash, request.replacements, hashReplacement);
  } else if (request.kind === 'create-orders') {
    hashHead(hash, decided, PIECES.createOrders, PIECES.orders);
    hashList(hash, request.orders, hashOrder);
  } else hash.text(decisionLine(decided));
  hash.end();
}

const codesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const PIECES = {
  in: codesOf('{"in":'),
  n: codesOf(',"n":'),
  replaceOrders: codesOf(',"kind":"replace-orders","requestId":'),
  createOrders: codesOf(',"kind":"create-orders","requestId":'),
  deadline: codesOf(',"deadline":'),
  replacements: codesOf(',"request":{"kind":"replace-orders","replacements":['),
  orders: codesOf(',"request":{"kind":"create-orders","orders":['),
  comma: codesOf(','),
  end: codesOf(']}}'),
  orderId: codesOf('{"orderId":'),
  place: codesOf(',"place":{"eventId":'),
  order: codesOf('{"eventId":'),
  marketId: codesOf(',"marketId":'),
  priceAfterPlace: codesOf('},"price":'),
  price: codesOf(',"price":'),
  shares: codesOf(',"shares":'),
  expiresAt: codesOf(',"expiresAt":'),
  null: codesOf('null'),
  endItem: codesOf('}'),
} as const;

/** By side, position and currency, in this order. */
const WORDS: readonly Uint8Array[] = SIDES.flatMap((side) =>
  POSITIONS.flatMap((position) =>
    CURRENCIES.map((currency) =>
      codesOf(`,"side":"${side}","position":"${position}","currency":"${currency}"`),
    ),
  ),
);

function hashHead(
  hash: RunningHash,
  { seq, index, effect }: Decided,
  kind: Uint8Array,
  request: Uint8Array,
): void {
  hash.codes(PIECES.in);
  hash.number(seq);
  hash.codes(PIECES.n);
  hash.number(index);
  hash.codes(kind);
  hash.number(effect.requestId);
  hash.codes(PIECES.deadline);
  hash.number(effect.deadline);
  hash.codes(request);
}

function hashList<Item>(
  hash: RunningHash,
  items: readonly Item[],
  hashItem: (hash: RunningHash, item: Item) => void,
): void {
  for (let at = 0; at < items.length; at++) {
    if (at > 0) hash.codes(PIECES.comma);
    hashItem(hash, items[at]!);
  }
  hash.codes(PIECES.end);
}

function hashReplacement(hash: RunningHash, replacement: OrderReplacement): void {
  hash.codes(PIECES.orderId);
  hash.number(replacement.orderId);
  hash.codes(PIECES.place);
  hashPlace(hash, replacement.place);
  hash.codes(PIECES.priceAfterPlace);
  hashTerms(hash, replacement);
}

function hashOrder(hash: RunningHash, order: LimitOrder): void {
  hash.codes(PIECES.order);
  hashPlace(hash, order);
  hash.codes(PIECES.price);
  hashTerms(hash, order);
}

function hashPlace(hash: RunningHash, { eventId, marketId, side, position, currency }: OrderPlace): void {
  hash.number(eventId);
  hash.codes(PIECES.marketId);
  hash.number(marketId);
  const pair = SIDES.indexOf(side) * POSITIONS.length + POSITIONS.indexOf(position);
  hash.codes(WORDS[pair * CURRENCIES.length + CURRENCIES.indexOf(currency)]!);
}

function hashTerms(
  hash: RunningHash,
  { price, shares, expiresAt }: Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>,
): void {
  hash.number(price);
  hash.codes(PIECES.shares);
  hash.number(shares);
  hash.codes(PIECES.expiresAt);
  if (expiresAt === null) hash.codes(PIECES.null);
  else hash.number(expiresAt);
  hash.codes(PIECES.endItem);
}
