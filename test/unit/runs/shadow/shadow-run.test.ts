/** Inputs of a bot in one market, for its shadow. */
import { describe, expect, it } from 'vitest';
import { eventId, marketId, orderId } from '../../../../src/domain/ids.js';
import type { Input } from '../../../../src/domain/inputs.js';
import type { Levels } from '../../../../src/domain/levels.js';
import type { OrderReport } from '../../../../src/domain/orders.js';
import type { Micros, PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { OrderStatus } from '../../../../src/domain/vocabulary.js';
import { second } from '../../../support/tape/tape.js';
import { type ShadowFigures, ShadowRun } from '../../../../src/runs/shadow/shadow-run.js';
import { front, power, riskAverse } from '../../../../src/venues/simulated/models/queue.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

type PlainLevels = readonly (readonly [price: number, shares: number])[];

const MARKET = marketId(1);
const EVENT = eventId(1);

const levelsOf = (levels: PlainLevels): Levels => ({
  prices: levels.map(([price]) => price as PriceUnits),
  shares: levels.map(([, shares]) => shares as Shares),
});

/** A frame of the book, five levels deep. */
const book = (s: number, bids: PlainLevels, asks: PlainLevels): Input => ({
  kind: 'book',
  eventId: EVENT,
  marketId: MARKET,
  mode: 'play_money',
  topN: 5,
  bids: levelsOf(bids),
  asks: levelsOf(asks),
  venueTime: second(s),
});

/** The volume of the event, money units. */
const volume = (total: number): Input => ({
  kind: 'event-status',
  eventId: EVENT,
  status: 'open',
  mode: 'play_money',
  wagerable: true,
  volumePlayMoney: total as never,
  volumeRealMoney: null,
  markets: [],
});

/** A bid on long, told by a frame. */
const order = (
  s: number,
  id: number,
  facts: {
    readonly price: number;
    readonly shares: number;
    readonly status?: OrderStatus;
    readonly filled?: number;
  },
): Input => ({
  kind: 'order',
  report: reportOf(id, facts),
  cancelReason: null,
  systemInitiated: false,
  venueTime: second(s),
});

const reportOf = (
  id: number,
  facts: {
    readonly price: number;
    readonly shares: number;
    readonly status?: OrderStatus;
    readonly filled?: number;
    readonly createdAt?: Micros;
  },
): OrderReport => ({
  orderId: orderId(id),
  marketId: MARKET,
  eventId: EVENT,
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: facts.price as PriceUnits,
  status: facts.status ?? 'open',
  requested: facts.shares as Shares,
  filled: (facts.filled ?? 0) as Shares,
  averageFillPrice: (facts.filled ?? 0) > 0 ? facts.price / 10_000 : null,
  createdAt: facts.createdAt ?? null,
  expiresAt: null,
});

function shadow(...inputs: readonly Input[]): ShadowFigures {
  const run = new ShadowRun({
    mode: 'play_money',
    tickUnits: new Map([[marketId(1), 100]]),
    fillModels: [
      { name: 'pessimistic', queue: riskAverse, crossing: 'ignore' },
      { name: 'expected', queue: power(1), crossing: 'fill' },
      { name: 'optimistic', queue: front, crossing: 'fill' },
    ],
    random: seededRandom(1),
  });
  inputs.forEach((input, at) => run.take({ seq: at + 1, at: second(1_000 + at), input }));
  return run.finish();
}

const ratios = ({ scenarios }: ShadowFigures) => scenarios.map(({ ratio }) => ratio);
const ASKS = [[5_300, 1_000]] as const;
const BID = { price: 4_700, shares: 500 };

/** A bid of which nothing was filled, and a taker a second after it was canceled. */
const CANCELED = [
  book(1, [[4_700, 300]], ASKS),
  volume(0),
  order(2, 1, BID),
  book(2, [[4_700, 800]], ASKS),
  order(3, 1, { ...BID, status: 'canceled' }),
  book(3, [[4_700, 300]], ASKS),
  book(4, [], ASKS),
  volume(300 * 4_700),
];

describe('the shadow of a run', () => {
  it('fills what a taker reached behind others exactly as it was', () => {
    const figures = shadow(
      book(1, [[4_700, 300]], ASKS),
      volume(0),
      order(2, 1, BID),
      book(2, [[4_700, 800]], ASKS),
      order(3, 1, { ...BID, status: 'partial_filled', filled: 100 }),
      book(3, [[4_700, 400]], ASKS),
      volume(400 * 4_700),
      book(20, [[4_700, 400]], [[5_100, 1_000]]),
    );
    expect(figures.real).toEqual({ orders: 1, fills: 1, shares: 1, takenShares: 0 });
    expect(figures.prints).toBe(1);
    // It joined behind three shares; the print proves that just those stood ahead.
    expect(figures.queue).toMatchObject({ joined: [3, 3, 3], observations: 1, orders: 1 });
    expect(figures.queue.models.find(({ name }) => name === 'risk-averse')).toMatchObject({ excess: 0 });
    expect(ratios(figures)).toEqual([1, 1, 4]);
    expect(figures.scenarios[1]).toMatchObject({ matched: 1, onlySimulated: 0, missed: 0 });
    expect(figures.scenarios[2]).toMatchObject({ matched: 1, onlySimulated: 3, missed: 0 });
  });

  it('counts as missed what a queue model believes to be further back than it was', () => {
    const figures = shadow(
      book(1, [[4_700, 400]], ASKS),
      volume(0),
      order(2, 1, BID),
      book(2, [[4_700, 900]], ASKS),
      // The 400 ahead are cancelled, 400 come behind: only the venue knows which are which.
      book(3, [[4_700, 1_300]], ASKS),
      book(4, [[4_700, 900]], ASKS),
      order(5, 1, { ...BID, status: 'partial_filled', filled: 200 }),
      book(5, [[4_700, 700]], ASKS),
      volume(200 * 4_700),
    );
    expect(figures.scenarios[0]).toMatchObject({ matched: 0, missed: 2 });
    expect(ratios(figures)[1]).toBe(0);
    expect(ratios(figures)[2]).toBe(1);
    expect(figures.queue).toMatchObject({ joined: [4, 4, 4], observations: 1, orders: 1 });
    expect(figures.queue.models[0]).toMatchObject({ name: 'risk-averse', excess: 4, distance: 4 });
    expect(figures.queue.models[1]!.excess).toBeCloseTo(2, 6);
  });

  it('lets the order stand on where its twin was filled, until the bot quotes another price', () => {
    const late = [
      book(1, [[4_700, 400]], ASKS),
      volume(0),
      order(2, 1, BID),
      book(2, [[4_700, 900]], ASKS),
      book(3, [[4_700, 1_300]], ASKS),
      book(4, [[4_700, 900]], ASKS),
      order(5, 1, { ...BID, status: 'filled', filled: 500 }),
      book(5, [[4_700, 400]], ASKS),
      volume(500 * 4_700),
    ];
    const taken = [book(9, [], ASKS), volume(900 * 4_700)];
    expect(ratios(shadow(...late, ...taken))[0]).toBe(1);
    const moved = [order(7, 2, { price: 4_600, shares: 100 }), book(8, [[4_700, 400], [4_600, 100]], ASKS)]; // prettier-ignore
    const figures = shadow(...late, ...moved, book(9, [[4_600, 100]], ASKS), volume(900 * 4_700));
    expect(ratios(figures)[0]).toBeCloseTo(0.2, 6);
  });

  it('withdraws with the real order what was not filled', () => {
    const figures = shadow(...CANCELED);
    expect(figures.scenarios.map(({ simulated }) => simulated.shares)).toEqual([0, 0, 0]);
    expect(ratios(figures)).toEqual([null, null, null]);
  });

  it('marks fills by the mid of others, after ten seconds as after sixty', () => {
    const figures = shadow(
      book(1, [[4_600, 300]], ASKS),
      volume(0),
      order(2, 1, BID),
      book(2, [[4_700, 500], [4_600, 300]], ASKS), // prettier-ignore
      order(3, 1, { ...BID, status: 'filled', filled: 500 }),
      book(3, [[4_600, 300]], ASKS),
      volume(500 * 4_700),
      book(5, [[4_800, 300]], ASKS),
      book(30, [[4_400, 300]], [[4_800, 100]]),
      book(80, [[4_400, 300]], [[4_800, 100]]),
    );
    const { real } = figures.scenarios[1]!.markOuts;
    const at = (seconds: number) => real.find((one) => one.seconds === seconds)?.perShare;
    expect(at(1)).toBeCloseTo(0.495 - 0.47, 9);
    expect(at(10)).toBeCloseTo(0.505 - 0.47, 9);
    expect(at(60)).toBeCloseTo(0.46 - 0.47, 9);
    expect(at(300)).toBeNull();
  });

  it('tells an order by its answer when its frame was lost, and once when both came', () => {
    const created: Input = {
      kind: 'answer',
      requestId: 1,
      sentAt: second(1.99),
      outcome: {
        ok: true,
        body: {
          kind: 'create-orders',
          items: [{ ok: true, value: reportOf(1, { ...BID, createdAt: second(2) }) }],
          canceledIds: [],
        },
      },
    };
    const before = [book(1, [[4_700, 300]], ASKS), volume(0)];
    const after = [
      book(2, [[4_700, 800]], ASKS),
      order(3, 1, { ...BID, status: 'filled', filled: 500 }),
      book(3, [], ASKS),
      volume(800 * 4_700),
    ];
    const lost = shadow(...before, created, ...after);
    const both = shadow(...before, order(2, 1, BID), created, ...after);
    expect(lost.orders).toBe(1);
    expect(both.orders).toBe(1);
    expect(ratios(lost)).toEqual([1, 1, 1]);
    expect(ratios(both)).toEqual([1, 1, 1]);
    expect(lost.ways.request?.median).toBeCloseTo(10, 6);
  });

  it('leaves out an order whose book nobody had seen', () => {
    const figures = shadow(order(2, 1, BID), book(2, [[4_700, 800]], ASKS));
    expect(figures).toMatchObject({ orders: 0, leftOut: ['1'] });
  });
});
