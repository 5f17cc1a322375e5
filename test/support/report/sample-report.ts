/** A report of an invented backtest: two events, three markets, a quarter of an hour, drawn from a seed. */
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import { RunAnalyst } from '../../../src/analytics/run-analyst.js';
import type { RunDescription } from '../../../src/analytics/observer.js';
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { BookInput } from '../../../src/domain/inputs.js';
import type { Levels } from '../../../src/domain/levels.js';
import {
  type Micros,
  PRICE_ONE,
  type PriceUnits,
  money,
  priceUnits,
  shares,
} from '../../../src/domain/units.js';
import { type RunReport, reportOf } from '../../../src/report/run-report.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import type { Random } from '../../../src/core/ports/random.js';
import { fillOf } from '../orders/fills.js';
import { DESCRIPTION, depthOf, timeAt } from './watched-run.js';

const SECONDS = 900;
const MAKER_REBATE = -2_000;
/** How often a quote that could be filled is, per scenario. */
const FILLED = { pessimistic: 0.02, expected: 0.035, optimistic: 0.06 } as const;

export function sampleReport(seed = 7): RunReport {
  const scenarios = Object.entries(FILLED).map(([scenario, rate]) => sampleRun(scenario, rate, seed));
  return reportOf({
    title: 'inventory-skew on two invented events',
    mode: 'backtest',
    facts: [
      { name: 'configuration', value: 'config/backtest.yaml' },
      { name: 'seed', value: String(seed) },
      { name: 'recording', value: 'invented <script>alert(1)</script> & drawn' },
    ],
    scenarios,
    fills: sampleFills(scenarios[0]!),
  });
}

/** The fills of its pictures as rows, as if there were many more. */
function sampleFills({ markets, currency }: RunAnalysis): NonNullable<RunReport['fills']> {
  const rows = markets.flatMap(({ marketId: id, eventId: event, strategy, fillSample }) =>
    fillSample.fills.map(({ at, side, price, shares: size }, place) => ({
      at,
      id: place + 1,
      isInferred: place === 3,
      instance: strategy,
      eventId: event,
      marketId: id,
      orderId: `${id}000${place}`,
      side,
      position: 'long' as const,
      price,
      shares: size,
      amount: price * size,
      fee: -0.002 * size,
      currency,
      liquidity: 'maker' as const,
    })),
  );
  return { of: 1_234, rows: rows.toSorted((one, other) => one.at - other.at) };
}

function sampleRun(scenario: string, rate: number, seed: number): RunAnalysis {
  const description: RunDescription = {
    ...DESCRIPTION,
    scenario,
    assumptions: [
      'queue: risk-averse; a decrease of a level is behind us until it must be ahead',
      'latency: feed 50 ms, request 30 ms, response 30 ms, constant',
    ],
  };
  const analyst = new RunAnalyst(description);
  const walks = [1, 2, 3].map((market) => new Walk(analyst, market, seededRandom(seed).fork(`${market}`)));
  for (let tick = 0; tick < SECONDS * 4; tick++) for (const walk of walks) walk.step(timeAt(tick / 4), rate);
  analyst.resolved(marketId(1), timeAt(SECONDS), 'long');
  analyst.resolved(marketId(2), timeAt(SECONDS), 'short');
  return analyst.end(timeAt(SECONDS + 10), () => depthOf([[40, 100]], [[60, 100]]));
}

/** One market: a price that wanders, quotes around it, and now and then a fill. */
class Walk {
  private mid = 5_000;
  private net = 0;
  private orders = 0;
  private requests = 0;
  private readonly prices: Random;
  private readonly chance: Random;

  constructor(
    private readonly analyst: RunAnalyst,
    private readonly market: number,
    random: Random,
  ) {
    this.prices = random.fork('prices');
    this.chance = random.fork('fills');
  }

  step(at: Micros, rate: number): void {
    if (this.prices.uniform() < 0.15) this.mid += (this.prices.below(3) - 1) * 100;
    this.mid = Math.min(9_000, Math.max(1_000, this.mid));
    const [bid, ask] = [priceUnits(this.mid - 100), priceUnits(this.mid + 100)];
    const id = marketId(this.market);
    this.analyst.book(id, at, bid, shares(5_000), ask);
    this.analyst.took({ seq: 0, at, input: this.shown(at, bid, ask) });
    const skew = -Math.round(this.net / 4_000) * 100;
    this.quote(at, 'bid', priceUnits(bid + skew), rate);
    this.quote(at, 'ask', priceUnits(ask + skew), rate);
    this.stand(at, priceUnits(bid + skew), priceUnits(ask + skew));
    if (this.prices.uniform() < 0.1) this.analyst.traded(id, at, bid, shares(300 + this.prices.below(2_000)));
    if (this.prices.uniform() < 0.3) this.request(at);
  }

  private request(at: Micros): void {
    const sides = ['bid', 'ask'] as const;
    const orders = sides.map((bookSide) => ({ marketId: marketId(this.market), bookSide }));
    this.requests += 1;
    this.analyst.requested(this.requests, 'replace-orders', 1, at, orders);
    this.analyst.answered(this.requests, 1, at);
  }

  /** Five levels a side, each larger than the one before it. */
  private shown(at: Micros, bid: PriceUnits, ask: PriceUnits): BookInput {
    const side = (best: number, step: number): Levels => ({
      prices: [0, 1, 2, 3, 4].map((level) => priceUnits(best + level * step)),
      shares: [0, 1, 2, 3, 4].map((level) => shares(1_000 * (level + 1))),
    });
    const [bids, asks] = [side(bid, -100), side(ask, 100)];
    const market = { eventId: eventId(1), marketId: marketId(this.market), mode: 'play_money' } as const;
    return { kind: 'book', ...market, topN: 5, bids, asks, venueTime: at };
  }

  private stand(at: Micros, bid: PriceUnits, ask: PriceUnits): void {
    const standing = (['bid', 'ask'] as const).map((side, index) => ({
      orderId: orderId(this.market * 10_000 + this.orders + index + 1),
      side: 'bid' as const,
      position: side === 'bid' ? ('long' as const) : ('short' as const),
      price: side === 'bid' ? bid : priceUnits(PRICE_ONE - ask),
      bookSide: side,
      longPrice: side === 'bid' ? bid : ask,
      remaining: shares(1_000),
    }));
    this.analyst.standing(marketId(this.market), at, standing);
  }

  private quote(at: Micros, side: 'bid' | 'ask', price: PriceUnits, rate: number): void {
    const [drawn, size] = [this.chance.uniform(), 200 + this.chance.below(1_800)];
    if (drawn >= rate / 4) return;
    this.orders += 2;
    const long = side === 'bid';
    this.net += (long ? 1 : -1) * size;
    const order = orderId(this.market * 10_000 + this.orders);
    this.analyst.queued(order, marketId(this.market), shares(this.chance.below(1_000)), shares(1_000));
    const cents = long ? price / 100 : (PRICE_ONE - price) / 100;
    this.analyst.filled(
      fillOf(cents, size / 100, {
        orderId: order,
        marketId: marketId(this.market),
        position: long ? 'long' : 'short',
        liquidity: 'maker',
        fee: money(Math.round((MAKER_REBATE * size) / 100)),
        at,
      }),
      at,
    );
  }
}
