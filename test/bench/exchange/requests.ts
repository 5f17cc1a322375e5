/** Signed order requests as bytes. */
import {
  RequestKey,
  bodyParameters,
  pairParameters,
  signedText,
} from '../../../src/venues/futuur/protocol/signing.js';
import type { JsonObject } from '../../../src/venues/futuur/protocol/json-spelling.js';
import { ACCOUNTS, privateKey, publicKey } from './venue.js';

const KEYS = Array.from({ length: ACCOUNTS + 1 }, (_, account) => new RequestKey(privateKey(account)));
const TICKS = 30;
const LOWEST_TICK = 35;
/** More than are sent within the second in which the same order would be refused as a copy. */
const DIFFERENT = 90_000;
let made = 0;

/** A limit order near the middle; about half of them meet another, and no two are the same. */
function order(): JsonObject {
  made += 1;
  return {
    market: 1,
    side: 'bid',
    currency: 'OOM',
    position: made % 2 === 0 ? 'long' : 'short',
    price: (LOWEST_TICK + ((Math.imul(made, 2_654_435_761) >>> 8) % TICKS)) / 100,
    shares: `${1 + (made % DIFFERENT)}.25`,
    cancel_conflicting_orders: true,
  };
}

/** A read, signed now. @param path with its query, whose pairs are in the order of their names */
export function readRequest(
  account: number,
  path: string,
  pairs: readonly (readonly [string, string])[],
): Buffer {
  const timestamp = Math.floor(Date.now() / 1_000);
  const head = { publicKey: publicKey(account), timestamp };
  const digest = KEYS[account]!.sign(signedText(head, pairParameters(pairs)));
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n` +
      `Key: ${head.publicKey}\r\nTimestamp: ${timestamp}\r\nHMAC: ${digest}\r\n\r\n`,
  );
}

/** The whole request, signed now. @param orders 1: a single order, more: a batch of so many */
export function orderRequest(orders: number): Buffer {
  const body = orders === 1 ? order() : { orders: Array.from({ length: orders }, order) };
  const account = 1 + (made % ACCOUNTS);
  const timestamp = Math.floor(Date.now() / 1_000);
  const text = JSON.stringify(body);
  const head = { publicKey: publicKey(account), timestamp };
  const digest = KEYS[account]!.sign(signedText(head, bodyParameters(body, 'python')));
  return Buffer.from(
    `POST ${orders === 1 ? '/orders/' : '/orders/batch/'} HTTP/1.1\r\nHost: localhost\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `Key: ${head.publicKey}\r\nTimestamp: ${timestamp}\r\nHMAC: ${digest}\r\n\r\n${text}`,
  );
}
