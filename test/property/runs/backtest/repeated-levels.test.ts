import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Moments } from '../../../../src/runs/backtest/moments.js';
import { type MountedBlock, mountBlock, NO_REPETITION } from '../../../../src/runs/backtest/mounted-block.js';
import { accountId } from '../../../../src/domain/ids.js';
import type { Levels } from '../../../../src/domain/levels.js';
import type { RecordedLine } from '../../../../src/domain/recorded.js';
import type { Micros, PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { Command, ExchangeEvent, ForeignMoment } from '../../../../src/exchange/contract.js';
import type { Exchange } from '../../../../src/exchange/exchange.js';
import { BlockBuilder } from '../../../../src/storage/recordings/block-builder.js';
import type { RecordingSource } from '../../../../src/storage/index.js';
import {
  EVENT,
  FLOOR_START,
  marketsOf,
  SECOND,
  TradingFloor,
} from '../../../support/exchange/trading-floor.js';

const [{ id: MARKET, tickUnits }, { id: OTHER }] = marketsOf(2) as [
  ReturnType<typeof marketsOf>[number],
  ReturnType<typeof marketsOf>[number],
];
const DEPTH = 2;

/** Levels outwards from a mid; few sizes, so that lines repeat each other. */
const side = (direction: 1 | -1): fc.Arbitrary<Levels> =>
  fc
    .tuple(
      fc.constantFrom(50, 50, 50, 50, 51),
      fc.array(fc.constantFrom(100, 100, 300), { minLength: 1, maxLength: 3 }),
    )
    .map(([mid, sizes]) => ({
      prices: sizes.map((_, at) => (tickUnits * (mid + direction * (at + 2))) as PriceUnits),
      shares: sizes.map((size) => size as Shares),
    }));
const of = { at: FLOOR_START, eventId: EVENT };
const market = fc.constantFrom(MARKET, MARKET, MARKET, OTHER);
const book: fc.Arbitrary<RecordedLine> = fc
  .record({
    marketId: market,
    bids: side(-1),
    asks: side(1),
    cut: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ marketId, bids, asks, cut }) => ({
    kind: 'book',
    ...of,
    marketId,
    bids,
    asks,
    ...(cut && { cut: { bids: true, asks: false } }),
  }));
const print: fc.Arbitrary<RecordedLine> = fc
  .record({ cents: fc.integer({ min: 47, max: 54 }), takerSide: fc.constantFrom('bid', 'ask') })
  .map(({ cents, takerSide }) => ({
    kind: 'trade',
    ...of,
    marketId: MARKET,
    price: (cents * tickUnits) as PriceUnits,
    shares: 100 as Shares,
    takerSide,
  }));
const status: fc.Arbitrary<RecordedLine> = fc
  .constantFrom('open' as const, 'closed' as const)
  .map((word) => ({
    kind: 'status',
    ...of,
    marketId: MARKET,
    status: word,
    resolution: null,
    inPlay: false,
  }));
/** An order of ours instead of a line. */
const order = fc.record({
  cents: fc.integer({ min: 47, max: 54 }),
  position: fc.constantFrom('long' as const, 'short' as const),
});
const step = fc.oneof(
  { weight: 8, arbitrary: book.map((line) => ({ line })) },
  { weight: 2, arbitrary: print.map((line) => ({ line })) },
  { weight: 1, arbitrary: status.map((line) => ({ line })) },
  { weight: 3, arbitrary: order.map((placed) => ({ placed })) },
);
type Step =
  { readonly line: RecordedLine } | { readonly placed: { cents: number; position: 'long' | 'short' } };

const MARKETS = [MARKET, OTHER].map((marketId, slot) => ({
  slot,
  eventId: EVENT,
  marketId,
  tickUnits,
  depth: DEPTH,
}));

function mounted(steps: readonly Step[]): MountedBlock {
  const builder = new BlockBuilder();
  // Places of both markets.
  for (const { marketId } of MARKETS) builder.place(EVENT, marketId);
  for (const one of steps) if ('line' in one) builder.add(one.line, 1);
  const source = { name: 'made', markets: builder.markets } as unknown as RecordingSource;
  return mountBlock(source, builder.take(), Int32Array.of(0, 1), MARKETS);
}

const forgetful = (block: MountedBlock): MountedBlock => {
  const { since, resized } = block.bids;
  const unknown = { since: since.map(() => NO_REPETITION), resized };
  return { ...block, bids: unknown, asks: unknown };
};

/** Everything that is said, step by step. */
function told(steps: readonly Step[], block: MountedBlock): ExchangeEvent[][] {
  const exchange = new TradingFloor(marketsOf(2), 1).exchange as Exchange;
  const said: ExchangeEvent[][] = [];
  let at = FLOOR_START;
  const execute = (command: Command): void => {
    said.push([...exchange.execute(command, at).events]);
  };
  const happen = (moment: ForeignMoment): void => execute(moment);
  const moments = new Moments({ markets: MARKETS, mode: 'play_money', crossing: 'fill', execute, happen });
  let row = 0;
  for (const one of steps) {
    at = (at + SECOND) as Micros;
    if ('line' in one) {
      moments.row(block, row++);
      moments.close();
    } else execute(placing(one.placed));
  }
  return said;
}

const placing = ({ cents, position }: { cents: number; position: 'long' | 'short' }): Command => ({
  kind: 'place-order',
  account: accountId(1),
  request: null,
  order: {
    marketId: MARKET,
    eventId: null,
    side: 'bid',
    position,
    currency: 'OOM',
    price: tickUnits * (position === 'long' ? cents : 100 - cents),
    shares: 150,
    amount: null,
    expiresAt: null,
    cancelConflicting: true,
  },
});

it('a line that says what it repeats does what it does without', () => {
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
      const block = mounted(steps);
      repeated += block.bids.since.filter((since) => since !== NO_REPETITION).length;
      expect(told(steps, block)).toEqual(told(steps, forgetful(block)));
    }),
  );
  expect(repeated).toBeGreaterThan(100);
});
