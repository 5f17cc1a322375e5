/** What no well-behaved client sends: a 4xx with a clear body or a closed connection, and nothing changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import { RawSocket } from '../support/wire/raw-socket.js';
import { unixNow, type WireAnswer } from '../support/wire/venue-client.js';
import { signHeaders } from '../support/wire/venue-signer.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

const ALICE = { publicKey: 'pk_alice', privateKey: 'sk_alice' };
const send = (text: string | Buffer, path = '/orders/'): Promise<WireAnswer> =>
  scene.as('alice').post(path, {}, { text });

describe('bodies', () => {
  test.each([
    ['no JSON', '{"market":'],
    ['two documents', '{}{}'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['NaN', '{"market":2231,"price":NaN}'],
    ['Infinity', '{"price":Infinity}'],
    ['a number beyond a double', '{"price":1e999}'],
    ['a comment', '{"market":1/*one*/}'],
    ['a trailing comma', '{"market":1,}'],
    ['a repeated member', '{"market":2231,"market":2232}'],
    ['a repeated member, spelled differently', '{"price":0.1,"\\u0070rice":0.9}'],
    ['half a surrogate pair', '{"search":"\\ud800"}'],
    ['a control character', '{"side":"b\u0001id"}'],
    ['nesting of ten thousand', '['.repeat(10_000)],
    ['nesting of ten thousand objects', '{"a":'.repeat(10_000)],
    ['a byte order mark', '\ufeff{}'],
  ])('%s: 400 MalformedBody', async (_what, text) => {
    const answer = await send(text);
    expect([answer.status, answer.at('error')]).toEqual([400, 'MalformedBody']);
    expect(answer.at('detail')).toEqual(expect.any(String));
  });

  test('bytes that are no UTF-8: 400', async () => {
    const answer = await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect(answer.at('error')).toBe('MalformedBody');
  });

  test.each([
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('content type %s: 415', async (type) => {
    const answer = await scene
      .as('alice')
      .post('/orders/', { market: 1 }, { headers: { 'content-type': type } });
    expect([answer.status, answer.at('error')]).toEqual([415, 'UnsupportedMediaType']);
  });

  test.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
    'content type %s is JSON',
    async (type) => {
      const answer = await scene
        .as('alice')
        .post('/orders/', { market: 1 }, { headers: { 'content-type': type } });
      expect(answer.at('error')).toBe('ValidationError');
    },
  );

  test('a body of more than 1 MB: 413', async () => {
    const answer = await send(`{"search":"${'x'.repeat(1_048_577)}"}`);
    expect([answer.status, answer.at('error')]).toEqual([413, 'BodyTooLarge']);
  });

  test('a body that grows beyond 1 MB without saying so', async () => {
    const socket = new RawSocket(scene.exchange.restUrl);
    socket.write(head('POST /orders/', ['Transfer-Encoding: chunked', 'Content-Type: application/json']));
    for (let at = 0; at < 20; at++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    expect(await socket.ended).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('an array of a hundred thousand: 400, naming the field', async () => {
    const orders = `{"orders":[${Array.from({ length: 100_000 }, () => '1').join(',')}]}`;
    const signed = (): string => 'not asked for';
    const answer = await scene.as('alice').post('/orders/batch/', {}, { text: orders, signed });
    expect(answer.status).toBe(401);
    const ids = Array.from({ length: 30_000 }, () => 'x');
    const named = await scene.as('alice').post('/orders/batch-cancel/', { order_ids: ids });
    expect(named.status).toBe(400);
    expect(named.text.length).toBeLessThan(10_000);
  });
});

describe('values', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await scene.market();
  });
  test.each([
    ['price', 1e308],
    ['price', -1e308],
    ['price', 5e-324],
    ['price', '1e400'],
    ['price', 'NaN'],
    ['price', 'Infinity'],
    ['price', '0x1'],
    ['price', '０.５'],
    ['price', ''],
    ['price', []],
    ['price', {}],
    ['price', true],
    ['shares', '1e308'],
    ['shares', '9'.repeat(60)],
    ['shares', '9'.repeat(100)],
    ['shares', [10]],
    ['shares', { $gt: 0 }],
    ['amount', 1e308],
    ['amount', '-1'],
    ['market', -1],
    ['market', 1.5],
    ['market', '2231'],
    ['market', 2 ** 53],
    ['market', null],
    ['event', 'x'],
    ['side', ['bid']],
    ['currency', '__proto__'],
    ['currency', 'constructor'],
    ['position', 'toString'],
    ['expired_at', 1735689600],
    ['expired_at', 'now()'],
    ['cancel_conflicting_orders', 'yes'],
    ['cancel_conflicting_orders', 1],
  ] as const)('%s = %j: 400, naming the field or with a code', async (field, value) => {
    const answer = await scene.order('alice', market, { [field]: value });
    expect(answer.status).toBe(400);
    const { error, fields = {} } = answer.body as { error: string; fields?: object };
    const named =
      error === 'ValidationError' ? Object.keys(fields).map((name) => name.split('.')[0]) : [error];
    expect([field, 'InvalidShares', 'OrderBookInvalidAmount']).toContain(named[0]);
  });

  test('members that are not ours are signed and ignored', async () => {
    const answer = await scene.order('alice', market, { admin: true, balance: '1000000' });
    expect(answer.status).toBe(201);
    expect(answer.at('admin')).toBeUndefined();
  });

  test('a member called __proto__ changes nothing', async () => {
    const text = `{"__proto__":{"market":${market.market},"side":"bid","currency":"OOM"}}`;
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}&__proto__=` +
      `%7B%27market%27%3A+${market.market}%2C+%27side%27%3A+%27bid%27%2C+%27currency%27%3A+%27OOM%27%7D`;
    const answer = await scene.as('alice').post('/orders/', {}, { text, signed });
    expect(answer.at('fields.market')).toEqual(['is required']);
  });
});

describe('paths and queries', () => {
  test.each([
    '/markets/2231%27%20OR%201=1/book/?currency_mode=play_money',
    '/markets/%2e%2e/%2e%2e/etc/passwd',
    '/orders/99999999999999999999/cancel/',
    '/events/-1/',
    '/events/0x10/',
    '/events/1e2/',
    '//events/873/',
    '/events/873//',
    '/EVENTS/873/',
    '/events/873/%00/',
    `/${'x'.repeat(5_000)}/`,
  ])('%s: 404', async (path) => {
    expect((await scene.nobody.get(path)).status).toBe(404);
  });

  test.each([
    ['/events/?search=%', 'MalformedBody'],
    ['/events/?search=%C3%28', 'MalformedBody'],
    ['/events/?limit=1&limit=2', 'ValidationError'],
    ['/events/?limit[]=x&limit=-1', 'ValidationError'],
    ['/markets/2231/book/?currency_mode=play_money%27--', 'ValidationError'],
    ['/%zz/', 'MalformedRequest'],
  ])('%s: 400', async (path, code) => {
    const answer = await scene.nobody.get(path);
    expect([answer.status, answer.at('error')]).toEqual([400, code]);
  });

  test('a negative or huge page is no page', async () => {
    expect((await scene.nobody.get('/events/', { limit: '-5' })).status).toBe(400);
    const answer = await scene.nobody.get('/events/', { limit: '999999999', offset: '999999999' });
    expect(answer.body).toMatchObject({ pagination: { page_size: 100, offset: 999_999_999 }, results: [] });
  });

  test('the Host header cannot write into an answer', async () => {
    const socket = new RawSocket(scene.exchange.restUrl);
    socket.write('GET /events/?limit=1 HTTP/1.1\r\nHost: "><evil>\r\nConnection: close\r\n\r\n');
    expect(await socket.ended).not.toContain('evil');
  });
});

describe('signatures', () => {
  test('a replay fits any request with the same parameters, within the clock window only', async () => {
    const headers = signHeaders(ALICE, {}, unixNow());
    expect((await scene.nobody.get('/me/', {}, { headers })).status).toBe(200);
    expect((await scene.nobody.get('/me/balances/', {}, { headers })).status).toBe(200);
    expect((await scene.nobody.get('/orders/', { limit: 1 }, { headers })).status).toBe(401);
    const old = signHeaders(ALICE, {}, unixNow() - 61);
    expect((await scene.nobody.get('/me/', {}, { headers: old })).at('error')).toBe('ExpiredTimestamp');
  });

  test.each([
    ['short', 'ab'],
    ['long', 'a'.repeat(1_000)],
    ['not hexadecimal', 'z'.repeat(128)],
    ['of another request', signHeaders(ALICE, { a: '1' }, unixNow())['HMAC']],
  ])('a digest that is %s: 401', async (_what, HMAC) => {
    const answer = await scene.as('alice').get('/me/', {}, { headers: { HMAC } });
    expect([answer.status, answer.at('error')]).toEqual([401, 'InvalidHMACSignature']);
  });

  test.each(['__proto__', 'constructor', 'pk_alice,pk_alice', '', '0'])('the key %j: 401', async (Key) => {
    const answer = await scene.as('alice').get('/me/', {}, { headers: { Key } });
    expect([answer.status, answer.at('error')]).toEqual([401, 'InvalidHMACKey']);
  });

  test('headers given twice are not the header', async () => {
    const socket = new RawSocket(scene.exchange.restUrl);
    const { Key, Timestamp, HMAC } = signHeaders(ALICE, {}, unixNow());
    socket.write(
      head('GET /me/', [`Key: ${Key}`, `Key: ${Key}`, `Timestamp: ${Timestamp}`, `HMAC: ${HMAC}`]),
    );
    expect(await socket.ended).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('connections', () => {
  test('a flood of headers: 431', async () => {
    const socket = new RawSocket(scene.exchange.restUrl);
    socket.write(
      head(
        'GET /me/',
        Array.from({ length: 3_000 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`),
      ),
    );
    const answer = await socket.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('HeadersTooLarge');
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /me/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST /orders/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'length and chunks',
      'POST /orders/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    ],
    ['a negative length', 'POST /orders/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['a split header', 'GET /me/ HTTP/1.1\r\nHost: x\r\nKey : y\r\n\r\n'],
    ['no host', 'GET /me/ HTTP/1.1\r\n\r\n'],
  ])('%s: 400 and the end of the connection', async (_what, text) => {
    const answer = await new RawSocket(scene.exchange.restUrl).write(text).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a websocket handshake that is none: 4xx', async () => {
    const handshake =
      'GET /app/local?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await new RawSocket(scene.exchange.restUrl).write(handshake).ended).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test('an upgrade elsewhere: 404', async () => {
    const handshake = 'GET /me/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const answer = await new RawSocket(scene.exchange.restUrl).write(handshake).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('NotFound');
  });

  test('half-open sockets are closed after ten seconds and harm nobody meanwhile', async () => {
    const silent = new RawSocket(scene.exchange.restUrl);
    const stalled = new RawSocket(scene.exchange.restUrl).write('GET /me/ HTTP/1.1\r\nHost: x\r\nKe');
    expect((await scene.as('alice').get('/me/')).status).toBe(200);
    const [nothing, late] = await Promise.all([silent.ended, stalled.ended]);
    expect(nothing).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(late).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test('after all of this the ledger sums to zero and an order is taken', async () => {
  const sum = (await scene.admin.get('/admin/ledger/')).at('sum');
  expect(sum).toEqual({ OOM: '0', USDC: '0', USDT: '0', USD: '0' });
  expect((await scene.order('alice', await scene.market(), {})).status).toBe(201);
});

const head = (start: string, headers: readonly string[]): string =>
  [`${start} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');
