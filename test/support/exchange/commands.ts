import fc from 'fast-check';
import { accountId, orderId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../../src/domain/units.js';
import type { Currency } from '../../../src/domain/vocabulary.js';
import { CURRENCY_MODES, POSITIONS, SIDES } from '../../../src/domain/vocabulary.js';
import type { Command, ForeignSide, OrderRequest } from '../../../src/exchange/contract.js';
import { ALICE, BLUE, BOB, CAROL, EVENT, RED } from './test-venue.js';

/** Any command at any time, whether it makes sense or not. */
export interface TimedCommand {
  readonly command: Command;
  /** Microseconds after the one before. */
  readonly after: number;
}

const account = fc.constantFrom(ALICE, BOB, CAROL);
const market = fc.constantFrom(RED, BLUE);
const anyOrder = fc.integer({ min: 1, max: 40 }).map(orderId);
const price = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 45, max: 55 }).map((tick) => tick * 100) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const request: fc.Arbitrary<OrderRequest> = fc.record({
  marketId: market,
  eventId: fc.constant(null),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...POSITIONS),
  currency: fc.constantFrom<Currency>('OOM', 'USDC', 'USDC', 'USDT', 'USD'),
  price,
  shares: fc.integer({ min: 1, max: 3_000 }),
  amount: fc.constant(null),
  expiresAt: fc.option(
    fc.integer({ min: 1, max: 60 }).map((second) => (1_767_225_600_000_000 + second * 1_000_000) as Micros),
    { freq: 4 },
  ),
  cancelConflicting: fc.boolean(),
});

const identity = fc.option(
  fc.record({
    key: fc.option(fc.constantFrom('k', 'l')),
    body: fc.constantFrom('b', 'c', 'd'),
  }),
);

function foreignSide(ticks: readonly number[]): ForeignSide {
  return { prices: ticks.map((tick) => (tick * 100) as PriceUnits), shares: ticks.map(() => 500 as Shares) };
}

const foreignBook = fc
  .record({
    marketId: market,
    bids: fc.uniqueArray(fc.integer({ min: 40, max: 50 }), { maxLength: 5 }),
    asks: fc.uniqueArray(fc.integer({ min: 51, max: 60 }), { maxLength: 5 }),
  })
  .map(({ marketId, bids, asks }) => ({
    kind: 'set-foreign-book' as const,
    marketId,
    mode: 'real_money' as const,
    bids: foreignSide(bids.toSorted((a, b) => b - a)),
    asks: foreignSide(asks.toSorted((a, b) => a - b)),
    depth: 5,
    crossing: 'fill' as const,
  }));

const trading: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('place-order' as const),
      account,
      request: identity,
      order: request,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('place-batch' as const),
      account,
      request: identity,
      orders: fc.array(request, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('update-batch' as const),
      account,
      request: identity,
      updates: fc.array(
        fc.record({ orderId: anyOrder, price: fc.integer({ min: 45, max: 55 }).map((tick) => tick * 100) }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('cancel-order' as const), account, orderId: anyOrder }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancel-all' as const),
      account,
      eventId: fc.constant(null),
      marketId: fc.option(market),
    }),
  },
  { weight: 3, arbitrary: foreignBook },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('foreign-print' as const),
      marketId: market,
      mode: fc.constantFrom(...CURRENCY_MODES),
      takerSide: fc.constantFrom(...SIDES),
      price: fc.integer({ min: 45, max: 55 }).map((tick) => (tick * 100) as PriceUnits),
      shares: fc.integer({ min: 1, max: 1_000 }).map((shares) => shares as Shares),
    }),
  },
);

const administration: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('set-event-status' as const),
      eventId: fc.constant(EVENT),
      status: fc.constantFrom(
        'open' as const,
        'open' as const,
        'paused' as const,
        'stopped' as const,
        'cancelled' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('set-market-status' as const),
      marketId: market,
      status: fc.constantFrom('active' as const, 'paused' as const, 'stopped' as const),
      disabled: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resolve-event' as const),
      eventId: fc.constant(EVENT),
      resolutions: fc
        .record({
          marketId: market,
          resolution: fc.constantFrom('long' as const, 'short' as const, 'void' as const),
        })
        .map((one) => [one]),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'reverse-event' as const, eventId: EVENT }) },
  {
    weight: 1,
    arbitrary: fc.constant({
      kind: 'deposit' as const,
      account: accountId(1),
      currency: 'USDC' as const,
      amount: 1_234_567 as Money,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      kind: 'post-comment' as const,
      eventId: EVENT,
      account: ALICE,
      content: 'So it goes.',
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'advance-time' as const }) },
);

/** Sequences of commands of every kind that changes money, mostly trading. */
export const timedCommands: fc.Arbitrary<TimedCommand[]> = fc.array(
  fc.record({
    command: fc.oneof({ weight: 10, arbitrary: trading }, { weight: 1, arbitrary: administration }),
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000_000 })),
  }),
  { maxLength: 80, size: 'max' },
);
