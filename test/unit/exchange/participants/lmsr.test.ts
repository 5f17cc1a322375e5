import { describe, expect, it } from 'vitest';
import { priceUnits, shares } from '../../../../src/domain/units.js';
import { lmsrLadder, LmsrMaker } from '../../../../src/exchange/participants/makers.js';
import { logit } from '../../../../src/exchange/participants/draws.js';
import { buying } from '../../../../src/exchange/participants/stage.js';
import {
  TRADING_START,
  marketsOf,
  traderOf,
  SimulatedTrading,
} from '../../../support/exchange/simulated-trading.js';

const [CENT] = marketsOf(1);
const MILL = { ...CENT!, tickUnits: 10 };
const asks = (p: number, b: number, market = CENT!) =>
  lmsrLadder(p, b, market)
    .filter(({ side }) => side === 'ask')
    .map(({ price, shares }) => [price, shares]);
const bids = (p: number, b: number, market = CENT!) =>
  lmsrLadder(p, b, market)
    .filter(({ side }) => side === 'bid')
    .map(({ price, shares }) => [price, shares]);

describe('the ladder of a scoring rule', () => {
  it('offers at each tick what moves the price there, rounded down', () => {
    // Before rounding 4.000533, 4.003737, 4.010160 (design notes, "Binary outcomes").
    expect(asks(0.5, 100).slice(0, 3)).toEqual([
      [5_100, 400],
      [5_200, 400],
      [5_300, 401],
    ]);
    const exact = [0.51, 0.52, 0.53].map((to) => 100 * (logit(to) - logit(to - 0.01)));
    expect(exact.map((amount) => amount.toFixed(6))).toEqual(['4.000533', '4.003737', '4.010160']);
  });

  it('is the mirror image of itself', () => {
    expect(bids(0.5, 100)).toEqual(asks(0.5, 100).map(([price, amount]) => [10_000 - price!, amount]));
    expect(bids(0.3, 250)).toEqual(asks(0.7, 250).map(([price, amount]) => [10_000 - price!, amount]));
  });

  it('moves the price from 0.5 to 0.6 for 40.546511 shares', () => {
    const total = 100 * (logit(0.6) - logit(0.5));
    expect(total.toFixed(6)).toBe('40.546511');
    const offered = lmsrLadder(0.5, 100, MILL).filter(({ side }) => side === 'ask');
    expect(offered).toHaveLength(5);
    expect(offered.at(-1)?.price).toBe(5_050);
  });

  it('begins strictly beyond its price, also from between two ticks', () => {
    expect(asks(0.505, 100)[0]?.[0]).toBe(5_100);
    expect(bids(0.505, 100)[0]?.[0]).toBe(5_000);
    expect(asks(0.51, 100)[0]?.[0]).toBe(5_200);
  });

  it('ends with the grid', () => {
    expect(asks(0.975, 100).map(([price]) => price)).toEqual([9_800, 9_900]);
    expect(asks(0.995, 100)).toEqual([]);
  });
});

describe('a maker with a scoring rule', () => {
  const maker = (b: number, count: number) => {
    const markets = marketsOf(count);
    const trading = new SimulatedTrading(markets, 2);
    return {
      trading,
      markets,
      lmsr: new LmsrMaker(traderOf(1, markets), b, TRADING_START),
      taker: traderOf(2, markets),
    };
  };

  it('prices a pair at one half and exclusive outcomes equally', () => {
    const pair = maker(100, 1);
    pair.trading.run([pair.lmsr], 1);
    expect(pair.trading.touch(pair.markets[0]!)).toEqual([0.49, 0.51]);
    const four = maker(100, 4);
    four.trading.run([four.lmsr], 1);
    expect(four.markets.map((market) => four.trading.touch(market))).toEqual(
      four.markets.map(() => [0.24, 0.26]),
    );
  });

  it('moves every outcome at once when one is bought: up there, down elsewhere', () => {
    const { trading, markets, lmsr, taker } = maker(100, 4);
    trading.run([lmsr], 1);
    const wish = {
      market: markets[0]!,
      side: 'bid',
      price: priceUnits(2_800),
      shares: shares(100_000),
      expiresAt: null,
    } as const;
    trading.execute(buying(wish, taker));
    trading.execute({ kind: 'cancel-all', account: taker.account, eventId: null, marketId: null });
    trading.pass(0);
    const [first, ...others] = markets.map((market) => trading.touch(market));
    expect(first).toEqual([0.27, 0.29]);
    for (const [bid, ask] of others) expect([bid, ask]).toEqual([0.23, 0.25]);
  });

  it('leaves its orders alone while nothing happens', () => {
    const { trading, lmsr } = maker(100, 2);
    trading.run([lmsr], 1);
    const placed = trading.steps.length;
    trading.pass(60);
    expect(trading.steps.length).toBe(placed);
  });

  it('places nothing in a market that takes no orders, and comes back with it', () => {
    const { trading, lmsr, markets } = maker(100, 1);
    const status = (word: 'paused' | 'active') =>
      trading.execute({ kind: 'set-market-status', marketId: markets[0]!.id, status: word });
    status('paused');
    trading.run([lmsr], 5);
    expect(trading.stepsOf(1)).toEqual([]);
    status('active');
    trading.pass(1);
    expect(trading.touch(markets[0]!)).toEqual([0.49, 0.51]);
  });

  it('goes on where it was when it begins on an exchange that has been running', () => {
    const { trading, lmsr, markets, taker } = maker(100, 1);
    trading.run([lmsr], 1);
    trading.execute(
      buying(
        { market: markets[0]!, side: 'bid', price: null, shares: shares(1_200), expiresAt: null },
        taker,
      ),
    );
    trading.pass(1);
    const before = trading.touch(markets[0]!);
    trading.close();
    trading.run([new LmsrMaker(traderOf(1, markets), 100, trading.clock.now())], 1);
    expect(trading.touch(markets[0]!)).toEqual(before);
    expect(before[0]).toBeGreaterThan(0.5);
  });
});
