import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { priceUnits, shares } from '../../../../src/domain/units.js';
import {
  CompetingMaker,
  InformedTrader,
  LmsrMaker,
  NoiseTrader,
  type Participant,
} from '../../../../src/exchange/participants/index.js';
import { buying } from '../../../../src/exchange/participants/stage.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import {
  EVENT,
  TRADING_START,
  marketsOf,
  SECOND,
  type Step,
  traderOf,
  SimulatedTrading,
} from '../../../support/exchange/simulated-trading.js';

const SIZES = { sizeMin: shares(100), sizeMax: shares(1_500) };
const HALF_SPREAD = priceUnits(200);
const HOUR = 3_600 * SECOND;

const noise = (account: number, count: number, ratePerS: number, seed: number) =>
  new NoiseTrader(
    traderOf(account, marketsOf(count)),
    { ...SIZES, ratePerS },
    seededRandom(seed),
    TRADING_START,
  );
const maker = (account: number, count: number, seed: number, size = SIZES) =>
  new CompetingMaker(
    traderOf(account, marketsOf(count)),
    { ...size, halfSpread: HALF_SPREAD, opinions: [0.5] },
    seededRandom(seed),
    TRADING_START,
  );
const informed = (account: number, seed: number, probability = 0.5, horizonMicros = HOUR) =>
  new InformedTrader(
    traderOf(account, marketsOf(1)),
    { ...SIZES, ratePerS: 1, probability, horizonMicros },
    seededRandom(seed),
    TRADING_START,
  );
const everybody = (seed: number): readonly Participant[] => [
  maker(1, 1, seed),
  new LmsrMaker(traderOf(2, marketsOf(3)), 500, TRADING_START),
  noise(3, 3, 3, seed + 1),
  informed(4, seed + 2),
];
const run = (participants: readonly Participant[], seconds: number): SimulatedTrading => {
  const trading = new SimulatedTrading(marketsOf(3), 4);
  trading.run(participants, seconds);
  return trading;
};
const hashOf = (steps: readonly Step[]): string =>
  createHash('sha256').update(JSON.stringify(steps)).digest('hex');
const isTaken = ({ outcome }: Step): boolean => (outcome as { readonly ok?: boolean }).ok !== false;

describe('participants on one stage', () => {
  it('do exactly the same for the same seeds, and something else for others', () => {
    const [once, again, other] = [7, 7, 8].map((seed) => hashOf(run(everybody(seed), 30).steps));
    expect(once).toBe(again);
    expect(once).not.toBe(other);
  });

  it('keep a two-sided market in which trades happen, and the ledger adds up to nothing', () => {
    const trading = run(everybody(3), 150);
    const trades = trading.events.filter(({ kind }) => kind === 'trade');
    expect(trades.length).toBeGreaterThan(100);
    expect(trading.exchange.ledger().sum['OOM']).toBe(0);
    for (const market of trading.markets) {
      const [bid, ask] = trading.touch(market);
      expect(bid).not.toBeNull();
      expect(ask).not.toBeNull();
    }
  });

  it('are never refused, for they know what they hold and what the venue takes', () => {
    const { steps } = run(everybody(5), 150);
    const placed = steps.filter(({ command }) => command.kind === 'place-order');
    expect(placed.filter((step) => !isTaken(step))).toEqual([]);
  });

  it('say nothing any more once the stage is closed', () => {
    const trading = run(everybody(3), 5);
    trading.close();
    const before = trading.steps.length;
    trading.pass(60);
    expect(trading.steps.length).toBe(before);
  });
});

