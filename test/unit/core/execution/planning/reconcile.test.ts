import { describe, expect, it } from 'vitest';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import type { PriceUnits, Shares } from '../../../../../src/domain/units.js';
import type { Funds } from '../../../../../src/core/execution/planning/market-terms.js';
import { found } from '../../../../../src/core/execution/orders/tracked-order.js';
import type { TrackedOrder } from '../../../../../src/core/execution/orders/tracked-order.js';
import { NO_PLAN } from '../../../../../src/core/execution/planning/plan.js';
import { reconcile, type ReconcilePolicy } from '../../../../../src/core/execution/planning/reconcile.js';
import { cash, marketTerms } from '../../../../support/orders/market-terms.js';
import { EVENT, limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

const POLICY: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  change: { of: ['price', 'size', 'expiry'] },
};
const PLENTY: Funds = { cash: cash(1_000), long: 1e6 as Shares, short: 1e6 as Shares };

let serial = 0;
const stands = (order: LimitOrder, told: Partial<TrackedOrder> = {}): TrackedOrder => {
  serial += 1;
  const tracked = found(reportOf(order, 100 + serial), EVENT, 'ours', { serial, at: ms(0) });
  return Object.assign(tracked, { stage: 'open', ...told });
};
const plan = (
  desired: LimitOrder[],
  working: TrackedOrder[],
  policy: Partial<ReconcilePolicy> = {},
  free: Funds = PLENTY,
) =>
  reconcile(
    desired,
    working,
    { terms: marketTerms(), free, fair: 5_000 as PriceUnits, now: ms(1_000), venueNow: ms(1_000) },
    { ...POLICY, ...policy },
  );

const ask = (cents: number, whole: number): LimitOrder => limitOrder(cents, whole, { side: 'ask' });

