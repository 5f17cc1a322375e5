/** Requests that must be refused whatever the state of the exchange: wrong by construction, seeded by fast-check. */
import * as fc from 'fast-check';
import type { Query } from '../wire/venue-client.js';
import type { Plain } from '../wire/venue-signer.js';

/** One request to send. */
export interface BadRequest {
  /** What is wrong with it, for the report of a failure. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Signed and sent; a query in the path itself is not signed. */
  readonly query: Query;
  /** What is signed of a body. */
  readonly parameters: Readonly<Record<string, Plain>>;
  /** The body as text; null for none. */
  readonly text: string | null;
  /** Added to the signed headers, or in their place. */
  readonly headers: Readonly<Record<string, string>>;
}

type Members = Readonly<Record<string, Plain>>;

/** An order that would be taken, on a market that exists. */
const ORDER: Members = {
  market: 2231,
  side: 'bid',
  currency: 'OOM',
  position: 'long',
  price: 0.5,
  shares: '10',
};

const word = fc.string({ maxLength: 12 });
const junk: fc.Arbitrary<Plain> = fc.oneof(
  fc.constant(true),
  fc.constant([]),
  fc.constant({}),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(word, word, { maxKeys: 3 }),
);
const negative = fc.integer({ max: -1 });
const fraction = fc.double({ min: 0.001, max: 1e6, noNaN: true }).filter((value) => !Number.isInteger(value));
const notDecimal = word.filter((text) => !/^\s*[+-]?(\d|\.\d)/.test(text));
const noTime = fc.oneof(
  word.filter((text) => !/^\d{4}-/.test(text)),
  fc.constantFrom('2001-01-01', '2020-02-30T00:00:00Z', '2020-01-01T25:00:00Z', '1999-12-31T23:59:59Z'),
  fc.integer(),
);
const otherWord = (words: readonly string[]): fc.Arbitrary<Plain> =>
  fc.oneof(
    word.filter((text) => !words.includes(text)),
    fc.integer(),
    fc.constant(null),
    junk,
  );

/** Values that no field of this name may have. */
const BAD_VALUES: Readonly<Record<string, fc.Arbitrary<Plain>>> = {
  market: fc.oneof(negative, fraction, word, junk, fc.integer({ min: 10_000, max: 2 ** 31 })),
  side: otherWord(['bid', 'ask']),
  currency: otherWord(['OOM', 'USDC', 'USDT', 'USD']),
  position: otherWord(['long', 'short', 'l', 's']),
  price: fc.oneof(
    negative,
    fc.integer({ min: 1 }),
    fc.constantFrom<Plain>(0, '0', '1', 0.123_45, '0.505', 1e308, '1e400', 5e-324),
    notDecimal,
    junk,
  ),
  shares: fc.oneof(
    negative,
    fc.constantFrom<Plain>(0, '0.00', '1.005', 1e308, '9'.repeat(80), '-0', 'NaN', 'Infinity'),
    notDecimal,
    junk,
  ),
  amount: fc.oneof(negative, fc.constantFrom<Plain>(1e308, '1e99', '0.0000001'), notDecimal, junk),
  expired_at: fc.oneof(noTime, junk),
  cancel_conflicting_orders: fc.oneof(word, fc.integer(), fc.constant(null), fc.constant([])),
};

/** An order with one to three fields that no order may have. */
const badOrder: fc.Arbitrary<Members> = fc
  .subarray(Object.keys(BAD_VALUES), { minLength: 1, maxLength: 3 })
  .chain((fields) =>
    fc
      .record(Object.fromEntries(fields.map((field) => [field, BAD_VALUES[field]!])))
      .map((changes) => ({ ...ORDER, ...(changes as Members) })),
  );

const posted = (what: string, path: string, parameters: Members): BadRequest => ({
  what,
  method: 'POST',
  path,
  query: {},
  parameters,
  text: JSON.stringify(parameters),
  headers: {},
});

const got = (what: string, path: string, query: Query = {}): BadRequest => ({
  what,
  method: 'GET',
  path,
  query,
  parameters: {},
  text: null,
  headers: {},
});

const orders: fc.Arbitrary<BadRequest> = fc.oneof(
  badOrder.map((order) => posted('a bad order', '/orders/', order)),
  fc
    .array(badOrder, { minLength: 1, maxLength: 5 })
    .map((items) => posted('a batch of bad orders', '/orders/batch/', { orders: items })),
  fc
    .oneof(fc.constant<Plain>([]), word, junk, fc.constant(Array.from({ length: 21 }, () => ORDER)))
    .map((items) => posted('a batch of the wrong size', '/orders/batch/', { orders: items })),
);

