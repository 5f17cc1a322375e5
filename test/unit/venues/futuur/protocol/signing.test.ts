import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson, type JsonObject } from '../../../../../src/venues/futuur/protocol/json-spelling.js';
import { quotePlus, quotedPython } from '../../../../../src/venues/futuur/protocol/signed-values.js';
import {
  RequestKey,
  applicationSecret,
  bodyParameters,
  channelSignature,
  compareCodePoints,
  pairParameters,
  signedText,
  verifyChannelSignature,
  verifySignature,
} from '../../../../../src/venues/futuur/protocol/signing.js';
import { PYTHON } from './vectors/python-signing.js';

const head = { publicKey: PYTHON.publicKey, timestamp: PYTHON.timestamp };
const key = new RequestKey(PYTHON.privateKey);

/** The string that a server signs for a received body. */
function receivedText(body: string): string {
  const { value, spellings } = readJson(body);
  return signedText(head, bodyParameters(value as JsonObject, 'python', spellings));
}

describe('the signature of a real Python client is reproduced', () => {
  it.each(PYTHON.bodies)('for the body $body', ({ body, text, hmac }) => {
    expect(receivedText(body)).toBe(text);
    expect(key.sign(text)).toBe(hmac);
    expect(verifySignature(key, text, hmac)).toBe(true);
  });

  it.each(PYTHON.queries)('for the query $pairs', ({ pairs, text, hmac }) => {
    expect(signedText(head, pairParameters(pairs))).toBe(text);
    expect(key.sign(text)).toBe(hmac);
  });

  it.each(PYTHON.nested)('for the nested value $json', ({ json, repr }) => {
    const { value, spellings } = readJson(json);
    expect(quotedPython(value, spellings)).toBe(quotePlus(repr));
  });

  it.each(PYTHON.channels)('for the channel $channel', ({ channel, socketId, auth }) => {
    const secret = applicationSecret('application secret');
    expect(channelSignature('app', secret, socketId, channel)).toBe(auth);
    expect(verifyChannelSignature('app', secret, socketId, channel, auth)).toBe(true);
    expect(verifyChannelSignature('app', secret, socketId, `${channel}0`, auth)).toBe(false);
    expect(verifyChannelSignature('app', secret, socketId, channel, `${auth}0`)).toBe(false);
  });
});

describe('client and server sign the same text for what JSON.stringify writes', () => {
  const bodies: readonly JsonObject[] = [
    { price: 0.52, shares: '13', market: 2231, event: null, cancel_conflicting_orders: true },
    { orders: [{ price: 1e-7, shares: 1e21, small: 0.00001, whole: 100, minus: -0, text: "it's" }] },
    { price: 1e-7, large: 1e21, zero: -0 },
  ];
  it.each(bodies.flatMap((body) => (['python', 'json', 'omit'] as const).map((style) => ({ body, style }))))(
    '$style: $body',
    ({ body, style }) => {
      const received = readJson(JSON.stringify(body));
      expect(bodyParameters(received.value as JsonObject, style, received.spellings)).toEqual(
        bodyParameters(body, style),
      );
    },
  );
});

describe('the signed string', () => {
  it('keeps the spelling of flat numbers and parses nested ones', () => {
    expect(receivedText('{"shares":100.0,"items":[0.10]}')).toContain('items=%5B0.1%5D&shares=100.0');
  });

  it('of a request without parameters holds Key and Timestamp alone', () => {
    expect(signedText({ publicKey: 'k', timestamp: 5 }, bodyParameters({}, 'python'))).toBe(
      'Key=k&Timestamp=5',
    );
  });

  it('lets the headers win over parameters of their name', () => {
    const text = signedText(
      { publicKey: 'k', timestamp: 5 },
      bodyParameters({ Key: 'x', Timestamp: 1, a: 2 }, 'python'),
    );
    expect(text).toBe('Key=k&Timestamp=5&a=2');
  });

  it('writes nested values as compact JSON under json, and not at all under omit', () => {
    const body = { market: 1, orders: [{ price: null, ok: true, text: 'a b' }] };
    const nested = encodeURIComponent('[{"price":null,"ok":true,"text":"a-b"}]').replace('a-b', 'a+b');
    expect(bodyParameters(body, 'json')).toEqual([
      ['market', '1'],
      ['orders', nested],
    ]);
    expect(bodyParameters(body, 'omit')).toEqual([['market', '1']]);
  });

  it('sorts by code point, where the order of UTF-16 units differs', () => {
    expect(compareCodePoints('\uffee', '\u{1f600}')).toBeLessThan(0);
    expect(['\u{1f600}', '\uffee'].toSorted()).toEqual(['\u{1f600}', '\uffee']);
    expect(compareCodePoints('Z', 'a')).toBeLessThan(0);
    expect(compareCodePoints('a', 'ab')).toBeLessThan(0);
    expect(compareCodePoints('a', 'a')).toBe(0);
  });
});

describe('a signature that is not ours is refused', () => {
  const text = signedText(head, []);
  const good = key.sign(text);

  it.each([
    ['empty', ''],
    ['upper case', good.toUpperCase()],
    ['one digit wrong', `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
    ['too long', `${good}0`],
    ['of SHA-256 length', good.slice(0, 64)],
    ['all zeros', '0'.repeat(128)],
  ])('%s', (_, received) => {
    expect(verifySignature(key, text, received)).toBe(false);
  });

  it('under another key or for another text', () => {
    expect(verifySignature(new RequestKey('other'), text, good)).toBe(false);
    expect(verifySignature(key, `${text}&a=1`, good)).toBe(false);
  });
});

it('a signature is the HMAC-SHA512 of node:crypto, whatever the length of key and text and in one piece or two', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20_000, size: 'max' });
  const secrets = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), {
    minLength: 1,
    maxLength: 2,
  });
  const more = fc.oneof(fc.constant(''), text);
  const signings = fc.array(fc.tuple(fc.nat(1), text, more), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(secrets, signings, (all, signed) => {
      const keys = all.map((secret) => new RequestKey(secret));
      for (const [which, said, behind] of signed) {
        const at = which % keys.length;
        const expected = createHmac('sha512', all[at]!)
          .update(said + behind)
          .digest('hex');
        expect(keys[at]!.sign(said, behind)).toBe(expected);
      }
    }),
  );
});

it('a secret neither prints nor serialises, and is never empty', () => {
  for (const make of [(text: string) => new RequestKey(text), applicationSecret]) {
    const secret = make('very-secret');
    expect(inspect(secret, { depth: 9 }) + JSON.stringify(secret)).not.toContain('very-secret');
    expect(() => make('')).toThrow(RangeError);
  }
});
