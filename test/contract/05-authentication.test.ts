/** Specification 5: credentials, headers, signing, authentication errors, idempotency. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_IDS,
  ContractScene,
  orderInput,
  freshId,
  type TestMarket,
} from '../support/contract/contract-scene.js';
import { unixNow, VenueClient, type WireAnswer } from '../support/wire/venue-client.js';
import { encodeSorted, urlencodeSorted } from '../support/wire/venue-signer.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('5.1 credentials', () => {
  test('the public key names the account', async () => {
    expect((await scene.as('alice').get('/me/')).at('username')).toBe('alice');
    expect((await scene.as('bob').get('/me/')).at('username')).toBe('bob');
  });

  test('a further key of an account signs as that account, and acts on the same orders', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    const guard = scene.as('alice', 'guard');
    expect((await guard.get('/me/')).at('id')).toBe(ACCOUNT_IDS.alice);
    expect((await guard.post('/orders/batch-cancel/', { order_ids: [id] })).at('0.success')).toBe(true);
    const canceled = await scene.as('alice').get('/orders/', { status: 'canceled', market: market.market });
    expect(canceled.at('results.0.id')).toBe(id);
  });

  test('each key of an account has a private key of its own', async () => {
    const mixed = new VenueClient(scene.exchange.restUrl, {
      publicKey: 'pk_alice_guard',
      privateKey: 'sk_alice',
    });
    expect((await mixed.get('/me/')).at('error')).toBe('InvalidHMACSignature');
  });

  test("the private key of another account does not sign for one's own", async () => {
    const mixed = new VenueClient(scene.exchange.restUrl, { publicKey: 'pk_alice', privateKey: 'sk_bob' });
    expect((await mixed.get('/me/')).at('error')).toBe('InvalidHMACSignature');
  });
});

describe('5.2 required headers', () => {
  test.each([
    ['Key', 'InvalidHMACKey'],
    ['Timestamp', 'MissingTimestamp'],
    ['HMAC', 'InvalidHMACSignature'],
  ])('%s missing: 401 %s', async (header, code) => {
    const answer = await scene.as('alice').get('/me/', {}, { headers: { [header]: undefined } });
    expect(answer.status).toBe(401);
    expect(answer.at('error')).toBe(code);
  });

  test.each(['', 'now', '1.5', '-1', '1e9', ' '])(
    'Timestamp %j is malformed: MissingTimestamp',
    async (value) => {
      const answer = await scene.as('alice').get('/me/', {}, { headers: { Timestamp: value } });
      expect(answer.at('error')).toBe('MissingTimestamp');
    },
  );

  test('the digest is lower case', async () => {
    const answer = await scene.as('alice').get('/me/', {}, { headers: { HMAC: 'A'.repeat(128) } });
    expect(answer.at('error')).toBe('InvalidHMACSignature');
  });

  test('nothing signed where a signature is required: 401', async () => {
    expect((await scene.nobody.get('/me/')).status).toBe(401);
  });
});

describe('5.3 signing rules', () => {
  test('1. query parameters for GET', async () => {
    const answer = await scene.as('alice').get('/orders/', { status: 'open', limit: 5, offset: 0 });
    expect(answer.status).toBe(200);
  });

  test('1. body parameters for POST; a query beside them is not covered', async () => {
    const market = await scene.market();
    expect((await scene.as('alice').post('/orders/?market=1', orderInput(market))).status).toBe(201);
  });

  test('2. sorted by plain string comparison: upper case before lower case', async () => {
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `currency=OOM&Key=${keys.publicKey}&Timestamp=${timestamp}`;
    const answer = await scene.as('alice').get('/me/balances/', { currency: 'OOM' }, { signed });
    expect(answer.at('error')).toBe('InvalidHMACSignature');
  });

  test.each([
    ['a space is a plus', 'two words', 'search=two+words'],
    ['marks are escaped', "!'()*", 'search=%21%27%28%29%2A'],
    ['_ . - ~ are not', '_.-~', 'search=_.-~'],
    ['beyond ASCII as UTF-8', 'Ŝé€😀', 'search=%C5%9C%C3%A9%E2%82%AC%F0%9F%98%80'],
    ['separators are escaped', 'a&b=c/d?e+f%', 'search=a%26b%3Dc%2Fd%3Fe%2Bf%25'],
  ])('3. serialised as urlencode does: %s', async (_what, search, expected) => {
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}&${expected}`;
    expect((await scene.as('alice').get('/orders/', { search }, { signed })).status).toBe(200);
  });

  test('3. another spelling of the same query is the same parameters', async () => {
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}&search=two+words`;
    const answer = await scene.as('alice').get('/orders/?search=two%20words', {}, { signed });
    expect(answer.status).toBe(200);
  });

  test('3. a repeated name is repeated, sorted by value', async () => {
    const answer = await scene.as('alice').get('/orders/', { currencies: ['USDC', 'OOM', 'USD'] });
    expect(answer.status).toBe(200);
  });

  test.each([
    [
      'true, false and null',
      { cancel_conflicting_orders: false, expired_at: null },
      'cancel_conflicting_orders=False&currency=OOM&expired_at=None',
    ],
    ['true', { cancel_conflicting_orders: true }, 'cancel_conflicting_orders=True&currency=OOM'],
  ])('3. the words of Python: %s', async (_what, members, start) => {
    const market = await scene.market();
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}&${start}` +
      `&market=${market.market}&position=long&price=0.5&shares=10&side=bid`;
    const answer = await scene
      .as('alice')
      .post('/orders/', { ...orderInput(market), ...members }, { signed });
    expect(answer.status).toBe(201);
  });

  test.each(['10', '10.0', '10.00', '1e1', '1.0E+1'])(
    '3. numbers as they were written: %s',
    async (spelling) => {
      const market = await scene.market();
      const text = JSON.stringify(orderInput(market)).replace('"10"', spelling);
      const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
        encodeSorted([
          ['Key', keys.publicKey],
          ['Timestamp', String(timestamp)],
          ['currency', 'OOM'],
          ['market', String(market.market)],
          ['position', 'long'],
          ['price', '0.5'],
          ['shares', spelling],
          ['side', 'bid'],
        ]);
      const answer = await scene.as('alice').post('/orders/', {}, { text, signed });
      expect(answer.status).toBe(201);
      expect(answer.at('shares')).toBe(10);
    },
  );

  test('4. hexadecimal, not base64', async () => {
    const answer = await scene.as('alice').get('/me/', {}, { headers: { HMAC: `${'A'.repeat(86)}==` } });
    expect(answer.at('error')).toBe('InvalidHMACSignature');
  });

  test('6. a GET without parameters signs Key and Timestamp alone', async () => {
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}`;
    expect((await scene.as('alice').get('/me/', {}, { signed })).status).toBe(200);
  });

  test('a POST with {} or nothing signs Key and Timestamp alone', async () => {
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}`;
    for (const text of ['{}', ' { } ', '']) {
      expect((await scene.as('poor').post('/orders/cancel-all/', {}, { text, signed })).status).toBe(200);
    }
  });

  test('a form is signed by its fields', async () => {
    expect((await scene.authorise('alice', 'private-user-1', '1.2')).status).toBe(200);
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      `Key=${keys.publicKey}&Timestamp=${timestamp}`;
    const fields = { channel_name: 'private-user-1', socket_id: '1.2' };
    const answer = await scene.as('alice').form('/pusher/auth/', fields, { signed });
    expect(answer.at('error')).toBe('InvalidHMACSignature');
  });
});

describe('5.3 nested values', () => {
  const batch = (market: TestMarket) => ({
    orders: [{ ...orderInput(market), expired_at: null, cancel_conflicting_orders: false, price: 0.25 }],
  });
  const pythonText = ({ market }: TestMarket): string =>
    `[{'market': ${market}, 'side': 'bid', 'currency': 'OOM', 'position': 'long', 'price': 0.25, ` +
    `'shares': '10', 'expired_at': None, 'cancel_conflicting_orders': False}]`;
  const signing =
    (orders: string | null) =>
    (keys: { publicKey: string }, timestamp: number | string): string =>
      urlencodeSorted({
        Key: keys.publicKey,
        Timestamp: timestamp,
        ...(orders === null ? {} : { orders }),
      });

  test('python: what str() makes of the parsed array', async () => {
    const market = await scene.market();
    const answer = await scene
      .as('alice')
      .post('/orders/batch/', batch(market), { signed: signing(pythonText(market)) });
    expect(answer.at('results.0.success')).toBe(true);
  });

  test('python: numbers inside keep what Python reads of their spelling', async () => {
    const market = await scene.market();
    const text = JSON.stringify(batch(market)).replace('0.25', '2.50e-1');
    const answer = await scene
      .as('alice')
      .post('/orders/batch/', {}, { text, signed: signing(pythonText(market)) });
    expect(answer.at('results.0.success')).toBe(true);
  });

  test.each([
    ['json', (market: TestMarket): string => JSON.stringify(batch(market).orders)],
    ['omit', (): null => null],
  ] as const)('%s, when configured', async (nested, spell) => {
    const other = await ContractScene.start({ signing: { nested } });
    const market = await other.market();
    const right = await other
      .as('alice')
      .post('/orders/batch/', batch(market), { signed: signing(spell(market)) });
    expect(right.at('results.0.success')).toBe(true);
    const wrong = await other
      .as('alice')
      .post('/orders/batch/', batch(market), { signed: signing(pythonText(market)) });
    expect(wrong.at('error')).toBe('InvalidHMACSignature');
    await other.close();
  });
});

describe('5.4 the clock window', () => {
  test.each([-50, 0, 59])('a timestamp %s s off is accepted', async (offset) => {
    expect((await scene.as('alice').get('/me/', {}, { timestamp: unixNow() + offset })).status).toBe(200);
  });

  test.each([-63, 75, -86_400, 315_360_000])('%s s off: ExpiredTimestamp', async (offset) => {
    const answer = await scene.as('alice').get('/me/', {}, { timestamp: unixNow() + offset });
    expect(answer.status).toBe(401);
    expect(answer.at('error')).toBe('ExpiredTimestamp');
  });

  test('the Date header tells the time that counts', async () => {
    const before = unixNow();
    const { headers } = await scene.nobody.get('/events/');
    const told = Date.parse(String(headers['date'])) / 1_000;
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(unixNow());
  });
});

describe('5.5 idempotency', () => {
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const create = (market: TestMarket, key: string, text?: string): Promise<WireAnswer> =>
    scene
      .as('alice')
      .post('/orders/', orderInput(market), { ...keyed(key), ...(text === undefined ? {} : { text }) });

  test('create: the same key and body return the stored response, byte for byte, and create nothing', async () => {
    const market = await scene.market();
    const key = `create-${freshId()}`;
    const first = await create(market, key);
    const second = await create(market, key);
    expect([second.status, second.text]).toEqual([201, first.text]);
    const open = await scene.as('alice').get('/orders/', { market: market.market });
    expect(open.at('pagination.total')).toBe(1);
  });

  test('the stored response stands although the order has changed since', async () => {
    const market = await scene.market();
    const key = `changed-${freshId()}`;
    const first = await create(market, key);
    await scene.place('bob', market, { position: 'short', shares: '10' });
    expect((await create(market, key)).text).toBe(first.text);
  });

  test('any spelling of the same JSON is the same body', async () => {
    const { market } = await scene.market();
    const key = `spelling-${freshId()}`;
    const signed = (keys: { publicKey: string }, timestamp: number | string): string =>
      urlencodeSorted({ ...orderInput({ market, event: 0 }), Key: keys.publicKey, Timestamp: timestamp });
    const spelled = `{ "shares":"\\u0031\\u0030", "price":0.5,"position":"long","currency":"OOM", "side":"bid",
      "market": ${market} }`;
    const first = await create({ market, event: 0 }, key);
    const second = await scene.as('alice').post('/orders/', {}, { ...keyed(key), text: spelled, signed });
    expect(second.text).toBe(first.text);
  });

  test('another body under the same key is a new request', async () => {
    const market = await scene.market();
    const key = `other-${freshId()}`;
    const first = await create(market, key);
    const second = await scene
      .as('alice')
      .post('/orders/', { ...orderInput(market), price: 0.4 }, keyed(key));
    expect(second.status).toBe(201);
    expect(second.number('id')).not.toBe(first.number('id'));
  });

  test('the same key of another account is a new request', async () => {
    const market = await scene.market();
    const key = `account-${freshId()}`;
    const first = await create(market, key);
    const second = await scene.as('bob').post('/orders/', orderInput(market), keyed(key));
    expect(second.number('id')).not.toBe(first.number('id'));
  });

  test('batch create', async () => {
    const market = await scene.market();
    const sending = keyed(`batch-${freshId()}`);
    const body = { orders: [orderInput(market), { ...orderInput(market), shares: '0' }, { side: 'bid' }] };
    const first = await scene.as('alice').post('/orders/batch/', body, sending);
    const second = await scene.as('alice').post('/orders/batch/', body, sending);
    expect(second.text).toBe(first.text);
    const open = await scene.as('alice').get('/orders/', { market: market.market });
    expect(open.at('pagination.total')).toBe(1);
  });

  test('batch update', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    const sending = keyed(`update-${freshId()}`);
    const body = { orders: [{ id, price: '0.4' }] };
    const first = await scene.as('alice').post('/orders/batch-update/', body, sending);
    const second = await scene.as('alice').post('/orders/batch-update/', body, sending);
    expect(first.at('0.success')).toBe(true);
    expect(second.text).toBe(first.text);
  });

  test('a refusal of 7.2 is stored as well', async () => {
    const market = await scene.market();
    const sending = keyed(`refused-${freshId()}`);
    const body = { ...orderInput(market), side: 'ask' };
    const first = await scene.as('alice').post('/orders/', body, sending);
    expect(first.status).toBe(400);
    await scene.holding('alice', 'bob', market, '10');
    const second = await scene.as('alice').post('/orders/', body, sending);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
  });

  test('a request that was not authenticated is not stored', async () => {
    const market = await scene.market();
    const sending = keyed(`unsigned-${freshId()}`);
    const headers = { ...sending.headers, HMAC: '0'.repeat(128) };
    expect((await scene.as('alice').post('/orders/', orderInput(market), { headers })).status).toBe(401);
    expect((await scene.as('alice').post('/orders/', orderInput(market), sending)).status).toBe(201);
  });

  test('two at once create one order', async () => {
    const market = await scene.market();
    const key = `twins-${freshId()}`;
    const [first, second] = await Promise.all([create(market, key), create(market, key)]);
    expect(first.text).toBe(second.text);
  });

  test('a key of more than 255 characters is refused, naming the header', async () => {
    const answer = await create(await scene.market(), 'k'.repeat(256));
    expect(answer.status).toBe(400);
    expect(answer.at('fields.Idempotency-Key')).toBeDefined();
  });

  test('cancels ignore the key', async () => {
    const market = await scene.market();
    const sending = keyed(`cancel-${freshId()}`);
    const first = await scene.place('alice', market, { price: 0.4 });
    const body = { market: market.market };
    await scene.as('alice').post('/orders/cancel-all/', body, sending);
    const second = await scene.place('alice', market, { price: 0.3 });
    const answer = await scene.as('alice').post('/orders/cancel-all/', body, sending);
    expect(answer.at('canceled_order_ids')).toEqual([second]);
    expect(first).not.toBe(second);
  });
});