const badUpdate: fc.Arbitrary<Members> = fc.record({
  id: fc.oneof(negative, fraction, word, junk, fc.integer({ min: 1_000_000 })),
  price: fc.constant('0.4'),
});
const changes: fc.Arbitrary<BadRequest> = fc.oneof(
  fc
    .array(badUpdate, { minLength: 1, maxLength: 5 })
    .map((items) => posted('a batch of bad updates', '/orders/batch-update/', { orders: items })),
  fc
    .oneof(fc.array(fc.oneof(negative, fraction, word), { maxLength: 5 }), word, junk)
    .map((ids) => posted('ids that are none', '/orders/batch-cancel/', { order_ids: ids })),
  fc
    .array(fc.integer({ min: 1_000_000 }), { minLength: 1, maxLength: 30 })
    .map((ids) => posted('ids of no order', '/orders/batch-cancel/', { order_ids: ids })),
  fc
    .tuple(fc.constantFrom('event', 'market'), fc.oneof(negative, fraction, word, junk, fc.constant(null)))
    .map(([field, value]) => posted('a scope that is none', '/orders/cancel-all/', { [field]: value })),
  fc.integer({ min: 1_000_000 }).map((id) => ({
    ...got('an order that there is not', `/orders/${id}/cancel/`),
    method: 'PATCH' as const,
  })),
  fc
    .record({ safe_address: fc.oneof(fc.integer(), junk), chain_id: fc.oneof(word, negative, fraction) })
    .map((body) => posted('a wallet that is none', '/me/safe/', body)),
);

/** Reads with parameters that no listing or book takes. */
const reads: fc.Arbitrary<BadRequest> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/orders/', '/wagers/', '/events/'),
      fc.oneof(
        fc.record({ limit: word.filter((text) => !/^\d+$/.test(text)) }),
        fc.record({ offset: negative }),
        fc.constant({ limit: ['1', '2'] }),
        fc.record({ ordering: word.map((text) => `x${text}`), limit: fc.constant('x') }),
      ),
    )
    .map(([path, query]) => got('a query that is none', path, query)),
  fc.constantFrom('%', 'search=%C3%28', 'search=%zz').map((query) => got('no text', `/orders/?${query}`)),
  word.map((mode) => got('no such mode', '/markets/2231/book/', { currency_mode: `${mode}x` })),
  fc.webPath().map((path) => got('no such path', `/nowhere${encodeURI(path)}`)),
  fc
    .constantFrom('/orders/batch/', '/me/safe/', '/pusher/auth/', '/v2.0/orders/cancel-all/')
    .map((path) => got('the wrong method', path)),
  fc
    .integer({ min: 3_000_000 })
    .map((id) => got('no such market', `/markets/${id}/book/`, { currency_mode: 'play_money' })),
);

/** A request that would be taken, were it signed by its sender. */
const forged: fc.Arbitrary<BadRequest> = fc
  .oneof(
    fc.record({ HMAC: fc.oneof(word, hexadecimal(128)) }),
    fc.record({ Timestamp: fc.oneof(word, fc.integer({ min: 0, max: 1_600_000_000 }).map(String)) }),
    fc.record({ Key: word.filter((text) => !text.startsWith('pk_')) }),
  )
  .map((headers) => ({ ...posted('a forged signature', '/orders/', ORDER), headers: printable(headers) }));

/** Text that was an order and is damaged; whatever it now says, its signature is another's. */
const damaged: fc.Arbitrary<BadRequest> = fc
  .tuple(fc.nat({ max: 100 }), fc.nat({ max: 5 }), fc.string({ unit: 'binary', maxLength: 5 }))
  .map(([at, length, inserted]) => {
    const text = JSON.stringify(ORDER);
    const broken = `${text.slice(0, at)}${inserted}${text.slice(at + length)}`;
    return { ...posted('damaged text', '/orders/', ORDER), text: broken, headers: { HMAC: '0'.repeat(128) } };
  });

const contents: fc.Arbitrary<BadRequest> = fc.oneof(
  fc
    .constantFrom('text/plain', 'application/json; charset=utf-16', 'application/xml', 'x', '')
    .map((type) => ({
      ...posted('another content type', '/orders/', ORDER),
      headers: { 'content-type': type },
    })),
  fc.nat({ max: 3_000 }).map((depth) => ({
    ...posted('deep nesting', '/orders/', ORDER),
    text: '[{"a":'.repeat(depth + 20),
  })),
);

/** Any of them, the ones closest to a good order most often. */
export const badRequest: fc.Arbitrary<BadRequest> = fc.oneof(
  { weight: 6, arbitrary: orders },
  { weight: 4, arbitrary: changes },
  { weight: 3, arbitrary: reads },
  { weight: 2, arbitrary: forged },
  { weight: 2, arbitrary: damaged },
  { weight: 1, arbitrary: contents },
);

function hexadecimal(length: number): fc.Arbitrary<string> {
  const digit = fc.constantFrom(...Array.from('0123456789abcdef'));
  return fc.array(digit, { minLength: length, maxLength: length }).map((digits) => digits.join(''));
}

/** What a client library would send at all. */
const printable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text.replace(/[^ -~]/g, '')]));
