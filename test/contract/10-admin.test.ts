/** The admin interface of the bundled exchange. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, freshId } from '../support/contract/contract-scene.js';
import { AdminClient } from '../support/wire/venue-client.js';
import type { Plain } from '../support/wire/venue-signer.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

type Body = Readonly<Record<string, Plain>>;
const ROUTES = [
  ['POST', '/admin/events/'],
  ['POST', '/admin/events/873/status/'],
  ['POST', '/admin/markets/2231/status/'],
  ['POST', '/admin/events/873/resolve/'],
  ['POST', '/admin/events/873/reverse/'],
  ['POST', '/admin/events/873/markets/'],
  ['POST', '/admin/events/873/live/'],
  ['POST', '/admin/accounts/1/deposit/'],
  ['POST', '/admin/events/873/comments/'],
  ['POST', '/admin/test-event/'],
  ['POST', '/admin/faults/'],
  ['GET', '/admin/faults/'],
  ['GET', '/admin/participants/'],
  ['GET', '/admin/ledger/'],
  ['GET', '/admin/trades/'],
] as const;

describe('who may', () => {
  test.each(ROUTES)('%s %s: 401 without the token', async (method, path) => {
    for (const token of ['', 'wrong', `${scene.exchange.adminToken} `.toUpperCase()]) {
      const admin = new AdminClient(scene.exchange.restUrl, token);
      const answer = method === 'GET' ? await admin.get(path) : await admin.post(path);
      expect(answer.status).toBe(401);
    }
  });

  test.each(ROUTES)('%s %s: 404 when there is no token', async (method, path) => {
    const closed = await ContractScene.start({ adminToken: '' });
    const admin = new AdminClient(closed.exchange.restUrl, '');
    const answer = method === 'GET' ? await admin.get(path) : await admin.post(path);
    expect(answer.status).toBe(404);
    await closed.close();
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('%s: the scheme has no case', async (scheme) => {
    const authorization = `${scheme} ${scene.exchange.adminToken}`;
    const url = `${scene.exchange.restUrl}/admin/ledger/`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  });

  test('signed headers are no token', async () => {
    expect((await scene.as('alice').get('/admin/ledger/')).status).toBe(401);
  });
});

/** Posts a text as it is. */
async function post(path: string, body: string | Uint8Array<ArrayBuffer>, type: string) {
  const headers = { authorization: `Bearer ${scene.exchange.adminToken}`, 'content-type': type };
  const answer = await fetch(`${scene.exchange.restUrl}${path}`, { method: 'POST', headers, body });
  const { fields } = (await answer.json()) as { readonly fields?: object };
  return { status: answer.status, ...(fields === undefined ? {} : { fields }) };
}

