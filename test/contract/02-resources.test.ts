/** Specification 2: resources and their fields, one test per row of its tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, type TestMarket } from '../support/contract-scene.js';
import { DECIMAL_TEXT, ISO_TIME } from '../support/wire-matchers.js';
import type { WireAnswer } from '../support/venue-client.js';

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

describe('2.3 limit order', () => {
  let market: TestMarket;
  let created: WireAnswer;
  let listed: WireAnswer;
  beforeAll(async () => {
    market = await scene.market();
    created = await scene.order('alice', market, { price: 0.37, shares: '12.5' });
    listed = await scene.as('alice').get('/orders/', { market: market.market });
  });

  const rows: readonly (readonly [string, unknown])[] = [
    ['id', expect.any(Number)],
    ['side', 'bid'],
    ['currency', 'OOM'],
    ['price', 0.37],
    ['shares', 12.5],
    ['amount', 4.625],
    ['position', 'long'],
    ['status', 'open'],
    ['expired_at', null],
    ['created_at', expect.stringMatching(ISO_TIME)],
  ];
  test.each(rows)('%s, as created and as listed', (field, value) => {
    expect(created.at(field)).toEqual(value);
    expect(listed.at(`results.0.${field}`)).toEqual(created.at(field));
  });

  test('market', () => {
    expect(created.at('market')).toBe(market.market);
    expect(listed.at('results.0.market')).toBe(market.market);
  });

  test('price is null for a market order', async () => {
    await scene.place('bob', market, { position: 'short', price: 0.5, shares: '3' });
    const answer = await scene.order('carol', market, { price: null, shares: '2' });
    expect(answer.status).toBe(201);
    expect(answer.at('price')).toBeNull();
  });

  test('nothing else stands in it', () => {
    expect(Object.keys(created.body as object)).toEqual([
      'id',
      'market',
      'side',
      'currency',
      'price',
      'shares',
      'amount',
      'position',
      'status',
      'expired_at',
      'created_at',
    ]);
  });
});

describe('2.3 the order object inside batch results', () => {
  let market: TestMarket;
  let created: WireAnswer;
  beforeAll(async () => {
    market = await scene.market();
    const item = { ...market, side: 'bid', currency: 'OOM', position: 'short', price: 0.4, shares: '20' };
    await scene.place('bob', market, { price: 0.6, shares: '5' });
    created = await scene.as('alice').post('/orders/batch/', { orders: [item] });
  });

  test.each([
    ['id', expect.any(Number)],
    ['price', 0.4],
    ['shares', 20],
    ['shares_requested', 20],
    ['shares_filled', '5'],
    ['currency', 'OOM'],
    ['side', 'bid'],
    ['position', 'short'],
    ['expired_at', null],
    ['status', 'partial_filled'],
    ['created', expect.stringMatching(ISO_TIME)],
  ])('%s', (field, value) => {
    expect(created.at(`results.0.order.${field}`)).toEqual(value);
  });

  test('event: id as text', () => {
    expect(created.at('results.0.order.event')).toBe(String(market.event));
  });

  test('market: id as text', () => {
    expect(created.at('results.0.order.market')).toBe(String(market.market));
  });

  test('created_at is not in it', () => {
    expect(created.at('results.0.order.created_at')).toBeUndefined();
  });
});

describe('2.4 order creation input', () => {
  test('market is required', async () => {
    const market = await scene.market();
    const { market: _market, ...rest } = input(market);
    const answer = await scene.as('alice').post('/orders/', rest);
    expect(answer.status).toBe(400);
    expect(answer.at('fields.market')).toEqual(['is required']);
  });

  test('event: in batch items the market must belong to it', async () => {
    const [market, other] = [await scene.market(), await scene.market()];
    const orders = [
      { ...input(market), event: market.event },
      { ...input(market), event: other.event },
    ];
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.at('results.0.success')).toBe(true);
    expect(answer.at('results.1.success')).toBe(false);
    expect(answer.at('results.1.errors.event')).toEqual([expect.any(String)]);
  });

  test.each(['side', 'currency'])('%s is required and one of a closed list', async (field) => {
    const market = await scene.market();
    const { [field as 'side' | 'currency']: _left, ...missing } = input(market);
    expect((await scene.as('alice').post('/orders/', missing)).at(`fields.${field}`)).toEqual([
      'is required',
    ]);
    const wrong = await scene.as('alice').post('/orders/', { ...input(market), [field]: 'nonsense' });
    expect(wrong.status).toBe(400);
    expect(wrong.at(`fields.${field}`)).toEqual([expect.stringContaining('one of')]);
  });

  test('position: long when a single order names none', async () => {
    const market = await scene.market();
    const { position: _position, ...rest } = input(market);
    const answer = await scene.as('alice').post('/orders/', rest);
    expect(answer.status).toBe(201);
    expect(answer.at('position')).toBe('long');
  });

  test('position: required in a batch', async () => {
    const market = await scene.market();
    const { position: _position, ...rest } = input(market);
    const answer = await scene.as('alice').post('/orders/batch/', { orders: [rest] });
    expect(answer.at('results.0.errors')).toEqual({ position: ['is required'] });
  });

  test.each([0, 1, -0.1, 1.5, 0.123456])('price: %s is refused, naming the field', async (price) => {
    const answer = await scene.order('alice', await scene.market(), { price });
    expect(answer.status).toBe(400);
    expect(answer.at('error')).toBe('ValidationError');
    expect(answer.at('fields.price')).toEqual([expect.any(String)]);
  });

  test('price: off the tick size of the market is refused', async () => {
    const coarse = await scene.market();
    const fine = await scene.market({}, { tickSize: '0.001' });
    expect((await scene.order('alice', coarse, { price: 0.375 })).at('fields.price')).toBeDefined();
    expect((await scene.order('alice', fine, { price: 0.375 })).status).toBe(201);
  });

  test('price: null is a market order at the best available price', async () => {
    const market = await scene.market();
    await scene.place('bob', market, { position: 'short', price: 0.3, shares: '5' });
    await scene.place('bob', market, { position: 'short', price: 0.4, shares: '5' });
    const answer = await scene.order('alice', market, { price: null, shares: '5' });
    expect(answer.body).toMatchObject({ price: null, status: 'filled', shares: 5, amount: 3 });
  });

  test('shares: as text or as a number', async () => {
    const market = await scene.market();
    expect((await scene.order('alice', market, { shares: '2.25', price: 0.31 })).at('shares')).toBe(2.25);
    expect((await scene.order('alice', market, { shares: 2.25, price: 0.32 })).at('shares')).toBe(2.25);
  });

  test('amount: gives the shares when they are missing', async () => {
    const market = await scene.market();
    const { shares: _shares, ...rest } = input(market);
    const answer = await scene.as('alice').post('/orders/', { ...rest, price: 0.3, amount: '1' });
    expect(answer.body).toMatchObject({ shares: 3.33, amount: 0.999 });
  });

  test('amount: contradicting shares times price is refused', async () => {
    const answer = await scene.order('alice', await scene.market(), {
      price: 0.5,
      shares: '10',
      amount: '7',
    });
    expect(answer.status).toBe(400);
    expect(answer.at('fields.amount')).toEqual([expect.any(String)]);
  });

  test('expired_at: null means none; a time is kept', async () => {
    const market = await scene.market();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await scene.order('alice', market, { expired_at: null })).at('expired_at')).toBeNull();
    const answer = await scene.order('alice', market, { expired_at: later, price: 0.4 });
    expect(new Date(String(answer.at('expired_at'))).toISOString()).toBe(later);
  });

  test.each(['yesterday', '2026-13-01T00:00:00Z', '2020-01-01T00:00:00Z'])(
    'expired_at: %s is refused',
    async (expired_at) => {
      const answer = await scene.order('alice', await scene.market(), { expired_at });
      expect(answer.status).toBe(400);
      expect(answer.at('fields.expired_at')).toEqual([expect.any(String)]);
    },
  );

  test('cancel_conflicting_orders: false unless said', async () => {
    const market = await scene.market();
    const resting = await scene.place('alice', market, { price: 0.6 });
    const crossing = { position: 'short', price: 0.5 };
    expect((await scene.order('alice', market, crossing)).at('error')).toBe('OrderBookConflictingOrders');
    const answer = await scene.order('alice', market, { ...crossing, cancel_conflicting_orders: true });
    expect(answer.status).toBe(201);
    const open = await scene.as('alice').get('/orders/', { market: market.market });
    expect(open.list('results')).toHaveLength(1);
    expect(open.at('results.0.id')).not.toBe(resting);
  });

  const input = ({ market }: TestMarket) => ({
    market,
    side: 'bid',
    currency: 'OOM',
    position: 'long',
    price: 0.5,
    shares: '10',
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