describe('a noise trader', () => {
  it('arrives as often as configured, buys and sells alike, takes more than it rests', () => {
    const trading = run(
      [maker(1, 3, 1, { sizeMin: shares(1e6), sizeMax: shares(1e6) }), noise(3, 3, 4, 2)],
      500,
    );
    const orders = trading
      .stepsOf(3)
      .flatMap(({ command }) => (command.kind === 'place-order' ? [command.order] : []));
    expect(Math.abs(orders.length - 2_000)).toBeLessThan(5 * Math.sqrt(2_000));
    const takes = orders.filter(({ price }) => price === null).length / orders.length;
    expect(Math.abs(takes - 0.6)).toBeLessThan(0.06);
    const buys = orders.filter(({ side, position }) => (side === 'bid') === (position === 'long')).length;
    expect(Math.abs(buys / orders.length - 0.5)).toBeLessThan(0.06);
    for (const order of orders) expect(order.shares! >= 100 && order.shares! <= 1_500).toBe(true);
  });

  it('sells what it holds instead of locking more and more', () => {
    const trading = run(
      [maker(1, 3, 1, { sizeMin: shares(1e6), sizeMax: shares(1e6) }), noise(3, 3, 4, 2)],
      500,
    );
    const row = trading.exchange
      .ledger()
      .accounts.find(({ id, currency }) => id === 3 && currency === 'OOM')!;
    const held = row.shares.reduce((sum, holding) => sum + holding.shares, 0);
    const traded = trading.events.reduce(
      (sum, event) => (event.kind === 'trade' ? sum + event.shares : sum),
      0,
    );
    expect(held).toBeLessThan(traded / 10);
  });

  it('lets its resting orders expire', () => {
    const trading = run([maker(1, 1, 1), noise(3, 1, 2, 2)], 60);
    const resting = trading
      .stepsOf(3)
      .flatMap(({ command, at }) =>
        command.kind === 'place-order' && command.order.price !== null ? [command.order.expiresAt! - at] : [],
      );
    expect(new Set(resting)).toEqual(new Set([15 * SECOND]));
  });

  it('stays away from a market that takes no orders', () => {
    const trading = new SimulatedTrading(marketsOf(3), 4);
    trading.execute({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    trading.run([noise(3, 3, 5, 1), maker(1, 3, 1), informed(4, 1)], 60);
    expect(trading.steps).toHaveLength(1);
  });
});

describe('an informed trader', () => {
  it('takes at the touch what is mispriced, towards the outcome as it becomes clear', () => {
    for (const seed of [1, 2, 3, 4]) {
      const trading = new SimulatedTrading(marketsOf(1), 4);
      const market = trading.markets[0]!;
      const quote = { market, price: priceUnits(4_900), shares: shares(1e7), expiresAt: null } as const;
      trading.execute(buying({ ...quote, side: 'bid' }, traderOf(1, trading.markets)));
      trading.execute(
        buying({ ...quote, side: 'ask', price: priceUnits(5_100) }, traderOf(1, trading.markets)),
      );
      const trader = informed(4, seed, 0.5, 600 * SECOND);
      trading.run([trader], 590);
      const trades = trading.events.flatMap((event) => (event.kind === 'trade' ? [event] : []));
      const prices = new Set(trades.map(({ takerBookSide, price }) => `${takerBookSide} ${price}`));
      expect([...prices].filter((price) => price !== 'bid 5100' && price !== 'ask 4900')).toEqual([]);
      const isLong = trader.resolvesLong(market.id);
      const last = trades.slice(-50).map(({ takerBookSide }) => takerBookSide);
      expect(new Set(last)).toEqual(new Set([isLong ? 'bid' : 'ask']));
    }
  });

  it('profits from whoever does not know', () => {
    const results = [1, 2, 3, 4, 5].map((seed) => {
      const trading = new SimulatedTrading(marketsOf(1), 4);
      const trader = informed(4, seed, 0.5, 120 * SECOND);
      trading.run([new LmsrMaker(traderOf(2, trading.markets), 200, TRADING_START), trader], 120);
      const winner = trader.resolvesLong(trading.markets[0]!.id) ? trading.markets[0]! : null;
      return trading.worthIf(4, winner) - 1_000_000;
    });
    expect(results.filter((profit) => profit <= 0)).toEqual([]);
  });

  it('stops when everything is known', () => {
    const trader = informed(4, 1, 0.5, 60 * SECOND);
    const trading = run([maker(1, 1, 1), trader], 120);
    expect(trader.nextDue()).toBeNull();
    expect(trading.stepsOf(4).every(({ at }) => at <= TRADING_START + 60 * SECOND)).toBe(true);
  });
});

describe('a competing maker', () => {
  it('keeps levels on both sides, at least the half-spread from its opinion', () => {
    const trading = run([maker(1, 1, 4)], 30);
    const book = trading.exchange.book(trading.markets[0]!.id, 'play_money', 'long', null)!;
    expect([book.bids.length, book.asks.length]).toEqual([3, 3]);
    expect(book.asks[0]!.price - book.bids[0]!.price).toBeGreaterThanOrEqual(2 * HALF_SPREAD);
  });

  it('keeps the order of a level that stays, at its size', () => {
    const trading = run([maker(1, 1, 4)], 1);
    const ids = () =>
      trading.exchange.orders(traderOf(1, []).account, { status: 'open', limit: 100, offset: 0 }).results;
    const first = ids();
    trading.pass(3);
    const stayed = ids().filter((order) => first.some((before) => before.id === order.id));
    const samePrices = ids().filter((order) =>
      first.some((before) => before.price === order.price && before.position === order.position),
    );
    expect(samePrices.length).toBeGreaterThan(0);
    expect(stayed.map(({ id }) => id)).toEqual(samePrices.map(({ id }) => id));
  });

  it('leans against its inventory', () => {
    const centreAfter = (side: 'bid' | 'ask'): number => {
      const trading = run([maker(1, 1, 4, { sizeMin: shares(1e6), sizeMax: shares(1e6) })], 1);
      trading.execute(
        buying(
          { market: trading.markets[0]!, side, price: null, shares: shares(100_000), expiresAt: null },
          traderOf(3, trading.markets),
        ),
      );
      trading.pass(2);
      const [bid, ask] = trading.touch(trading.markets[0]!);
      return (bid! + ask!) / 2;
    };
    expect(centreAfter('bid')).toBeGreaterThan(centreAfter('ask') + 0.1);
  });
});