describe('400: every one says which field, and what was expected', () => {
  const market = { id: 990_001, title: 'x' };
  const event = { id: 990_000, title: 'x', markets: [market] };
  const dates = { start: '2035-01-02T00:00:00Z', end: '2035-01-01T00:00:00Z' };
  test.each([
    ['/admin/events/', {}, 'id'],
    ['/admin/events/', { ...event, id: '873' }, 'id'],
    ['/admin/events/', { ...event, titel: 'x' }, 'titel'],
    ['/admin/events/', { ...event, tax: { real_money: 'much' } }, 'tax.real_money'],
    ['/admin/events/', { ...event, minAmount: '2', maxAmount: '1' }, 'minAmount'],
    ['/admin/events/', { ...event, betStartDate: dates.start, betEndDate: dates.end }, 'betStartDate'],
    ['/admin/events/', { ...event, eventStartDate: dates.start, eventEndDate: dates.end }, 'eventStartDate'],
    ['/admin/events/', { ...event, markets: [market, market] }, 'markets.1.id'],
    ['/admin/events/', { ...event, markets: [{ ...market, id: 2231 }] }, 'markets.0.id'],
    ['/admin/events/873/markets/', { id: 2231, title: 'x' }, 'id'],
    ['/admin/events/873/markets/', { ...market, tickSize: '0.3' }, 'tickSize'],
    ['/admin/events/873/status/', {}, 'status'],
    ['/admin/events/873/status/', { status: 'resolved' }, 'status'],
    ['/admin/markets/2231/status/', {}, 'body'],
    ['/admin/markets/2231/status/', { stauts: 'paused' }, 'stauts'],
    ['/admin/markets/2231/status/', { status: 'reversed' }, 'status'],
    ['/admin/markets/2231/status/', { betEndDate: 'soon' }, 'betEndDate'],
    ['/admin/events/873/resolve/', {}, 'resolutions'],
    ['/admin/events/873/resolve/', { resolutions: {} }, 'resolutions'],
    ['/admin/events/873/resolve/', { resolutions: { first: 'long' } }, 'resolutions.first'],
    ['/admin/events/873/resolve/', { resolutions: { '2231': 'maybe' } }, 'resolutions.2231'],
    ['/admin/events/873/resolve/', { resolutions: { '999999999': 'long' } }, 'resolutions.999999999'],
    ['/admin/events/873/resolve/', { resolutions: { '2231': 'long', '2232': 'long' } }, 'resolutions.2232'],
    ['/admin/events/873/reverse/', {}, 'event'],
    ['/admin/events/873/live/', { isLive: true, extraData: 'x' }, 'extraData'],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: '0' }, 'amount'],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: 'much' }, 'amount'],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: '9007199254' }, 'amount'],
    ['/admin/events/873/comments/', { user: 1 }, 'content'],
    ['/admin/faults/', {}, 'rules'],
    ['/admin/faults/', { rules: [{ on: 'ws', kind: 'drop_ws', nth: 1, ms: 'x' }] }, 'rules.0.ms'],
  ])('%s %j: %s', async (path, body, field) => {
    const answer = await scene.admin.post(path, body);
    expect([answer.status, answer.at('error')]).toEqual([400, 'ValidationError']);
    const problems = (answer.at('fields') as Record<string, readonly string[]>)[field];
    expect(problems).toEqual([expect.stringMatching(/expected|must|is required|not known|unknown/)]);
  });

  test.each([
    ['no JSON', '{"status":'],
    ['a list', '[]'],
    ['a name twice', '{"status":"paused","status":"open"}'],
    ['another charset', new Uint8Array([0x22, 0xff, 0x22])],
  ])('%s for a body', async (_what, text) => {
    const answer = await post('/admin/events/873/status/', text, 'application/json');
    expect(answer).toEqual({
      status: 400,
      fields: { body: [expect.stringMatching(/expected one JSON object/)] },
    });
  });

  test('a body is read as JSON whatever it is called', async () => {
    const type = 'application/x-www-form-urlencoded';
    expect(await post('/admin/events/873/status/', '{"status":"open"}', type)).toMatchObject({ status: 200 });
    expect(await post('/admin/test-event/', '', type)).toMatchObject({ status: 200 });
  });

  test('what is over stays over', async () => {
    const over = await scene.market();
    const resolutions = { [over.market]: 'long' };
    await scene.admin.post(`/admin/events/${over.event}/resolve/`, { resolutions });
    const tries = [
      [`/admin/events/${over.event}/status/`, { status: 'open' }, 'status'],
      [`/admin/events/${over.event}/resolve/`, { resolutions }, 'event'],
      [`/admin/events/${over.event}/markets/`, { id: freshId(), title: 'late' }, 'event'],
      [`/admin/markets/${over.market}/status/`, { status: 'active' }, 'market'],
    ] as const;
    for (const [path, body, field] of tries) {
      const answer = await scene.admin.post(path, body);
      expect([answer.status, answer.at('fields')]).toEqual([
        400,
        { [field]: [expect.stringMatching(/expected .*resolved/)] },
      ]);
    }
  });
});