describe('a plan for one market', () => {
  it('is nothing when everything stands as desired', () => {
    expect(plan([limitOrder(48, 10)], [stands(limitOrder(48, 10))])).toBe(NO_PLAN);
  });

  it('moves an open order by update', () => {
    const old = stands(limitOrder(48, 10));
    const { replacements, cancels, creates } = plan([limitOrder(49, 10)], [old]);
    expect(replacements).toMatchObject([{ order: old, to: { price: 4_900 } }]);
    expect([...cancels, ...creates]).toEqual([]);
  });

  it('moves a partly filled order by cancel, confirmation, create', () => {
    const old = stands(limitOrder(48, 10), {
      stage: 'partial',
      filled: 300 as Shares,
      remaining: 700 as Shares,
    });
    const first = plan([limitOrder(49, 10)], [old]);
    expect(first).toMatchObject({ cancels: [old], creates: [], waiting: [{ reason: 'room' }] });
    const second = plan([limitOrder(49, 10)], [Object.assign(old, { state: 'cancelling' })]);
    expect(second).toMatchObject({ cancels: [], creates: [], waiting: [{ reason: 'room' }] });
    expect(plan([limitOrder(49, 10)], []).creates).toHaveLength(1);
  });

  it('cancels what the venue cannot change, and creates it once the cancel is confirmed', () => {
    const old = stands(limitOrder(48, 10));
    const first = plan([limitOrder(49, 10)], [old], { change: null });
    expect(first).toMatchObject({
      cancels: [old],
      replacements: [],
      creates: [],
      waiting: [{ reason: 'room' }],
    });
    expect(plan([limitOrder(49, 10)], [], { change: null }).creates).toHaveLength(1);
  });

  it('changes what the venue can change of an order, and nothing else', () => {
    const change = { of: ['price'] } as const;
    const moved = plan([limitOrder(49, 10)], [stands(limitOrder(48, 10))], { change });
    const resized = plan([limitOrder(48, 9)], [stands(limitOrder(48, 10))], { change });
    expect([moved.replacements.length, moved.cancels.length]).toEqual([1, 0]);
    expect([resized.replacements.length, resized.cancels.length]).toEqual([0, 1]);
  });

  it('leaves alone what is shyer than desired by no more than the tolerance, never what is bolder', () => {
    const policy = { shyUnits: 200 };
    expect(plan([limitOrder(49, 10)], [stands(limitOrder(48, 10))], policy)).toBe(NO_PLAN);
    expect(plan([limitOrder(47, 10)], [stands(limitOrder(48, 10))], policy).replacements).toHaveLength(1);
    expect(plan([limitOrder(51, 10)], [stands(limitOrder(48, 10))], policy).replacements).toHaveLength(1);
  });

  it('leaves alone a size that is short by no more than the tolerance, never one too large', () => {
    const policy = { missingShares: 200 };
    expect(plan([limitOrder(48, 10)], [stands(limitOrder(48, 8))], policy)).toBe(NO_PLAN);
    expect(plan([limitOrder(48, 10)], [stands(limitOrder(48, 11))], policy).replacements).toHaveLength(1);
  });

  it('lets a young order rest unless it is bolder than desired', () => {
    const young = () => stands(limitOrder(48, 10), { bornAt: ms(900) });
    const rested = plan([limitOrder(49, 10)], [young()], { minRestMs: 500 });
    expect(rested).toMatchObject({
      replacements: [],
      waiting: [{ reason: 'resting' }],
      restsUntil: ms(1_400),
    });
    expect(plan([limitOrder(47, 10)], [young()], { minRestMs: 500 }).replacements).toHaveLength(1);
  });

  it('keeps a create back that could trade with an own order still being cancelled', () => {
    const leaving = stands(ask(50, 10), { state: 'cancelling' });
    expect(plan([limitOrder(50, 10)], [leaving])).toMatchObject({
      creates: [],
      waiting: [{ reason: 'crossing' }],
    });
  });

  it('sees the crossing through the complement', () => {
    const leaving = stands(limitOrder(50, 10, { position: 'short' }), { state: 'cancelling' });
    expect(plan([limitOrder(50, 10)], [leaving]).waiting).toMatchObject([{ reason: 'crossing' }]);
  });

  it('never crosses an order of the account that is not ours, and never touches it', () => {
    const foreign = stands(ask(50, 10), { ownership: 'foreign' });
    const crossed = plan([limitOrder(50, 10)], [foreign]);
    expect(crossed).toMatchObject({ cancels: [], creates: [], waiting: [{ reason: 'crossing' }] });
    expect(plan([limitOrder(49, 10)], [foreign]).creates).toHaveLength(1);
  });

  it('lets an unknown order stand for what is desired instead of asking for a second one', () => {
    const unknown = stands(limitOrder(48, 10), { state: 'unknown', orderId: null });
    expect(plan([limitOrder(48, 10)], [unknown])).toBe(NO_PLAN);
  });

  it('keeps back what together with an unknown order would be more than desired', () => {
    const unknown = stands(limitOrder(48, 10), { state: 'unknown', orderId: null });
    expect(plan([limitOrder(49, 10)], [unknown])).toMatchObject({
      cancels: [],
      creates: [],
      unwanted: [unknown],
      waiting: [{ reason: 'room' }],
    });
  });

  it('does not repeat a cancel that the venue turned down before a listing has shown the order', () => {
    const doubtful = stands(limitOrder(48, 10), { state: 'unknown', failedCancels: 1 });
    expect(plan([], [doubtful]).cancels).toEqual([]);
  });

  it('waits for an order in processing, which can be neither updated nor cancelled', () => {
    const processing = stands(limitOrder(48, 10), { stage: 'processing' });
    expect(plan([limitOrder(49, 10)], [processing]).waiting).toMatchObject([{ reason: 'processing' }]);
    expect(plan([], [processing]).cancels).toEqual([]);
  });

  it('spends only what no working order has locked', () => {
    const little: Funds = { cash: cash(5), long: 0 as Shares, short: 0 as Shares };
    const { creates, waiting } = plan([limitOrder(48, 10), limitOrder(47, 10)], [], {}, little);
    expect(creates).toMatchObject([{ price: 4_800 }]);
    expect(waiting).toMatchObject([{ order: { price: 4_700 }, reason: 'funds' }]);
    expect(plan([ask(52, 1)], [], {}, little).waiting).toMatchObject([{ reason: 'funds' }]);
  });

  it('needs for an update only what the old order has not locked already', () => {
    const none: Funds = { cash: cash(0.2), long: 0 as Shares, short: 0 as Shares };
    expect(plan([limitOrder(49, 10)], [stands(limitOrder(48, 10))], {}, none).replacements).toHaveLength(1);
  });

  it('cancels after a while what was filled to an extent that nobody tells', () => {
    const silent = stands(limitOrder(48, 10), { stage: 'partial', fillsUnknownSince: ms(-5_000) });
    expect(plan([limitOrder(48, 10)], [silent]).cancels).toEqual([silent]);
    const fresh = stands(limitOrder(48, 10), { stage: 'partial', fillsUnknownSince: ms(900) });
    expect(plan([limitOrder(48, 10)], [fresh])).toBe(NO_PLAN);
  });

  it('is twice as urgent where a quote is bolder than desired', () => {
    const shy = plan([limitOrder(49, 10)], [stands(limitOrder(48, 10))]);
    const bold = plan([limitOrder(47, 10)], [stands(limitOrder(48, 10))]);
    expect(shy.urgency).toBe(100 * 1_000);
    expect(bold.urgency).toBe(2 * 100 * 1_000);
  });
});
