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
import { buying } from '../../../../src/exchange/participants/participant.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import {
  FLOOR_START,
  marketsOf,
  SECOND,
  type Step,
  traderOf,
  TradingFloor,
} from '../../../support/exchange/trading-floor.js';

const SIZES = { sizeMin: shares(100), sizeMax: shares(1_500) };
const HALF_SPREAD = priceUnits(200);
const HOUR = 3_600 * SECOND;

const noise = (account: number, count: number, ratePerS: number, seed: number) =>
  new NoiseTrader(
    traderOf(account, marketsOf(count)),
    { ...SIZES, ratePerS },
    seededRandom(seed),
    FLOOR_START,
  );
const maker = (account: number, count: number, seed: number, size = SIZES) =>
  new CompetingMaker(
    traderOf(account, marketsOf(count)),
    { ...size, halfSpread: HALF_SPREAD, opinions: [0.5] },
    seededRandom(seed),
    FLOOR_START,
  );
const informed = (account: number, seed: number, probability = 0.5, horizonMicros = HOUR) =>
  new InformedTrader(
    traderOf(account, marketsOf(1)),
    { ...SIZES, ratePerS: 1, probability, horizonMicros },
    seededRandom(seed),
    FLOOR_START,
  );
const everybody = (seed: number): readonly Participant[] => [
  maker(1, 1, seed),
  new LmsrMaker(traderOf(2, marketsOf(3)), 500, FLOOR_START),
  noise(3, 3, 3, seed + 1),
  informed(4, seed + 2),
];
const run = (participants: readonly Participant[], seconds: number): TradingFloor => {
  const floor = new TradingFloor(marketsOf(3), 4);
  floor.run(participants, seconds);
  return floor;
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
    const floor = run(everybody(3), 150);
    const trades = floor.events.filter(({ kind }) => kind === 'trade');
    expect(trades.length).toBeGreaterThan(100);
    expect(floor.exchange.ledger().sum['OOM']).toBe(0);
    for (const market of floor.markets) {
      const [bid, ask] = floor.touch(market);
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
    const floor = run(everybody(3), 5);
    floor.close();
    const before = floor.steps.length;
    floor.pass(60);
    expect(floor.steps.length).toBe(before);
  });
});

describe('a noise trader', () => {
  it('arrives as often as configured, buys and sells alike, takes more than it rests', () => {
    const floor = run(
      [maker(1, 3, 1, { sizeMin: shares(1e6), sizeMax: shares(1e6) }), noise(3, 3, 4, 2)],
      500,
    );
    const orders = floor
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
    const floor = run(
      [maker(1, 3, 1, { sizeMin: shares(1e6), sizeMax: shares(1e6) }), noise(3, 3, 4, 2)],
      500,
    );
    const row = floor.exchange.ledger().accounts.find(({ id, currency }) => id === 3 && currency === 'OOM')!;
    const held = row.shares.reduce((sum, holding) => sum + holding.shares, 0);
    const traded = floor.events.reduce(
      (sum, event) => (event.kind === 'trade' ? sum + event.shares : sum),
      0,
    );
    expect(held).toBeLessThan(traded / 10);
  });

  it('lets its resting orders expire', () => {
    const floor = run([maker(1, 1, 1), noise(3, 1, 2, 2)], 60);
    const resting = floor
      .stepsOf(3)
      .flatMap(({ command, at }) =>
        command.kind === 'place-order' && command.order.price !== null ? [command.order.expiresAt! - at] : [],
      );
    expect(new Set(resting)).toEqual(new Set([15 * SECOND]));
  });

  it('stays away from a market that takes no orders', () => {
    const floor = new TradingFloor(marketsOf(3), 4);
    floor.execute({ kind: 'set-event-status', eventId: floor.markets[0]!.eventId, status: 'paused' });
    floor.run([noise(3, 3, 5, 1), maker(1, 3, 1), informed(4, 1)], 60);
    expect(floor.steps).toHaveLength(1);
  });
});