describe('POST /admin/events/', () => {
  test('adds an event as in the YAML', async () => {
    const [event, market] = [freshId(), freshId()];
    const answer = await scene.admin.post('/admin/events/', {
      id: event,
      title: 'Will it rain?',
      slug: 'rain',
      description: 'In the afternoon.',
      resolutionMode: 'non_exclusive',
      category: { id: 3, name: 'Weather' },
      betEndDate: '2035-01-01T00:00:00Z',
      minAmount: '1',
      maxAmount: '10',
      markets: [{ id: market, title: 'Rain', tickSize: '0.001', longLabel: 'Wet', shortLabel: 'Dry' }],
    });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect((await scene.nobody.get(`/events/${event}/`)).body).toMatchObject({
      slug: 'rain',
      resolution_mode: 'non_exclusive',
      markets: [{ id: market, long_label: 'Wet', short_label: 'Dry' }],
    });
    expect((await scene.order('alice', { event, market }, { price: 0.125, shares: '10' })).status).toBe(201);
  });

  test.each([
    ['title', { id: 1, markets: [{ id: 1, title: 'x' }] }],
    ['markets', { id: 1, title: 'x', markets: [] }],
    ['markets.0.id', { id: 1, title: 'x', markets: [{ title: 'x' }] }],
    ['markets.0.tickSize', { id: 1, title: 'x', markets: [{ id: 1, title: 'x', tickSize: '0.03' }] }],
  ] as const)('%s wrong: 400, naming it', async (field, body) => {
    const answer = await scene.admin.post('/admin/events/', body);
    expect(answer.status).toBe(400);
    expect(answer.at('fields')).toHaveProperty([field]);
  });

  test('an id that is taken: 400', async () => {
    const { event, market } = await scene.market();
    const markets = [{ id: freshId(), title: 'x' }];
    expect((await scene.admin.post('/admin/events/', { id: event, title: 'x', markets })).status).toBe(400);
    const again = { id: freshId(), title: 'x', markets: [{ id: market, title: 'x' }] };
    expect((await scene.admin.post('/admin/events/', again)).status).toBe(400);
  });
});

describe('POST /admin/events/{id}/status/ and /admin/markets/{id}/status/', () => {
  test('paused: orders rest without matching; open again: they match', async () => {
    const market = await scene.market();
    await scene.place('alice', market, {});
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status: 'paused' });
    expect((await scene.order('bob', market, { position: 'short' })).at('error')).toBe('MarketClosed');
    const resting = await scene.as('alice').get('/orders/', { market: market.market });
    expect(resting.at('pagination.total')).toBe(1);
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status: 'open' });
    const matched = await scene.order('bob', market, { position: 'short', shares: '9' });
    expect(matched.at('status')).toBe('filled');
  });

  test.each(['stopped', 'cancelled'])('%s: resting orders are canceled', async (status) => {
    const market = await scene.market();
    await scene.place('alice', market, {});
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status });
    const resting = await scene.as('alice').get('/orders/', { market: market.market });
    expect(resting.at('pagination.total')).toBe(0);
  });

  test('disabled, and enabled again', async () => {
    const market = await scene.market();
    await scene.admin.post(`/admin/markets/${market.market}/status/`, { disabled: true });
    expect((await scene.order('alice', market, {})).at('error')).toBe('OutcomeDisabled');
    await scene.admin.post(`/admin/markets/${market.market}/status/`, { disabled: false });
    expect((await scene.order('alice', market, { shares: '9' })).status).toBe(201);
  });

  test('betEndDate: a time, null for none', async () => {
    const market = await scene.market();
    const change = (betEndDate: string | null) =>
      scene.admin.post(`/admin/markets/${market.market}/status/`, { betEndDate });
    await change('2020-01-01T00:00:00Z');
    expect((await scene.order('alice', market, {})).at('error')).toBe('MarketClosed');
    await change(null);
    expect((await scene.order('alice', market, { shares: '9' })).status).toBe(201);
    expect((await change('soon')).at('fields.betEndDate')).toBeDefined();
  });

  test.each([
    ['/admin/events/1/status/', { status: 'open' }, 404],
    ['/admin/markets/1/status/', { status: 'active' }, 404],
    ['/admin/events/873/status/', { status: 'asleep' }, 400],
    ['/admin/events/873/status/', {}, 400],
    ['/admin/events/873/status/', { status: 'resolved' }, 400],
    ['/admin/markets/2231/status/', { disabled: 'yes' }, 400],
  ])('%s %j: %s', async (path, body, status) => {
    expect((await scene.admin.post(path, body as Body)).status).toBe(status);
  });
});

