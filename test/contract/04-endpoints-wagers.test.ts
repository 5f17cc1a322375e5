/** Specification 4.11 to 4.13, and the reads beyond it: wagers, what they refer to, rebates. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import { idsOf, type Query, type WireAnswer } from '../support/wire/venue-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('4.11 GET /wagers/', () => {
  let held: TestMarket;
  let sold: TestMarket;
  let real: TestMarket;
  let hidden: TestMarket;
  beforeAll(async () => {
    [held, sold, real, hidden] = await Promise.all([
      scene.market(),
      scene.market(),
      scene.market(),
      scene.market(),
    ]);
    await scene.holding('carol', 'bob', held, '10');
    await scene.holding('carol', 'bob', sold, '10');
    await scene.place('bob', sold, { price: 0.6, shares: '10' });
    await scene.place('carol', sold, { side: 'ask', price: 0.6, shares: '10' });
    await scene.place('bob', real, { currency: 'USDC', position: 'short' });
    await scene.place('carol', real, { currency: 'USDC' });
    await scene.holding('hidden', 'bob', hidden, '10');
  });
  const eventsOf = (answer: WireAnswer): readonly number[] =>
    answer
      .list('results')
      .map((_, at) => Number(/(\d+)\/$/.exec(String(answer.at(`results.${at}.event`)))?.[1]));
  /** Of the events above: the accounts may have others in an exchange that is not ours alone. */
  const list = async (query: Query, name: 'carol' | 'alice' = 'carol'): Promise<readonly number[]> => {
    const events = eventsOf(await scene.as(name).get('/wagers/', { limit: 100, ...query }));
    return events.filter((event) => [held, sold, real, hidden].some((market) => market.event === event));
  };

  test.each(['/wagers/', '/v2.0/wagers/'])("%s: a signed request sees the caller's own", async (path) => {
    const answer = await scene.as('carol').get(path);
    expect(answer.status).toBe(200);
    expect(eventsOf(answer).slice(0, 3)).toEqual([real.event, sold.event, held.event]);
    expect(answer.at('results.0.user')).toMatch(new RegExp(`/users/${ACCOUNT_IDS.carol}/$`));
  });

  test('unsigned: public wagers of everyone', async () => {
    const [carols, hiddens] = await Promise.all([
      scene.nobody.get('/wagers/', { event: held.event }),
      scene.nobody.get('/wagers/', { event: hidden.event }),
    ]);
    expect(carols.at('pagination.total')).toBe(2);
    expect(hiddens.at('pagination.total')).toBe(1);
    expect(hiddens.at('results.0.user')).toMatch(new RegExp(`/users/${ACCOUNT_IDS.bob}/$`));
  });

  test('active: purchased only', async () => {
    expect(await list({ active: true })).toEqual([real.event, held.event]);
  });

  test('past_bets: all but purchased', async () => {
    expect(await list({ past_bets: true })).toEqual([sold.event]);
  });

  test('event', async () => {
    expect(await list({ event: held.event })).toEqual([held.event]);
  });

  test('user', async () => {
    expect(await list({ user: ACCOUNT_IDS.carol }, 'alice')).toEqual([real.event, sold.event, held.event]);
    expect(await list({ user: ACCOUNT_IDS.hidden }, 'alice')).toEqual([]);
  });

  test('following: wagers of followed users; needs signing', async () => {
    expect(await list({ following: true }, 'alice')).toEqual([real.event, sold.event, held.event]);
    expect((await scene.nobody.get('/wagers/', { following: true })).status).toBe(401);
  });

  test('currency_mode: either, or empty for all', async () => {
    expect(await list({ currency_mode: 'real_money' })).toEqual([real.event]);
    expect(await list({ currency_mode: 'play_money' })).toEqual([sold.event, held.event]);
    expect(await list({ currency_mode: '' })).toEqual([real.event, sold.event, held.event]);
  });

  test('limit', async () => {
    expect(await list({ limit: 1 })).toEqual([real.event]);
  });

  test('offset', async () => {
    expect(await list({ limit: 1, offset: 2 })).toEqual([held.event]);
  });

  test.each([
    ['active', 'perhaps'],
    ['user', 'carol'],
    ['currency_mode', 'gold'],
  ])('%s=%s is refused, naming the field', async (field, value) => {
    const answer = await scene.as('carol').get('/wagers/', { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.at(`fields.${field}`)).toBeDefined();
  });
});

describe('4.12 GET /wagers/{id}/', () => {
  let mine: number;
  let secret: number;
  beforeAll(async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '3');
    mine = idsOf(await scene.as('alice').get('/wagers/', { event: market.event }))[0]!;
    const other = await scene.market();
    await scene.holding('hidden', 'bob', other, '3');
    secret = idsOf(await scene.as('hidden').get('/wagers/', { event: other.event }))[0]!;
  });

  test.each(['', '/v2.0'])('%s/wagers/{id}/ signed and unsigned', async (prefix) => {
    for (const client of [scene.as('alice'), scene.nobody]) {
      const answer = await client.get(`${prefix}/wagers/${mine}/`);
      expect(answer.status).toBe(200);
      expect(answer.at('id')).toBe(mine);
    }
  });

  test('what actions refers to: the history, oldest first', async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '3');
    await scene.place('bob', market, { price: 0.7, shares: '1' });
    await scene.place('alice', market, { side: 'ask', price: 0.7, shares: '1' });
    const [id] = idsOf(await scene.as('alice').get('/wagers/', { event: market.event }));
    const { pathname } = new URL(String((await scene.as('alice').get(`/wagers/${id}/`)).at('actions')));
    const actions = await scene.as('alice').get(pathname);
    expect(actions.body).toEqual([
      expect.objectContaining({ type: 'purchase', shares: 3, price: 0.5, amount: 1.5, fee: 0 }),
      expect.objectContaining({ type: 'sale', shares: 1, price: 0.7, amount: 0.7, fee: 0 }),
    ]);
    expect((await scene.nobody.get('/wagers/999999999/actions/')).status).toBe(404);
  });

  test('404 for one that there is not, or is not public', async () => {
    expect((await scene.nobody.get('/wagers/999999999/')).status).toBe(404);
    expect((await scene.nobody.get(`/wagers/${secret}/`)).status).toBe(404);
    expect((await scene.as('alice').get(`/wagers/${secret}/`)).status).toBe(404);
    expect((await scene.as('hidden').get(`/wagers/${secret}/`)).status).toBe(200);
  });

  test('a wrong signature is not taken for none', async () => {
    const answer = await scene
      .as('alice')
      .get(`/wagers/${mine}/`, {}, { headers: { HMAC: '0'.repeat(128) } });
    expect(answer.status).toBe(401);
  });
});