describe('an informed trader', () => {
  it('takes at the touch what is mispriced, towards the outcome as it becomes clear', () => {
    for (const seed of [1, 2, 3, 4]) {
      const floor = new TradingFloor(marketsOf(1), 4);
      const market = floor.markets[0]!;
      const quote = { market, price: priceUnits(4_900), shares: shares(1e7), expiresAt: null } as const;
      floor.execute(buying({ ...quote, side: 'bid' }, traderOf(1, floor.markets)));
      floor.execute(buying({ ...quote, side: 'ask', price: priceUnits(5_100) }, traderOf(1, floor.markets)));
      const trader = informed(4, seed, 0.5, 600 * SECOND);
      floor.run([trader], 590);
      const trades = floor.events.flatMap((event) => (event.kind === 'trade' ? [event] : []));
      const prices = new Set(trades.map(({ takerBookSide, price }) => `${takerBookSide} ${price}`));
      expect([...prices].filter((price) => price !== 'bid 5100' && price !== 'ask 4900')).toEqual([]);
      const isLong = trader.resolvesLong(market.id);
      const last = trades.slice(-50).map(({ takerBookSide }) => takerBookSide);
      expect(new Set(last)).toEqual(new Set([isLong ? 'bid' : 'ask']));
    }
  });

  it('profits from whoever does not know', () => {
    const results = [1, 2, 3, 4, 5].map((seed) => {
      const floor = new TradingFloor(marketsOf(1), 4);
      const trader = informed(4, seed, 0.5, 120 * SECOND);
      floor.run([new LmsrMaker(traderOf(2, floor.markets), 200, FLOOR_START), trader], 120);
      const winner = trader.resolvesLong(floor.markets[0]!.id) ? floor.markets[0]! : null;
      return floor.worthIf(4, winner) - 1_000_000;
    });
    expect(results.filter((profit) => profit <= 0)).toEqual([]);
  });

  it('stops when everything is known', () => {
    const trader = informed(4, 1, 0.5, 60 * SECOND);
    const floor = run([maker(1, 1, 1), trader], 120);
    expect(trader.nextDue()).toBeNull();
    expect(floor.stepsOf(4).every(({ at }) => at <= FLOOR_START + 60 * SECOND)).toBe(true);
  });
});

describe('a competing maker', () => {
  it('keeps levels on both sides, at least the half-spread from its opinion', () => {
    const floor = run([maker(1, 1, 4)], 30);
    const book = floor.exchange.book(floor.markets[0]!.id, 'play_money', 'long', null)!;
    expect([book.bids.length, book.asks.length]).toEqual([3, 3]);
    expect(book.asks[0]!.price - book.bids[0]!.price).toBeGreaterThanOrEqual(2 * HALF_SPREAD);
  });

  it('keeps the order of a level that stays, at its size', () => {
    const floor = run([maker(1, 1, 4)], 1);
    const ids = () =>
      floor.exchange.orders(traderOf(1, []).account, { status: 'open', limit: 100, offset: 0 }).results;
    const first = ids();
    floor.pass(3);
    const stayed = ids().filter((order) => first.some((before) => before.id === order.id));
    const samePrices = ids().filter((order) =>
      first.some((before) => before.price === order.price && before.position === order.position),
    );
    expect(samePrices.length).toBeGreaterThan(0);
    expect(stayed.map(({ id }) => id)).toEqual(samePrices.map(({ id }) => id));
  });

  it('leans against its inventory', () => {
    const centreAfter = (side: 'bid' | 'ask'): number => {
      const floor = run([maker(1, 1, 4, { sizeMin: shares(1e6), sizeMax: shares(1e6) })], 1);
      floor.execute(
        buying(
          { market: floor.markets[0]!, side, price: null, shares: shares(100_000), expiresAt: null },
          traderOf(3, floor.markets),
        ),
      );
      floor.pass(2);
      const [bid, ask] = floor.touch(floor.markets[0]!);
      return (bid! + ask!) / 2;
    };
    expect(centreAfter('bid')).toBeGreaterThan(centreAfter('ask') + 0.1);
  });
});