describe('POST /admin/events/{id}/resolve/ and /reverse/', () => {
  test('pays one per winning share; a reversal takes it back; the sum stays zero', async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    const cash = async (): Promise<number> =>
      Number((await scene.as('alice').get('/me/balances/', { currency: 'OOM' })).at('0.amount'));
    const before = await cash();
    const resolutions = { [market.market]: 'long' };
    const resolved = await scene.admin.post(`/admin/events/${market.event}/resolve/`, { resolutions });
    expect(resolved.status).toBe(200);
    expect(await cash()).toBe(before + 10);
    await scene.admin.post(`/admin/events/${market.event}/reverse/`);
    expect(await cash()).toBe(before);
    expect((await scene.admin.get('/admin/ledger/')).at('sum.OOM')).toBe('0');
  });

  test('exclusive: at most one market long', async () => {
    const [one, two] = await scene.event(2);
    const resolutions = { [one!.market]: 'long', [two!.market]: 'long' };
    const answer = await scene.admin.post(`/admin/events/${one!.event}/resolve/`, { resolutions });
    expect(answer.status).toBe(400);
  });

  test('void: every cash flow is undone', async () => {
    const market = await scene.market();
    const cash = async (): Promise<string> =>
      String((await scene.as('bob').get('/me/balances/', { currency: 'USDC' })).at('0.amount'));
    const before = await cash();
    await scene.place('bob', market, { position: 'short', price: 0.5, currency: 'USDC' });
    await scene.place('alice', market, { price: 0.5, currency: 'USDC' });
    expect(await cash()).not.toBe(before);
    await scene.admin.post(`/admin/events/${market.event}/resolve/`, {
      resolutions: { [market.market]: 'void' },
    });
    expect(await cash()).toBe(before);
  });

  test.each([
    ['/admin/events/1/resolve/', { resolutions: { '1': 'long' } }, 404],
    ['/admin/events/873/resolve/', { resolutions: { '2231': 'maybe' } }, 400],
    ['/admin/events/873/resolve/', { resolutions: { '999999999': 'long' } }, 400],
    ['/admin/events/873/resolve/', {}, 400],
    ['/admin/events/1/reverse/', {}, 404],
    ['/admin/events/873/reverse/', {}, 400],
  ])('%s %j: %s', async (path, body, status) => {
    expect((await scene.admin.post(path, body as Body)).status).toBe(status);
  });
});

describe('POST /admin/events/{id}/markets/ and /live/', () => {
  test.each([
    ['/admin/events/873/markets/', { id: 1 }, 400],
    ['/admin/events/873/markets/', { id: 2231, title: 'Candidate A' }, 400],
    ['/admin/events/1/markets/', { id: 424_242, title: 'Nowhere' }, 404],
    ['/admin/events/873/live/', { isLive: 'yes' }, 400],
    ['/admin/events/1/live/', { isLive: true }, 404],
  ])('%s %j: %s', async (path, body, status) => {
    expect((await scene.admin.post(path, body as Body)).status).toBe(status);
  });

  test('a market as in the YAML', async () => {
    const { event } = await scene.market();
    const market = freshId();
    await scene.admin.post(`/admin/events/${event}/markets/`, {
      id: market,
      title: 'Late',
      tickSize: '0.05',
    });
    expect((await scene.order('alice', { event, market }, { price: 0.35 })).status).toBe(201);
    expect((await scene.order('alice', { event, market }, { price: 0.36 })).status).toBe(400);
  });
});

describe('POST /admin/accounts/{id}/deposit/, /comments/, /test-event/', () => {
  test('a deposit arrives', async () => {
    const cash = async (): Promise<number> =>
      Number((await scene.as('poor').get('/me/balances/', { currency: 'USD' })).at('0.amount'));
    const before = await cash();
    const path = `/admin/accounts/${ACCOUNT_IDS.poor}/deposit/`;
    expect((await scene.admin.post(path, { currency: 'USD', amount: '0.000001' })).status).toBe(200);
    expect(await cash()).toBeCloseTo(before + 0.000_001, 9);
    expect((await scene.admin.post(path, { currency: 'USD', amount: 2.5 })).status).toBe(200);
    expect(await cash()).toBeCloseTo(before + 2.500_001, 9);
  });

  test.each([
    ['/admin/accounts/424242/deposit/', { currency: 'USD', amount: '1' }, 404],
    ['/admin/accounts/1/deposit/', { currency: 'EUR', amount: '1' }, 400],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: '0' }, 400],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: '-5' }, 400],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: '0.0000001' }, 400],
    ['/admin/accounts/1/deposit/', { currency: 'USD', amount: 'much' }, 400],
    ['/admin/events/1/comments/', { user: 1, content: 'x' }, 404],
    ['/admin/events/873/comments/', { user: 424_242, content: 'x' }, 404],
    ['/admin/events/873/comments/', { user: 1, content: '' }, 400],
    ['/admin/events/873/comments/', { user: 'alice', content: 'x' }, 400],
    ['/admin/test-event/', {}, 200],
  ])('%s %j: %s', async (path, body, status) => {
    expect((await scene.admin.post(path, body as Body)).status).toBe(status);
  });
});

