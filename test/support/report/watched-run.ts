/** A run told to an analyst by hand: seconds since its start, cents, whole shares. */
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import type { Depth } from '../../../src/analytics/series.js';
import { RunAnalyst } from '../../../src/analytics/run-analyst.js';
import { DEFAULT_UPTIME, type RunDescription } from '../../../src/analytics/observer.js';
import type { Fill } from '../../../src/domain/fill.js';
import { eventId, type MarketId, marketId, orderId } from '../../../src/domain/ids.js';
import { type Micros, micros, money, priceUnits, shares } from '../../../src/domain/units.js';
import type { Resolution } from '../../../src/domain/vocabulary.js';
import { fillOf } from '../orders/fills.js';

/** 2026-11-20 00:00:00 UTC. */
export const START = micros(1_795_132_800_000_000);

export const timeAt = (seconds: number): Micros => micros(START + Math.round(seconds * 1e6));

const units = (cents: number | null) => (cents === null ? null : priceUnits(Math.round(cents * 100)));

/** Two events: 873 with markets 1 and 2 of instance `alpha`, 874 with market 3 of `beta`. */
export const DESCRIPTION: RunDescription = {
  runId: 'run-1',
  scenario: 'expected',
  currency: 'OOM',
  startedAt: START,
  callsBefore: 0,
  events: [
    {
      eventId: eventId(873),
      title: 'Rain',
      underlying: 'weather',
      recordedUntil: null,
      markets: [
        { marketId: marketId(1), title: 'Yes', tickUnits: 100, strategy: 'alpha' },
        { marketId: marketId(2), title: 'No', tickUnits: 100, strategy: 'alpha' },
      ],
    },
    {
      eventId: eventId(874),
      title: 'Cup',
      underlying: 'football',
      recordedUntil: null,
      markets: [{ marketId: marketId(3), title: 'Ashford', tickUnits: 100, strategy: 'beta' }],
    },
  ],
  instances: () => [
    {
      name: 'alpha',
      strategy: 'inventory-skew',
      markets: 2,
      parameters: [
        { name: 'halfSpread', value: 0.02, unit: 'probability' },
        { name: 'shares', value: 20, unit: 'shares' },
      ],
      limits: [{ name: 'maxEventLoss', value: 1_000, unit: 'OOM' }],
    },
  ],
  uptime: DEFAULT_UPTIME,
  takerFee: money(0),
  assumptions: ['prints only'],
};

/** An order that stands: side of the long book, cents, whole shares, number. */
export type Stood = readonly ['bid' | 'ask', number, number, number?];

const NO_DEPTH: Depth = { bids: { prices: [], shares: [] }, asks: { prices: [], shares: [] } };

/** Levels as [cents, whole shares]. */
export const depthOf = (bids: [number, number][], asks: [number, number][]): Depth => ({
  bids: { prices: bids.map(([p]) => units(p)!), shares: bids.map(([, n]) => shares(n * 100)) },
  asks: { prices: asks.map(([p]) => units(p)!), shares: asks.map(([, n]) => shares(n * 100)) },
});

export class WatchedRun {
  readonly analyst: RunAnalyst;

  constructor(changes: Partial<RunDescription> = {}) {
    this.analyst = new RunAnalyst({ ...DESCRIPTION, ...changes });
  }

  book(at: number, market: number, bid: number | null, ask: number | null): this {
    const size = shares(1_000);
    this.analyst.book(marketId(market), timeAt(at), units(bid), size, units(ask));
    return this;
  }

  /** @param cents mid of the recording */
  recorded(at: number, market: number, cents: number): this {
    this.analyst.recorded(marketId(market), timeAt(at), cents * 100);
    return this;
  }

  quotes(at: number, market: number, ...orders: Stood[]): this {
    const standing = orders.map(([side, cents, whole, id], index) => ({
      orderId: orderId(id ?? index + 1),
      side: 'bid' as const,
      position: side === 'bid' ? ('long' as const) : ('short' as const),
      price: units(side === 'bid' ? cents : 100 - cents)!,
      bookSide: side,
      longPrice: units(cents)!,
      remaining: shares(whole * 100),
    }));
    this.analyst.standing(marketId(market), timeAt(at), standing);
    return this;
  }

  /** A fill of a long position unless stated. */
  fill(
    at: number,
    market: number,
    side: 'bid' | 'ask',
    cents: number,
    whole: number,
    changes: Partial<Fill> = {},
  ) {
    const event = eventId(market === 3 ? 874 : 873);
    const fill = fillOf(cents, whole, {
      side,
      marketId: marketId(market),
      eventId: event,
      at: timeAt(at),
      ...changes,
    });
    this.analyst.filled(fill, timeAt(at));
    return this;
  }

  /** @param worst money units */
  exposed(at: number, event: number, worst: number): this {
    this.analyst.exposed(eventId(event), timeAt(at), money(worst));
    return this;
  }

  trade(at: number, market: number, cents: number, whole: number): this {
    this.analyst.traded(marketId(market), timeAt(at), units(cents)!, shares(whole * 100));
    return this;
  }

  resolve(at: number, market: number, resolution: Resolution): this {
    this.analyst.resolved(marketId(market), timeAt(at), resolution);
    return this;
  }

  end(at: number, depth: (market: MarketId) => Depth = () => NO_DEPTH): RunAnalysis {
    return this.analyst.end(timeAt(at), depth);
  }
}

/** The figures of one market. */
export const marketOf = (analysis: RunAnalysis, market: number) =>
  analysis.markets.find(({ marketId: id }) => id === String(market))!;
