/** What a bot with many markets would say to its page. */
import type {
  EventJson,
  HistoryPointJson,
  MarketJson,
  MarketRowJson,
  OrderJson,
  ProfitPointJson,
  StatusJson,
} from '../../../src/ops/http/contract.js';

const NOW = 1_795_000_000_000;
const PER_EVENT = 10;

export const statusOf = (markets: number): StatusJson => ({
  mode: 'PAPER',
  venue: 'futuur',
  account: 'paper',
  currency: 'OOM',
  currencyMode: 'play_money',
  runId: 'a-run',
  pid: 1,
  startedAt: NOW - 3_600_000,
  now: NOW,
  uptimeMs: 3_600_000,
  phase: 'running',
  connection: { state: 'connected', reason: '' },
  ready: true,
  reasons: [],
  killed: null,
  profit: { OOM: 12.5 },
  balance: { total: 10_000, free: 8_000 },
  events: [{ eventId: '10', title: 'Event 10', worst: -120, maxLoss: 500 }],
  requests: { perMinute: 100, perDay: 50_000, leftNow: 20, leftToday: 40_000 },
  instances: [{ name: 'ladder', strategy: 'fixed-spread', fault: null, markets }],
  pauses: [{ scope: { market: '2' }, isPaused: true, until: null, widenTicks: 0, by: 'ann', at: NOW }],
  counts: {
    markets,
    quoted: markets,
    openOrders: 2 * markets,
    fills: 3,
    decisions: 9,
    ordersCreated: 4,
    ordersReplaced: 3,
    ordersCancelled: 2,
    refusals: 1,
    alarms: 1,
  },
  notices: [{ at: NOW, level: 'warning', code: 'paused', text: 'ann paused market 2', marketId: null }],
});

/** Ids are 1, 2, 3 and so on, ten to an event; every tenth holds shares. */
export const marketsOf = (count: number): readonly MarketRowJson[] =>
  Array.from({ length: count }, (_, at) => ({
    marketId: String(at + 1),
    eventId: String(PER_EVENT + Math.floor(at / PER_EVENT)),
    title: `Outcome ${at + 1}`,
    eventTitle: `Who wins match ${Math.floor(at / PER_EVENT)}?`,
    instance: 'ladder',
    status: 'tradable',
    halted: at === 1 ? 'paused' : null,
    refusedBy: null,
    book: 'live',
    bid: { price: 0.45, shares: 100 },
    ask: { price: 0.47, shares: 80 },
    quotes: [
      { side: 'bid', price: 0.44, shares: 20, state: 'live' },
      { side: 'ask', price: 0.48, shares: 20, state: 'live' },
    ],
    inventory: { long: at % PER_EVENT === 0 ? 15 : 0, short: 0 },
    profit: (at % 7) - 3,
    fair: 0.46,
    fills: at % 5,
  }));

const orderOf = ({ marketId, eventId }: MarketRowJson, bookSide: 'bid' | 'ask'): OrderJson => ({
  orderId: `${marketId}-${bookSide}`,
  marketId,
  eventId,
  bookSide,
  longPrice: bookSide === 'bid' ? 0.44 : 0.48,
  side: 'bid',
  position: bookSide === 'bid' ? 'long' : 'short',
  price: bookSide === 'bid' ? 0.44 : 0.52,
  shares: 20,
  filled: 0,
  remaining: 20,
  state: 'live',
  ownership: 'ours',
  since: NOW - 60_000,
  expiresAt: null,
  aheadAtMost: bookSide === 'bid' ? 30 : 12,
  why: {
    at: NOW - 60_000,
    input: 'book',
    instance: 'ladder',
    strategy: 'fixed-spread',
    steps: [
      { label: 'fair', value: 0.46 },
      { label: 'half-spread', value: bookSide === 'bid' ? -0.015 : 0.015 },
    ],
    wanted: bookSide === 'bid' ? 0.445 : 0.475,
    rounding: bookSide === 'bid' ? -0.005 : 0.005,
    moved: 0,
    fair: { p: 0.46, ageMs: 20, source: 'weighted mid of the book' },
    inventory: { long: 15, short: 0 },
    refusals: [],
  },
});

export const bookOf = (row: MarketRowJson): MarketJson => ({
  ...row,
  tick: 0.01,
  bookReason: 'live',
  bookAgeMs: 20,
  bids: [0.45, 0.44, 0.43].map((price) => ({ price, shares: 50, own: price === 0.44 ? 20 : 0 })),
  asks: [0.47, 0.48, 0.49].map((price) => ({ price, shares: 40, own: price === 0.48 ? 20 : 0 })),
  mid: 0.46,
  weightedMid: 0.461,
  fairFrom: { source: 'weighted mid of the book', p: 0.46, ageMs: 20, confidence: 1 },
  signals: [{ name: 'toxicity', ageMs: 100, value: 0.2 }],
  restriction: { out: null, reduceOnly: false, widenTicks: 2, size: 1 },
  orders: [orderOf(row, 'bid'), orderOf(row, 'ask')],
  decisions: [
    {
      seq: 5,
      at: NOW,
      input: 'book',
      requestId: 1,
      kind: 'create-orders',
      markets: [row.marketId],
      orders: [`market ${row.marketId}: bid 20 at 0.44 long`],
    },
  ],
  recentFills: [],
});

export const historyOf = (now: number): readonly HistoryPointJson[] =>
  Array.from({ length: 100 }, (_, at) => ({
    at: now - (100 - at) * 1_000,
    bid: 0.45 + 0.01 * Math.sin(at / 9),
    ask: 0.47 + 0.01 * Math.sin(at / 9),
    ownBid: 0.44,
    ownAsk: 0.48,
    fair: 0.46 + 0.01 * Math.sin(at / 9),
  }));

export const profitOf = (now: number): readonly ProfitPointJson[] =>
  Array.from({ length: 100 }, (_, at) => ({ at: now - (100 - at) * 1_000, profit: at / 8 }));

export const eventOf = (eventId: string, rows: readonly MarketRowJson[]): EventJson => ({
  eventId,
  title: `Event ${eventId}`,
  worst: -120,
  maxLoss: 500,
  outcomes: rows.filter((row) => row.eventId === eventId),
  scenarios: [
    { ending: 'wins', marketId: '1', title: 'Outcome 1', profit: 40 },
    { ending: 'none', marketId: null, title: null, profit: -120 },
  ],
});
