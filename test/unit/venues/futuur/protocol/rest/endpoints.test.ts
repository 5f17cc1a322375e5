import { describe, expect, it } from 'vitest';
import {
  AUTHORIZE_CHANNEL_PATH,
  ENDPOINTS,
  pathOf,
} from '../../../../../../src/venues/futuur/protocol/rest/endpoints.js';
import {
  CONTENT_TYPES,
  HEADERS,
  headersOf,
  type HeaderValues,
  readRetryAfterMs,
  readTimestampHeader,
} from '../../../../../../src/venues/futuur/protocol/rest/headers.js';

describe('the endpoints of specification 4', () => {
  it.each([
    ['me', 'GET', '/me/', 'signed', 200],
    ['registerWallet', 'POST', '/me/safe/', 'signed', 200],
    ['balances', 'GET', '/me/balances/', 'signed', 200],
    ['createOrder', 'POST', '/orders/', 'signed', 201],
    ['orders', 'GET', '/orders/', 'signed', 200],
    ['cancelOrder', 'PATCH', '/orders/:id/cancel/', 'signed', 204],
    ['batchCreate', 'POST', '/orders/batch/', 'signed', 200],
    ['batchUpdate', 'POST', '/orders/batch-update/', 'signed', 200],
    ['batchCancel', 'POST', '/orders/batch-cancel/', 'signed', 200],
    ['cancelAll', 'POST', '/orders/cancel-all/', 'signed', 200],
    ['wagers', 'GET', '/wagers/', 'optional', 200],
    ['wager', 'GET', '/wagers/:id/', 'optional', 200],
    ['eventWagers', 'GET', '/events/:id/wagers/', 'signed', 200],
    ['book', 'GET', '/markets/:id/book/', 'optional', 200],
    ['priceHistory', 'GET', '/events/:id/price_history/', 'none', 200],
    ['tax', 'GET', '/events/:id/get_tax/', 'none', 200],
    ['authorizeChannel', 'POST', '/pusher/auth/', 'signed', 200],
    ['events', 'GET', '/events/', 'none', 200],
    ['event', 'GET', '/events/:id/', 'none', 200],
    ['market', 'GET', '/markets/:id/', 'none', 200],
    ['user', 'GET', '/users/:id/', 'none', 200],
    ['rebates', 'GET', '/wagers/rebates/', 'signed', 200],
  ] as const)('%s is %s %s', (name, method, path, auth, success) => {
    expect(ENDPOINTS[name]).toMatchObject({ method, path, auth, success });
  });

  it('take an idempotency key on create, batch create and batch update alone', () => {
    const names = Object.entries(ENDPOINTS).filter(([, endpoint]) => endpoint.idempotent);
    expect(names.map(([name]) => name)).toEqual(['createOrder', 'batchCreate', 'batchUpdate']);
  });

  it('refuse a repeated body on create and batch create alone', () => {
    const names = Object.entries(ENDPOINTS).filter(([, endpoint]) => endpoint.refusesRepeats);
    expect(names.map(([name]) => name)).toEqual(['createOrder', 'batchCreate']);
  });

  it('give paths with their ids, and no path without one that is needed', () => {
    expect(pathOf(ENDPOINTS.cancelOrder.path, 501)).toBe('/orders/501/cancel/');
    expect(pathOf(ENDPOINTS.me.path)).toBe('/me/');
    expect(AUTHORIZE_CHANNEL_PATH).toBe('/v2.0/pusher/auth/');
    for (const wrong of [Number.NaN, -1, 1.5, 2 ** 53]) {
      expect(() => pathOf(ENDPOINTS.book.path, wrong)).toThrow(RangeError);
    }
  });
});

describe('headers', () => {
  const parts: [values: object, headers: object][] = [
    [{ contentType: CONTENT_TYPES.json }, { [HEADERS.contentType]: 'application/json' }],
    [{ idempotencyKey: 'run-1' }, { [HEADERS.idempotencyKey]: 'run-1' }],
    [
      { signature: { publicKey: 'pk', timestamp: '1767225600', hmac: 'ab' } },
      { [HEADERS.key]: 'pk', [HEADERS.timestamp]: '1767225600', [HEADERS.hmac]: 'ab' },
    ],
  ];
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('say what there is to say, and nothing else (%i)', (chosen) => {
    const nothing = { userAgent: 'bot', contentType: null, idempotencyKey: null, signature: null };
    const said = parts.filter((_, index) => (chosen & (1 << index)) !== 0);
    const values = said.map(([value]) => value);
    const headers = said.map(([, header]) => header);
    expect(headersOf(Object.assign(nothing, ...values) as HeaderValues)).toEqual(
      Object.assign({ accept: 'application/json', 'user-agent': 'bot' }, ...headers),
    );
  });

  it.each([
    ['1767225600', 1_767_225_600],
    ['', null],
    [undefined, null],
    ['-1', null],
    ['1767225600.5', null],
    ['1e9', null],
    ['9999999999999', null],
  ])('a timestamp of %j is %j', (text, seconds) => {
    expect(readTimestampHeader(text)).toBe(seconds);
  });

  it.each([
    ['3600', 3_600_000],
    ['0', 0],
    [undefined, null],
    ['soon', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  ])('a Retry-After of %j is %j ms', (text, ms) => {
    expect(readRetryAfterMs(text)).toBe(ms);
  });
});
