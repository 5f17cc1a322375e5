/**
 * Signatures of REST requests (specification 5, facts "Signing"). Neither method nor path is covered, so
 * signed headers fit any other request with the same parameters while the clock window lasts: `HMAC` is as
 * secret as the key itself and is never logged.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject, hash } from 'node:crypto';
import type { Pair } from './shape.js';
import { type JsonObject, type Spellings, NO_SPELLINGS } from './json-spelling.js';
import { quotePlus, type NestedStyle, signedMember } from './signed-values.js';

/** A parameter of a request: plain name, quoted value. */
export type SignedParameter = readonly [name: string, quoted: string];

/** Who signs, and when. */
export interface SignatureHead {
  readonly publicKey: string;
  /** Unix seconds; text, so that a server can use exactly what the header said. */
  readonly timestamp: string | number;
}

/** The secret of an application in a form that neither prints nor serialises. @throws RangeError when it is empty */
export function applicationSecret(secret: string): KeyObject {
  if (secret === '') throw new RangeError('the secret is empty');
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/**
 * Parameters of a JSON body. A request without a body has none, and so has `{}`.
 * @param spellings of the received text on the server; a client that writes with `JSON.stringify` has none
 */
export function bodyParameters(
  body: JsonObject,
  nested: NestedStyle,
  spellings: Spellings = NO_SPELLINGS,
): readonly SignedParameter[] {
  const parameters: SignedParameter[] = [];
  for (const name in body) {
    const quoted = signedMember(body, name, nested, spellings);
    if (quoted !== null) parameters.push([name, quoted]);
  }
  return parameters;
}

/** Parameters of a query string or form body; a repeated name stays repeated, its values sorted. */
export const pairParameters = (pairs: readonly Pair[]): readonly SignedParameter[] =>
  pairs
    .toSorted(([, left], [, right]) => compareCodePoints(left, right))
    .map(([name, value]) => [name, quotePlus(value)] as const);

/**
 * The string to sign: the parameters with `Key` and `Timestamp`, sorted by name in code point order, joined
 * with `&`. A parameter called `Key` or `Timestamp` gives way to the header, as in the reference's `dict.update`.
 */
export const signedText = (head: SignatureHead, parameters: readonly SignedParameter[]): string =>
  signedPieces(head, parameters).join('');

/** The same in two pieces, a long value by itself: in one text it would have to be copied once more to be hashed. */
export function signedPieces(
  head: SignatureHead,
  parameters: readonly SignedParameter[],
): readonly [string, string] {
  const first = parameters[0];
  // So it is with every batch of orders, whose only parameter is a long one.
  if (parameters.length === 1 && first![0] > 'Timestamp')
    return [`${headText(head)}&${quotePlus(first![0])}=`, first![1]];
  const publicKey = quotePlus(head.publicKey);
  const timestamp = quotePlus(String(head.timestamp));
  const others = parameters.filter(([name]) => name !== 'Key' && name !== 'Timestamp');
  const text = [['Key', publicKey] as const, ['Timestamp', timestamp] as const, ...others]
    .sort(([left], [right]) => compareCodePoints(left, right))
    .map(([name, quoted]) => `${quotePlus(name)}=${quoted}`)
    .join('&');
  return [text, ''];
}

/** Many requests of one second have the same, which is quoted once. */
function headText({ publicKey, timestamp }: SignatureHead): string {
  if (publicKey !== lastHead.publicKey || timestamp !== lastHead.timestamp) {
    const text = `Key=${quotePlus(publicKey)}&Timestamp=${quotePlus(String(timestamp))}`;
    lastHead = { publicKey, timestamp, text };
  }
  return lastHead.text;
}

let lastHead: SignatureHead & { readonly text: string } = {
  publicKey: '',
  timestamp: '',
  text: 'Key=&Timestamp=',
};

/** Whether a received `HMAC` header is the signature of the text; takes the same time for any wrong one. */
export function verifySignature(key: RequestKey, text: string, received: string): boolean {
  const expected = Buffer.from(key.sign(text), 'hex');
  const found = /^[0-9a-f]{128}$/.test(received) ? Buffer.from(received, 'hex') : Buffer.alloc(64);
  return timingSafeEqual(expected, found);
}

/** The answer to a channel authorisation: `<app key>:<HMAC-SHA256 of socket_id:channel_name>` (facts, "Signing"). */
export const channelSignature = (
  appKey: string,
  secret: KeyObject,
  socketId: string,
  channel: string,
): string => `${appKey}:${createHmac('sha256', secret).update(`${socketId}:${channel}`).digest('hex')}`;

/** Whether the `auth` of a private subscription was issued by us for this socket and channel. */
export function verifyChannelSignature(
  appKey: string,
  secret: KeyObject,
  socketId: string,
  channel: string,
  received: string,
): boolean {
  const expected = Buffer.from(channelSignature(appKey, secret, socketId, channel));
  const found = Buffer.from(received);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Order of Unicode code points; JavaScript's own order of UTF-16 units differs beyond the basic plane. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above every other unit, so they rank last. */
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

const BLOCK_BYTES = 128;
const DIGEST_BYTES = 64;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;

/**
 * The private key of an account, which signs requests with HMAC-SHA512 (RFC 2104). It neither prints nor serialises.
 * Two hashes at one go instead of `createHmac`, whose objects take as long as hashing a batch of 20 orders does, and
 * longer when the caches are cold.
 */
export class RequestKey {
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;

  /** @throws RangeError when the private key is empty */
  constructor(privateKey: string) {
    if (privateKey === '') throw new RangeError('the private key is empty');
    const block = blockOf(privateKey);
    this.#inner = block.map((byte) => byte ^ INNER_PAD);
    this.#outer = block.map((byte) => byte ^ OUTER_PAD);
  }

  /** @param more of the text, which stands behind it. @returns 128 lowercase hexadecimal digits */
  sign(text: string, more = ''): string {
    this.#makeReady(BLOCK_BYTES + MOST_BYTES_A_UNIT * (text.length + more.length));
    let end = BLOCK_BYTES + toHash.write(text, BLOCK_BYTES);
    if (more !== '') end += toHash.write(more, end);
    // A plain view: `subarray` of a buffer asks it for a constructor first.
    const first = hash('sha512', new Uint8Array(hashed, 0, end), 'binary');
    toSign.write(first, BLOCK_BYTES, 'latin1');
    return hash('sha512', toSign, 'hex');
  }

  /** Both begin with what the key makes of its block, which stays there while no other key signs. */
  #makeReady(most: number): void {
    const isLonger = most > toHash.length;
    if (padOfLast === this.#inner && !isLonger) return;
    if (isLonger) toHash = Buffer.from((hashed = new ArrayBuffer(most)));
    toHash.set(this.#inner);
    toSign.set(this.#outer);
    padOfLast = this.#inner;
  }
}

/** What all keys hash in, one after the other. */
const toSign = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
let hashed = new ArrayBuffer(16_384);
let toHash = Buffer.from(hashed);
/** By which the key is told that signed last. */
let padOfLast: Uint8Array | null = null;

/** A key longer than a block stands for its hash. */
function blockOf(privateKey: string): Uint8Array {
  const key = Buffer.from(privateKey, 'utf8');
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? hash('sha512', key, 'buffer') : key);
  return block;
}
