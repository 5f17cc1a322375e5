/** A running engine as its view shows it, for those who only read views. */
import { eventId, marketId } from '../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../src/domain/units.js';
import type { EngineView, MarketStateView } from '../../../src/core/engine/observing/view.js';

export const marketView = (changes: Partial<MarketStateView> = {}): MarketStateView => ({
  marketId: marketId(2231),
  eventId: eventId(873),
  title: 'Candidate A',
  eventTitle: 'Who wins?',
  instance: 'demo',
  tradability: 'tradable',
  halted: null,
  refusedBy: null,
  sizeLeft: 1,
  book: { freshness: 'live', ageMs: 250, bid: null, ask: null },
  fair: 0.52,
  quotes: [{ side: 'bid', price: priceUnits(5_000), shares: shares(1_000), state: 'live' }],
  inventory: { long: shares(1_250), short: shares(0) },
  profit: money(1_500_000),
  fills: 3,
  ...changes,
});

export const engineView = (changes: Partial<EngineView> = {}): EngineView => ({
  phase: 'running',
  runId: 'r1',
  seq: 10,
  currency: 'OOM',
  mode: 'play_money',
  connection: { state: 'connected', reason: '' },
  killed: null,
  alarms: [],
  instances: [{ name: 'demo', strategy: 'fixed-spread', fault: null }],
  markets: [marketView()],
  balance: { total: money(2_000_000), free: null },
  cashShort: { now: null, worst: null },
  profit: money(-250_000),
  counts: {
    inputs: { book: 7, answer: 2 },
    requests: { 'create-orders': 1 },
    ordersCreated: 4,
    ordersReplaced: 3,
    ordersCancelled: 2,
    fills: 3,
    sharesFilled: shares(1_250),
    amountFilled: money(6_500_000),
    takes: 1,
    amountTaken: money(500_000),
    refusals: { MarketClosed: 1 },
    differences: { holding: 2 },
    malformedFrames: 1,
    resyncs: 2,
    decisions: 9,
  },
  recentFills: [],
  notices: [],
  ...changes,
});