describe('GET /admin/ledger/ and /admin/trades/', () => {
  test('accounts, system and a sum of zero in every currency', async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    await scene.place('alice', market, { side: 'ask', price: 0.9, shares: '4' });
    const ledger = await scene.admin.get('/admin/ledger/');
    expect(ledger.at('sum')).toEqual({ OOM: '0', USDC: '0', USDT: '0', USD: '0' });
    const alice = (ledger.list('accounts') as { id: number; currency: string; shares: unknown[] }[]).find(
      ({ id, currency }) => id === ACCOUNT_IDS.alice && currency === 'OOM',
    );
    expect(alice).toMatchObject({ cash: expect.any(String), locked: expect.any(String) });
    expect(alice?.shares).toContainEqual({
      market: market.market,
      position: 'long',
      shares: '10',
      locked: '4',
    });
    const names = (ledger.list('system') as { name: string }[]).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['collateral', 'fees', 'rounding', 'clearing', 'external']));
  });

  test('trades of a market, oldest first', async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    await scene.place('carol', market, { price: 0.7, shares: '4' });
    await scene.place('alice', market, { side: 'ask', price: 0.7, shares: '4' });
    const trades = await scene.admin.get('/admin/trades/', { market: market.market });
    expect(trades.body).toEqual([
      expect.objectContaining({ market: market.market, price: '0.5', shares: '10', settlement: 'mint' }),
      expect.objectContaining({ price: '0.7', shares: '4', settlement: 'transfer', taker_account: 1 }),
    ]);
    expect((await scene.admin.get('/admin/trades/', { market: 'all' })).status).toBe(400);
    expect((await scene.admin.get('/admin/trades/', { market: freshId() })).status).toBe(404);
    expect((await scene.admin.get('/admin/trades/')).list().length).toBeGreaterThanOrEqual(2);
  });
});

describe('GET /admin/counts/', () => {
  interface Counts {
    readonly realtime: {
      readonly connections: number;
      readonly cut: Readonly<Record<string, number>>;
      readonly oversized: { readonly trimmed: number; readonly withheld: number };
    };
  }
  const counts = async (): Promise<Counts> => (await scene.admin.get('/admin/counts/')).body as Counts;

  test('tells connections, those that were cut off and why, and messages beyond the limit', async () => {
    const before = await counts();
    const client = await scene.listening(['event']);
    expect((await counts()).realtime.connections).toBe(before.realtime.connections + 1);
    const extraData = { text: 'x'.repeat(12_000) };
    await scene.admin.post('/admin/events/873/live/', { isLive: true, extraData });
    await scene.admin.post('/admin/events/873/live/', { isLive: false, extraData: null });
    await client.next('live-data-update');
    const { realtime } = await counts();
    expect(realtime.oversized.withheld).toBe(before.realtime.oversized.withheld + 1);
    expect(Object.keys(realtime.cut)).toEqual(['slow', 'fault', 'silent', 'protocol', 'stopping']);
  });

  test('is for administrators alone', async () => {
    expect((await scene.nobody.get('/admin/counts/')).status).toBe(401);
  });
});

describe('what the page of the exchange shows besides', () => {
  test('the faults in force are those that were posted last', async () => {
    const plan = { seed: 3, rules: [{ on: 'ws', kind: 'frame_dup', probability: 0 }] };
    expect((await scene.admin.post('/admin/faults/', plan)).status).toBe(200);
    expect((await scene.admin.get('/admin/faults/')).body).toEqual(plan);
    const wrong = { seed: 4, rules: [{ on: 'ws', kind: 'frame_dup', probability: 2 }] };
    expect((await scene.admin.post('/admin/faults/', wrong)).status).toBe(400);
    expect((await scene.admin.get('/admin/faults/')).body).toEqual(plan);
    await scene.admin.post('/admin/faults/', { rules: [] });
  });

  test('the participants are those of the file', async () => {
    const answer = await scene.admin.get('/admin/participants/');
    expect([answer.status, answer.body]).toEqual([200, []]);
  });
});