describe('4.13 GET /events/{id}/wagers/', () => {
  let event: number;
  let held: TestMarket;
  let sold: TestMarket;
  beforeAll(async () => {
    [held, sold] = (await scene.event(2)) as [TestMarket, TestMarket];
    event = held.event;
    await scene.holding('alice', 'bob', held, '10');
    await scene.holding('alice', 'bob', sold, '10');
    await scene.place('bob', sold, { price: 0.6, shares: '10' });
    await scene.place('alice', sold, { side: 'ask', price: 0.6, shares: '10' });
    await scene.place('bob', held, { currency: 'USDC', position: 'short', shares: '2' });
    await scene.place('alice', held, { currency: 'USDC', shares: '2' });
  });
  const statuses = async (query: Query): Promise<readonly unknown[]> => {
    const answer = await scene.as('alice').get(`/events/${event}/wagers/`, query);
    return answer.list().map((_, at) => answer.at(`${at}.status`));
  };

  test.each(['', '/v2.0'])('%s/events/{id}/wagers/: a plain array', async (prefix) => {
    const answer = await scene.as('alice').get(`${prefix}/events/${event}/wagers/`);
    expect(answer.status).toBe(200);
    expect(answer.list().length).toBeGreaterThan(0);
    expect(answer.at('0.user')).toMatch(new RegExp(`/users/${ACCOUNT_IDS.alice}/$`));
  });

  test('active', async () => {
    expect(await statuses({ active: true })).toEqual(['purchased']);
    expect(await statuses({ active: false })).toEqual(['sold']);
  });

  test('currency_mode: play money unless said', async () => {
    const play = await scene.as('alice').get(`/events/${event}/wagers/`);
    expect(play.at('0.currency')).toBe('OOM');
    const real = await scene.as('alice').get(`/events/${event}/wagers/`, { currency_mode: 'real_money' });
    expect(real.at('0.currency')).toBe('USDC');
  });

  test('past_bets: settled and closed ones as well', async () => {
    expect(new Set(await statuses({ past_bets: true }))).toEqual(new Set(['purchased', 'sold']));
  });

  test('must be signed', async () => {
    expect((await scene.nobody.get(`/events/${event}/wagers/`)).status).toBe(401);
  });

  test('404 for an unknown event', async () => {
    expect((await scene.as('alice').get('/events/999999999/wagers/')).status).toBe(404);
  });
});

describe('beyond the specification: GET /wagers/rebates/', () => {
  test.each(['/wagers/rebates/', '/v2.0/wagers/rebates/'])('%s sums maker rebates', async (path) => {
    const fees = { play_money: { taker: 0, maker: 0 }, real_money: { taker: 2_000, maker: -500 } };
    const generous = await ContractScene.start({ fees: fees as never });
    const market = await generous.market();
    await generous.place('alice', market, { currency: 'USDC', shares: '10' });
    await generous.place('bob', market, { currency: 'USDC', position: 'short', shares: '10' });
    const today = new Date().toISOString().slice(0, 10);
    const rebated = async (query: Query): Promise<unknown> =>
      (await generous.as('alice').get(path, query)).at('rebated_fee_usd');
    expect(await rebated({})).toBe(0.005);
    expect(await rebated({ event: market.event, date: today })).toBe(0.005);
    expect(await rebated({ date: '2020-01-01' })).toBe(0);
    expect((await generous.as('alice').get(path, { date: 'today' })).at('fields.date')).toBeDefined();
    await generous.close();
  });
});

describe('beyond the specification: what a wager refers to', () => {
  test.each(['', '/v2.0'])('%s/users/{id}/, /events/{id}/ and /markets/{id}/ answer', async (prefix) => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    const wagers = await scene.as('alice').get('/wagers/', { event: market.event });
    const follow = (name: string) =>
      scene.nobody.get(prefix + new URL(String(wagers.at(`results.0.${name}`))).pathname);
    expect((await follow('user')).body).toEqual({
      id: 1,
      username: 'alice',
      picture: null,
      win_rate: expect.any(Number),
      wagers_count: expect.any(Number),
      net_earnings: expect.any(Number),
    });
    expect((await follow('event')).at('id')).toBe(market.event);
    expect((await follow('market')).body).toMatchObject({
      event: market.event,
      id: market.market,
      status: 'active',
      price: { OOM: expect.any(Number) },
    });
  });

  test.each(['/users/424242/', '/markets/999999999/'])('%s: 404', async (path) => {
    expect((await scene.nobody.get(path)).status).toBe(404);
  });
});
