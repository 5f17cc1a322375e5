/** Specification 2, but for orders: resources and their fields, one test per row of its tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import { DECIMAL_TEXT, ISO_TIME } from '../support/wire/wire-matchers.js';
import type { WireAnswer } from '../support/wire/venue-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('2.1 UserPrivate', () => {
  let me: WireAnswer;
  let safe: WireAnswer;
  beforeAll(async () => {
    me = await scene.as('alice').get('/me/');
    safe = await scene.as('poor').post('/me/safe/', { safe_address: '0xabc', chain_id: 137 });
  });

  test.each([
    ['id', 1],
    ['username', 'alice'],
    ['email', 'alice@example.org'],
    ['email_confirmed', true],
    ['real_currency_enabled', true],
    ['kyc_status', 'approved'],
    ['date_joined', '2024-03-01T12:00:00.000000Z'],
  ])('%s', (field, value) => {
    expect(me.at(field)).toEqual(value);
  });

  test('wallet: a map of currency code to decimal text', () => {
    expect(me.at('wallet')).toEqual({
      OOM: expect.stringMatching(DECIMAL_TEXT),
      USDC: expect.stringMatching(DECIMAL_TEXT),
      USDT: expect.stringMatching(DECIMAL_TEXT),
      USD: expect.stringMatching(DECIMAL_TEXT),
    });
  });

  test('is_wallet_user: text, in the answer of POST /me/safe/', () => {
    expect(safe.at('is_wallet_user')).toBe('true');
  });

  test('date_joined may be missing', () => {
    expect(safe.at('date_joined')).toBeUndefined();
  });
});

describe('2.2 balance row', () => {
  test.each([
    ['currency', 'OOM'],
    ['amount', expect.stringMatching(DECIMAL_TEXT)],
  ])('%s', async (field, value) => {
    const answer = await scene.as('alice').get('/me/balances/', { currency: 'OOM' });
    expect(answer.at(`0.${field}`)).toEqual(value);
  });
});

describe('2.5 WagerList and WagerDetail', () => {
  let market: TestMarket;
  let listed: WireAnswer;
  let detail: WireAnswer;
  beforeAll(async () => {
    market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    await scene.place('bob', market, { position: 'long', price: 0.7, shares: '4' });
    await scene.place('alice', market, { side: 'ask', position: 'long', price: 0.7, shares: '4' });
    await scene.place('bob', market, { position: 'long', price: 0.6, shares: '100' });
    listed = await scene.as('alice').get('/wagers/', { event: market.event });
    detail = await scene.as('alice').get(`/wagers/${listed.number('results.0.id')}/`);
  });

  test.each([
    ['id', expect.any(Number)],
    ['status', 'purchased'],
    ['status_display', 'Purchased'],
    ['user', expect.stringMatching(/^http.*\/users\/1\/$/)],
    ['event', expect.stringMatching(/^http.*\/events\/\d+\/$/)],
    ['market', expect.stringMatching(/^http.*\/markets\/\d+\/$/)],
    ['position', 'long'],
    ['position_display', 'Long'],
    ['currency', 'OOM'],
    ['shares', 6],
    ['shares_in_canonical', 6],
    ['total_amount', '5'],
    ['purchases_amount', 3],
    ['active_purchases_amount', expect.stringMatching(DECIMAL_TEXT)],
    ['active_purchases', expect.any(Array)],
    ['roi', '0.2800'],
    ['earnings', '1.4'],
    ['amount_on_win', '6'],
    ['amount_on_sell', '3.6'],
    ['last_sell_amount', 2.8],
    ['last_purchase', expect.stringMatching(ISO_TIME)],
    ['last_update', expect.stringMatching(ISO_TIME)],
    ['last_action', expect.objectContaining({ type: 'sale', shares: 4, price: 0.7 })],
    ['actions_count', 2],
  ])('%s, in list and detail', (field, value) => {
    expect(listed.at(`results.0.${field}`)).toEqual(value);
    expect(detail.at(field)).toEqual(value);
  });

  test('last_profit: the profit of the last sale', () => {
    expect(detail.at('last_profit')).toBe(0.8);
  });

  test('actions: a reference, in the detail only', () => {
    expect(detail.at('actions')).toMatch(/^http.*\/wagers\/\d+\/actions\/$/);
    expect(listed.at('results.0.actions')).toBeUndefined();
  });

  test('user is the reference of the owner', async () => {
    const bobs = await scene.as('bob').get('/wagers/', { event: market.event });
    expect(bobs.at('results.0.user')).toMatch(new RegExp(`/users/${ACCOUNT_IDS.bob}/$`));
  });
});

describe('2.6 pagination wrapper', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await scene.market();
    for (const price of [0.1, 0.2, 0.3, 0.4, 0.5]) await scene.place('alice', market, { price });
  });
  const page = (offset: number): Promise<WireAnswer> =>
    scene.as('alice').get('/orders/', { market: market.market, limit: 2, offset });

  test('pagination.total', async () => {
    expect((await page(0)).at('pagination.total')).toBe(5);
  });

  test('pagination.next: an address that continues, null on the last page', async () => {
    const next = new URL(String((await page(0)).at('pagination.next')));
    expect(next.searchParams.get('offset')).toBe('2');
    expect(next.searchParams.get('limit')).toBe('2');
    expect(next.searchParams.get('market')).toBe(String(market.market));
    expect(next.pathname).toBe('/orders/');
    expect((await page(4)).at('pagination.next')).toBeNull();
  });

  test('pagination.previous: null on the first page', async () => {
    expect((await page(0)).at('pagination.previous')).toBeNull();
    expect(new URL(String((await page(4)).at('pagination.previous'))).searchParams.get('offset')).toBe('2');
  });

  test('pagination.page_size', async () => {
    expect((await page(0)).at('pagination.page_size')).toBe(2);
  });

  test('pagination.page_size: 20 when none is asked for, with limit=0, too, and never above 100', async () => {
    const sizeOf = async (query: object): Promise<unknown> =>
      (await scene.as('alice').get('/orders/', { market: market.market, ...query })).at(
        'pagination.page_size',
      );
    expect(await sizeOf({})).toBe(20);
    expect(await sizeOf({ limit: 0 })).toBe(20);
    expect(await sizeOf({ limit: 1_000 })).toBe(100);
  });

  test('pagination.offset', async () => {
    expect((await page(4)).at('pagination.offset')).toBe(4);
  });

  test('results: every record once over all pages', async () => {
    const pages = [await page(0), await page(2), await page(4)];
    const ids = pages.flatMap((answer) =>
      answer.list('results').map((_, at) => answer.number(`results.${at}.id`)),
    );
    expect(new Set(ids).size).toBe(5);
  });
});

describe('2.7 order book level', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await scene.market();
    await scene.place('alice', market, { price: 0.4, shares: '10', currency: 'USDC' });
    await scene.place('bob', market, { price: 0.4, shares: '5', currency: 'USD' });
    await scene.place('bob', market, { price: 0.3, shares: '20', currency: 'USDC' });
    await scene.place('bob', market, { price: 0.5, shares: '4', position: 'short', currency: 'USDC' });
    await scene.place('alice', market, { price: 0.45, shares: '6', position: 'short', currency: 'USDC' });
    await scene.place('carol', market, { price: 0.55, shares: '1', currency: 'USDC' });
  });
  const book = (position = 'long'): Promise<WireAnswer> =>
    scene.as('alice').get(`/markets/${market.market}/book/`, { currency_mode: 'real_money', position });

  test.each([
    ['price', 0.4, 0.3],
    ['total_shares', 15, 20],
    ['total_amount', 6, 6],
    ['total_fees', 0.015, 0.02],
    ['cumulative_shares', 15, 35],
    ['cumulative_amount', 6, 12],
    ['cumulative_fees', 0.015, 0.035],
    ['total_user_shares', 10, 0],
    ['total_user_shares_requested', 10, 0],
  ])('%s: best level and the one behind it', async (field, best, second) => {
    const answer = await book();
    expect([answer.at(`bid.0.${field}`), answer.at(`bid.1.${field}`)]).toEqual([best, second]);
  });

  test('the ask side holds what others bid short, at the complement', async () => {
    const answer = await book();
    expect([answer.at('ask.0.price'), answer.at('ask.1.price')]).toEqual([0.5, 0.55]);
    expect(answer.at('ask.0.total_shares')).toBe(3);
  });

  test('the short book is the mirror', async () => {
    const answer = await book('short');
    expect([answer.at('bid.0.price'), answer.at('bid.1.price')]).toEqual([0.5, 0.45]);
    expect([answer.at('ask.0.price'), answer.at('ask.1.price')]).toEqual([0.6, 0.7]);
    expect(answer.at('bid.0.total_shares')).toBe(3);
  });
});

describe('2.8 price history and tax', () => {
  test('currency_mode, time_interval and history in chronological order', async () => {
    const [first] = await scene.event(2);
    await scene.holding('alice', 'bob', first!, '1');
    await scene.place('bob', first!, { position: 'short', price: 0.4, shares: '1' });
    await scene.place('alice', first!, { position: 'long', price: 0.6, shares: '1' });
    const answer = await scene.nobody.get(`/events/${first!.event}/price_history/`, {
      currency_mode: 'play_money',
    });
    expect(answer.at('currency_mode')).toBe('play_money');
    expect(answer.at('time_interval')).toBe('all_time');
    const times = answer.list('history').map((_, at) => String(answer.at(`history.${at}.timestamp`)));
    expect(times).toEqual(times.toSorted());
    expect(answer.at(`history.${times.length - 1}.outcomes.0`)).toEqual({
      outcome_id: first!.market,
      name: `Market ${first!.market}`,
      price: 0.6,
    });
  });

  test('tax_play_money and tax_real_money: a number, or null for no tax', async () => {
    const market = await scene.market({ tax: { play_money: null, real_money: '0.02' } });
    const answer = await scene.nobody.get(`/events/${market.event}/get_tax/`);
    expect(answer.body).toEqual({ tax_play_money: null, tax_real_money: 0.02 });
  });
});
