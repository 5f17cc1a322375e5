/** The live client against the bundled exchange, over real sockets: what a bot does with a venue, call by call. */
import { merge, type Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accountId, eventId, marketId, orderId } from '../../src/domain/ids.js';
import type { FeedInput } from '../../src/domain/inputs.js';
import type { LimitOrder } from '../../src/domain/orders.js';
import { micros, money, priceUnits, shares, type Micros } from '../../src/domain/units.js';
import type { Clock } from '../../src/core/ports/clock.js';
import { seededRandom } from '../../src/storage/clocks/seeded-random.js';
import { SystemClock } from '../../src/storage/clocks/system-clock.js';
import { PusherFeed } from '../../src/venues/futuur/realtime/feed.js';
import type { Outcome } from '../../src/venues/outcome.js';
import { RestClient } from '../../src/venues/futuur/rest/rest-client.js';
import type { Credentials, WireOptions } from '../../src/venues/futuur/rest/wire.js';
import { ContractScene, freshId, type TestMarket } from '../support/contract/contract-scene.js';

const ALICE = accountId(1);
const tickUnitsOf = () => 100;

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

const keysOf = (name: string): Credentials => ({ publicKey: `pk_${name}`, privateKey: `sk_${name}` });

function client(changes: Partial<WireOptions> = {}): RestClient {
  const rest = new RestClient({
    baseUrl: scene.exchange.restUrl,
    credentials: keysOf('alice'),
    nested: 'python',
    timeoutMs: 5_000,
    clock: new SystemClock(),
    observe: () => undefined,
    ...changes,
  });
  onTestFinished(() => rest.close());
  return rest;
}

/** The value of a call that has to succeed. */
async function valueOf<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
  const settled = await outcome;
  expect(settled).toMatchObject({ ok: true });
  if (!settled.ok) throw new Error(`the call failed: ${settled.failure.kind}`);
  return settled.value;
}

const order = ({ event, market }: TestMarket, changes: Partial<LimitOrder> = {}): LimitOrder => ({
  eventId: eventId(event),
  marketId: marketId(market),
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(4_000),
  shares: shares(1_000),
  expiresAt: null,
  ...changes,
});

let keys = 0;
const key = (): string => `test-${freshId()}-${++keys}`;

