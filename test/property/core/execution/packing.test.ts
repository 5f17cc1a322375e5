import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import type { ApprovedPlan } from '../../../../src/core/execution/planning/plan.js';
import { pack, UNPACED } from '../../../../src/core/execution/sending/packing.js';
import type { Touch } from '../../../../src/core/execution/planning/touch.js';
import { FUTUUR } from '../../../../src/venues/futuur/protocol/profile.js';

const MARKET = marketId(1);

interface Move {
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  readonly price: number;
  readonly isLive: boolean;
  readonly isOpen: boolean;
  readonly filled: number;
}

const mostly = fc.nat(40).map((one) => one !== 0);
const place = fc.record({ side: fc.constantFrom('bid', 'ask'), position: fc.constantFrom('long', 'short') });
const terms = fc.record({
  price: fc.integer({ min: 4_200, max: 5_800 }),
  isLive: mostly,
  isOpen: mostly,
  filled: mostly.map((is) => (is ? 0 : 5)),
});
/** Those about the same mostly follow each other. */
const moves: fc.Arbitrary<readonly Move[]> = fc
  .array(fc.tuple(place, fc.array(terms, { minLength: 1, maxLength: 10 })), { minLength: 1, maxLength: 3 })
  .map((runs) => runs.flatMap(([where, all]) => all.map((one) => ({ ...where, ...one })) as Move[]));
const touch = fc.option(
  fc.record({
    bid: fc.option(fc.integer({ min: 4_000, max: 4_250 }), { freq: 6 }),
    ask: fc.option(fc.integer({ min: 5_750, max: 6_000 }), { freq: 6 }),
  }),
  { freq: 12 },
);

const planOf = (moves: readonly Move[]): ApprovedPlan =>
  ({
    marketId: MARKET,
    cancels: [],
    replacements: moves.map(({ side, position, price, isLive, isOpen, filled }) => ({
      order: { state: isLive ? 'live' : 'updating', stage: isOpen ? 'open' : 'partial', filled },
      to: { side, position, price },
      item: { price },
    })),
    creates: [],
    unwanted: [],
    urgency: moves.length,
  }) as unknown as ApprovedPlan;

const isBid = ({ side, position }: Move): boolean => (side === 'bid') === (position === 'long');
const longPriceOf = ({ position, price }: Move): number => (position === 'long' ? price : 10_000 - price);

function mayLeave(one: Move, known: { bid: number | null; ask: number | null } | null): boolean {
  if (known === null || !one.isLive || !one.isOpen || one.filled > 0) return false;
  const { bid, ask } = known;
  const longPrice = longPriceOf(one);
  if (isBid(one)) return ask === null || longPrice < ask;
  return bid === null || longPrice > bid;
}

it('leaves out of an update what may not leave, and nothing else', () => {
  fc.assert(
    fc.property(moves, touch, (asked, known) => {
      const plan = planOf(asked);
      const { request } = pack([plan], 'replace', FUTUUR.batches, () => known as Touch | null, UNPACED);
      const leaving = plan.replacements.filter((_, at) => mayLeave(asked[at]!, known)).slice(0, 20);
      const sent = request?.request.kind === 'replace-orders' ? request.request.replacements : [];
      expect(sent).toEqual(leaving.map(({ item }) => item));
    }),
    { numRuns: 1_000 },
  );
});
