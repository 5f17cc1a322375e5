import { describe, expect, it } from 'vitest';
import type { QuoteIntent } from '../../../../src/domain/intent.js';
import { marketId } from '../../../../src/domain/ids.js';
import type { Micros, Shares, Ticks } from '../../../../src/domain/units.js';
import { ASK, BID } from '../../../../src/exchange/matching/levels.js';
import type { OrderId } from '../../../../src/exchange/contract/ids.js';
import { planOrders, type ScreenedOrder } from '../../../../src/runs/screen/screened-orders.js';

const NOTHING_HELD = { long: 0, short: 0 };
const POLICY = { toleranceTicks: 0, toleranceShares: 0, refillShare: 0.25, minRestMs: 200 };
const NOW = 1_000_000 as Micros;

let last = 0;
const order = (changes: Partial<ScreenedOrder>): ScreenedOrder => ({
  id: (last += 1) as OrderId,
  side: BID,
  sells: false,
  tick: 40 as Ticks,
  remaining: 1_000 as Shares,
  filled: 0,
  state: 'live',
  bornAt: 0 as Micros,
  ...changes,
});

const ladder = (bids: readonly [number, number][], asks: readonly [number, number][] = []): QuoteIntent => {
  const levels = (side: readonly [number, number][]) =>
    side.map(([price, shares]) => ({ price: price as Ticks, shares: shares as Shares, reason: [] }));
  return { marketId: marketId(1), bids: levels(bids), asks: levels(asks) };
};

describe('the orders of a screen', () => {
  it('creates what nothing stands for, and sells what is held first', () => {
    const { creates } = planOrders(
      ladder([[40, 1_000]], [[45, 1_000]]),
      [],
      { ...NOTHING_HELD, long: 300 },
      POLICY,
      NOW,
    );
    expect(creates.map(({ side, sells, tick, shares }) => [side, sells, tick, shares])).toEqual([
      [BID, false, 40, 1_000],
      [ASK, true, 45, 300],
      [ASK, false, 45, 700],
    ]);
  });

  it('leaves alone what stands, moves what does not, and cancels what nobody wants', () => {
    const stands = order({});
    expect(planOrders(ladder([[40, 1_000]]), [stands], NOTHING_HELD, POLICY, NOW)).toMatchObject({
      cancels: [],
      moves: [],
      creates: [],
    });
    const moved = planOrders(ladder([[39, 1_000]]), [stands], NOTHING_HELD, POLICY, NOW);
    expect(moved.moves.map(({ to }) => to.tick)).toEqual([39]);
    expect(planOrders(null, [stands], NOTHING_HELD, POLICY, NOW).cancels).toEqual([stands]);
  });

  it('lets a young order rest before it becomes bolder, and never before it steps back', () => {
    const young = order({ bornAt: (NOW - 100_000) as Micros });
    const bolder = planOrders(ladder([[41, 1_000]]), [young], NOTHING_HELD, POLICY, NOW);
    expect([bolder.moves, bolder.restsUntil]).toEqual([[], NOW + 100_000]);
    const shyer = planOrders(ladder([[39, 1_000]]), [young], NOTHING_HELD, POLICY, NOW);
    expect(shyer.moves).toHaveLength(1);
  });

  it('cancels an order that was filled in part instead of moving it', () => {
    const filled = order({ filled: 400, remaining: 600 as Shares });
    const plan = planOrders(ladder([[39, 1_000]]), [filled], NOTHING_HELD, POLICY, NOW);
    expect([plan.cancels, plan.moves, plan.creates.length]).toEqual([[filled], [], 0]);
  });

  it('puts back what was filled once it is worth it', () => {
    const little = order({ filled: 200, remaining: 800 as Shares });
    expect(planOrders(ladder([[40, 1_000]]), [little], NOTHING_HELD, POLICY, NOW).creates).toEqual([]);
    const much = order({ filled: 300, remaining: 700 as Shares });
    const { creates } = planOrders(ladder([[40, 1_000]]), [much], NOTHING_HELD, POLICY, NOW);
    expect(creates.map(({ shares }) => shares)).toEqual([300]);
  });

  it('never meets an own order of the other side', () => {
    const ask = order({ side: ASK, tick: 41 as Ticks, state: 'updating' });
    expect(planOrders(ladder([[41, 1_000]]), [ask], NOTHING_HELD, POLICY, NOW).creates).toEqual([]);
  });
});