describe('the client and the exchange', () => {
  it('agree about the account', async () => {
    const rest = client();
    expect(await valueOf(rest.me())).toMatchObject({ id: 1, username: 'alice' });
    expect((await valueOf(rest.balances())).get('OOM')).toBeGreaterThan(0);
    expect([...(await valueOf(rest.balances('USDC'))).keys()]).toEqual(['USDC']);
    const wallet = { safe_address: '0xabc', chain_id: 137 };
    expect(await valueOf(rest.registerWallet(wallet))).toMatchObject({
      id: 1,
      is_wallet_user: expect.any(String),
    });
  });

  it('agree about the life of orders', async () => {
    const rest = client();
    const market = await scene.market();
    const { orderId: single } = await valueOf(rest.createLimitOrder(order(market), key()));
    const created = await valueOf(
      rest.batchCreate([order(market), order(market, { price: priceUnits(3_900) })], key()),
    );
    const ids = created.items.map((item) => (item.ok ? item.value.orderId : orderId(0)));
    const updated = await valueOf(
      rest.batchUpdate(
        [
          {
            orderId: ids[0]!,
            place: order(market),
            price: priceUnits(4_100),
            shares: shares(500),
            expiresAt: null,
            says: 'price-and-shares',
          },
        ],
        key(),
      ),
    );
    expect(updated.items).toMatchObject([
      { ok: true, value: { price: 4_100, requested: 500, status: 'open' } },
    ]);
    expect(await valueOf(rest.cancelOrder(single))).toBe(single);
    expect(await valueOf(rest.batchCancel([ids[0]!, ids[1]!]))).toMatchObject({
      items: [{ ok: false }, { ok: true }],
    });
    const scope = {
      kind: 'market',
      eventId: eventId(market.event),
      marketId: marketId(market.market),
    } as const;
    expect((await valueOf(rest.cancelScope(scope))).canceledIds).toHaveLength(1);
    expect(await valueOf(rest.orders({ market: market.market }))).toMatchObject({ orders: [], total: 0 });
  });

  it('agree about market orders, holdings and the book', async () => {
    const rest = client();
    const market = await scene.market();
    await scene.place('bob', market, { position: 'short', price: 0.5, shares: '10' });
    const market0 = { eventId: eventId(market.event), marketId: marketId(market.market) };
    const bought = await valueOf(
      rest.createMarketOrder(
        {
          kind: 'market-order',
          ...market0,
          side: 'bid',
          position: 'long',
          currency: 'OOM',
          limit: { amount: money(2_000_000) },
        },
        key(),
      ),
    );
    expect(bought).toMatchObject({ status: 'filled', price: null });
    expect(await valueOf(rest.eventWagers(eventId(market.event)))).toMatchObject([
      { position: 'long', shares: 400 },
    ]);
    const held = await valueOf(rest.holdings('play_money'));
    expect(held.filter((holding) => holding.marketId === String(market.market))).toHaveLength(1);
    await rest.createLimitOrder(order(market), key());
    expect(await valueOf(rest.book(marketId(market.market), 'play_money'))).toMatchObject({
      bids: { prices: [4_000], shares: [1_000] },
      asks: { prices: [5_000], shares: [600] },
      ownBids: [1_000],
      ownAsks: [0],
    });
  });

  it('agree about events, prices, taxes, wagers and rebates', async () => {
    const rest = client();
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    const event = eventId(market.event);
    expect(await valueOf(rest.event(event, tickUnitsOf))).toMatchObject({ id: event, status: 'open' });
    expect((await valueOf(rest.events({ limit: 5 }, tickUnitsOf))).events.length).toBeGreaterThan(0);
    expect(await valueOf(rest.tax(event))).toMatchObject({ tax_play_money: null });
    expect((await valueOf(rest.priceHistory(event, 'play_money', 'all_time'))).history).toBeInstanceOf(Array);
    expect((await valueOf(rest.rebates({ event: Number(event) }))).rebated_fee_usd).toBe(0);
    const { holdings } = await valueOf(rest.wagers({ event: Number(event), active: true }));
    expect(holdings).toMatchObject([{ position: 'long', shares: 1_000 }]);
    const listed = await scene.as('alice').get('/wagers/', { event });
    expect(await valueOf(rest.wager(listed.number('results.0.id')))).toMatchObject({
      position: 'long',
    });
  });

  it('agree about a listing of many pages', async () => {
    const rest = client({ credentials: keysOf('carol') });
    const market = await scene.market();
    for (let batch = 0; batch < 12; batch++) {
      const orders = Array.from({ length: 20 }, (_, index) =>
        order(market, { price: priceUnits(100 * (index + 1)), shares: shares(100 + batch) }),
      );
      await valueOf(rest.batchCreate(orders, key()));
    }
    expect(new Set((await valueOf(rest.activeOrders())).map(({ orderId }) => orderId)).size).toBe(240);
    expect(
      (await valueOf(rest.cancelWholeAccount({ kind: 'account-wide', confirmedBy: 'operator' }))).canceledIds,
    ).toHaveLength(240);
    expect(await valueOf(rest.activeOrders())).toEqual([]);
  });

  it('create nothing new when a request is repeated under its key', async () => {
    const rest = client();
    const market = await scene.market();
    const again = key();
    const first = await valueOf(rest.batchCreate([order(market)], again));
    expect(await valueOf(rest.batchCreate([order(market)], again))).toEqual(first);
    expect((await valueOf(rest.orders({ market: market.market }))).total).toBe(1);
  });

  it.each(['python', 'json', 'omit'] as const)('sign nested bodies alike: %s', async (nested) => {
    const own = await ContractScene.start({ signing: { nested } });
    onTestFinished(() => own.close());
    const market = await own.market();
    const rest = client({ baseUrl: own.exchange.restUrl, nested });
    expect((await valueOf(rest.batchCreate([order(market)], key()))).items).toMatchObject([{ ok: true }]);
  });

  it.each([
    ['InvalidHMACKey', { publicKey: 'pk_nobody', privateKey: 'sk_alice' }],
    ['InvalidHMACSignature', { publicKey: 'pk_alice', privateKey: 'sk_wrong' }],
  ])('speak of wrong keys: %s', async (code, credentials) => {
    const outcome = await client({ credentials }).me();
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'refused', status: 401, code } });
  });

  it('get along although our clock is ten minutes off', async () => {
    const system = new SystemClock();
    const slow: Clock = {
      now: (): Micros => micros(system.now() - 600_000_000),
      monotonic: () => system.monotonic(),
      at: (time, callback) => system.at(micros(time + 600_000_000), callback),
    };
    let calls = 0;
    const beforeFirstByte = (): void => void (calls += 1);
    expect(await valueOf(client({ clock: slow }).me({ beforeFirstByte }))).toMatchObject({ id: 1 });
    expect(calls).toBe(2);
  });
});

describe('the feed and the exchange', () => {
  it('agree about channels, books, orders, holdings and balances', async () => {
    const rest = client();
    const market = await scene.market();
    const inputs = await listening(rest, market);
    const { orderId: id } = await valueOf(rest.createLimitOrder(order(market), key()));
    await scene.place('bob', market, { position: 'short', price: 0.6, shares: '4' });
    const kinds = ['book', 'touch', 'order', 'holding', 'balance'] as const;
    await expect.poll(() => inputs.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
    const updates = inputs.flatMap((input) => (input.kind === 'order' ? [input.report] : []));
    expect(updates.every((report) => report.orderId === id)).toBe(true);
    expect(updates.at(-1)).toMatchObject({ status: 'partial_filled', filled: 400 });
    expect(inputs.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  });
});

/** What alice's feed on one event says, all its channels joined. */
async function listening(rest: RestClient, market: TestMarket): Promise<readonly FeedInput[]> {
  const { hostname, port, pathname } = new URL(scene.exchange.realtimeUrl);
  const feed = new PusherFeed({
    address: {
      key: pathname.split('/').at(-1) ?? '',
      cluster: null,
      host: hostname,
      port: Number(port),
      tls: false,
    },
    events: [eventId(market.event)],
    account: {
      id: ALICE,
      authorize: async (channel, socketId) => {
        const { auth } = await valueOf(rest.authorizeChannel({ channel_name: channel, socket_id: socketId }));
        return { ok: true, auth };
      },
    },
    clock: new SystemClock(),
    random: seededRandom(1),
  });
  onTestFinished(() => feed.close());
  const inputs: FeedInput[] = [];
  merge(...Object.values<Observable<FeedInput>>(feed.streams)).subscribe((input) => inputs.push(input));
  feed.connect();
  await expect.poll(() => inputs.filter(({ kind }) => kind === 'subscription')).toHaveLength(3);
  return inputs;
}
