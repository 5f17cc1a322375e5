/** Specification 4.14 to 4.16, and the reads beyond it: books, history, tax, events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, freshId, type TestMarket } from '../support/contract/contract-scene.js';
import { idsOf, type Query, type WireAnswer } from '../support/wire/venue-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('4.14 GET /markets/{id}/book/', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await scene.market();
    for (const price of [0.3, 0.4, 0.35]) await scene.place('alice', market, { price });
    for (const price of [0.5, 0.4, 0.45]) await scene.place('bob', market, { position: 'short', price });
  });
  const book = (query: Query, path = `/markets/${market.market}/book/`): Promise<WireAnswer> =>
    scene.nobody.get(path, query);

  test.each(['', '/v2.0'])('%s/markets/{id}/book/ without a signature', async (prefix) => {
    const answer = await book({ currency_mode: 'play_money' }, `${prefix}/markets/${market.market}/book/`);
    expect(answer.status).toBe(200);
    expect(answer.at('bid.0.total_user_shares')).toBeUndefined();
  });

  test('bid from the highest price down, ask from the lowest up', async () => {
    const answer = await book({ currency_mode: 'play_money' });
    const prices = (side: string): readonly unknown[] =>
      answer.list(side).map((_, at) => answer.at(`${side}.${at}.price`));
    expect(prices('bid')).toEqual([0.4, 0.35, 0.3]);
    expect(prices('ask')).toEqual([0.5, 0.55, 0.6]);
  });

  test('currency_mode is required', async () => {
    const answer = await book({});
    expect(answer.status).toBe(400);
    expect(answer.at('fields.currency_mode')).toEqual(['is required']);
  });

  test('currency_mode: each has a book of its own', async () => {
    expect((await book({ currency_mode: 'real_money' })).body).toEqual({ bid: [], ask: [] });
  });

  test('position: long unless said', async () => {
    const long = await book({ currency_mode: 'play_money', position: 'long' });
    expect((await book({ currency_mode: 'play_money' })).body).toEqual(long.body);
    const short = await book({ currency_mode: 'play_money', position: 'short' });
    expect(short.at('bid.0.price')).toBe(0.5);
    expect((await book({ currency_mode: 'play_money', position: 'up' })).at('fields.position')).toBeDefined();
  });

  test('signed: the columns of the caller', async () => {
    const answer = await scene
      .as('alice')
      .get(`/markets/${market.market}/book/`, { currency_mode: 'play_money' });
    expect(answer.at('bid.0')).toMatchObject({ total_user_shares: 10, total_user_shares_requested: 10 });
    expect(answer.at('ask.0')).toMatchObject({ total_user_shares: 0, total_user_shares_requested: 0 });
  });

  test('signed: what is filled is in no column of the caller', async () => {
    const filled = await scene.market();
    await scene.place('alice', filled, { price: 0.5, shares: '10' });
    await scene.place('bob', filled, { price: 0.5, shares: '4', position: 'short' });
    const answer = await scene
      .as('alice')
      .get(`/markets/${filled.market}/book/`, { currency_mode: 'play_money' });
    expect(answer.at('bid.0')).toMatchObject({ total_user_shares: 6, total_user_shares_requested: 6 });
  });

  test('404 for an unknown market', async () => {
    expect((await book({ currency_mode: 'play_money' }, '/markets/999999999/book/')).status).toBe(404);
  });
});

describe('4.15 GET /events/{id}/price_history/', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await scene.market();
    await scene.holding('alice', 'bob', market, '1');
  });
  const history = (query: Query, path = `/events/${market.event}/price_history/`): Promise<WireAnswer> =>
    scene.nobody.get(path, query);

  test.each(['', '/v2.0'])('%s/events/{id}/price_history/ without a signature', async (prefix) => {
    const path = `${prefix}/events/${market.event}/price_history/`;
    expect((await history({ currency_mode: 'play_money' }, path)).status).toBe(200);
  });

  test('currency_mode is required', async () => {
    expect((await history({})).at('fields.currency_mode')).toEqual(['is required']);
  });

  test.each(['day', 'week', 'month', 'year', 'all_time'])('time_interval %s', async (interval) => {
    const answer = await history({ currency_mode: 'play_money', time_interval: interval });
    expect(answer.status).toBe(200);
    expect(answer.at('time_interval')).toBe(interval);
    expect(answer.list('history').length).toBeGreaterThan(0);
  });

  test('time_interval: an unknown one is refused', async () => {
    const answer = await history({ currency_mode: 'play_money', time_interval: 'hour' });
    expect(answer.at('fields.time_interval')).toBeDefined();
  });

  test('the other mode has a history of its own', async () => {
    expect((await history({ currency_mode: 'real_money' })).at('history')).toEqual([]);
  });

  test('404 for an unknown event', async () => {
    const path = '/events/999999999/price_history/';
    expect((await history({ currency_mode: 'play_money' }, path)).status).toBe(404);
  });
});

describe('4.16 GET /events/{id}/get_tax/', () => {
  test.each(['', '/v2.0'])('%s/events/{id}/get_tax/ without a signature', async (prefix) => {
    const { event } = await scene.market();
    const answer = await scene.nobody.get(`${prefix}/events/${event}/get_tax/`);
    expect(answer.body).toEqual({ tax_play_money: null, tax_real_money: null });
  });

  test('404 for an unknown event', async () => {
    expect((await scene.nobody.get('/events/999999999/get_tax/')).status).toBe(404);
  });
});

describe('beyond the specification: GET /events/ and /events/{id}/', () => {
  const tag = `tag${freshId()}`;
  const category = freshId();
  let plain: TestMarket;
  let live: TestMarket;
  let over: TestMarket;
  let resolved: TestMarket;
  beforeAll(async () => {
    const settings = { category: { id: category, name: tag } };
    plain = await scene.market({ ...settings, title: `${tag} plain` });
    live = await scene.market({ ...settings, title: `${tag} live` });
    over = await scene.market({ ...settings, title: `${tag} over`, betEndDate: '2020-01-01T00:00:00Z' });
    resolved = await scene.market({ ...settings, title: `${tag} resolved` });
    await scene.admin.post(`/admin/events/${live.event}/live/`, {
      isLive: true,
      extraData: { score: '1:0' },
    });
    await scene.admin.post(`/admin/events/${resolved.event}/resolve/`, {
      resolutions: { [resolved.market]: 'long' },
    });
  });
  const list = async (query: Query): Promise<readonly number[]> =>
    idsOf(await scene.nobody.get('/events/', { categories: [String(category)], ordering: 'id', ...query }));

  test.each(['/events/', '/v2.0/events/'])('%s in the pagination wrapper', async (path) => {
    const answer = await scene.nobody.get(path, { tag });
    expect(answer.status).toBe(200);
    expect(answer.at('pagination.total')).toBe(4);
  });

  test('categories', async () => {
    expect(await list({})).toEqual([plain.event, live.event, over.event, resolved.event]);
    expect(await list({ categories: ['424242'] })).toEqual([]);
  });

  test('live', async () => {
    expect(await list({ live: true })).toEqual([live.event]);
  });

  test('pending_resolution', async () => {
    expect(await list({ pending_resolution: true })).toEqual([over.event]);
  });

  test('resolved_only', async () => {
    expect(await list({ resolved_only: true })).toEqual([resolved.event]);
  });

  test('search', async () => {
    expect(await list({ search: `${tag} plain` })).toEqual([plain.event]);
  });

  test('ordering', async () => {
    expect(await list({ ordering: '-id' })).toEqual([resolved.event, over.event, live.event, plain.event]);
    expect((await scene.nobody.get('/events/', { ordering: 'colour' })).at('fields.ordering')).toBeDefined();
  });

  test('limit and offset', async () => {
    expect(await list({ limit: 2, offset: 1 })).toEqual([live.event, over.event]);
  });

  test.each(['', '/v2.0'])('%s/events/{id}/ with its markets', async (prefix) => {
    const answer = await scene.nobody.get(`${prefix}/events/${plain.event}/`);
    expect(answer.body).toMatchObject({
      id: plain.event,
      title: `${tag} plain`,
      slug: `${tag}-plain`,
      status: 'open',
      category: [{ id: category, name: tag }],
      bet_end_date: null,
      resolution_mode: 'exclusive',
      is_binary: true,
      markets: [
        {
          id: plain.market,
          status: 'active',
          long_label: 'Yes',
          short_label: 'No',
          resolution: null,
          order: 0,
        },
      ],
    });
  });

  test('404 for an unknown event', async () => {
    expect((await scene.nobody.get('/events/999999999/')).status).toBe(404);
  });
});
