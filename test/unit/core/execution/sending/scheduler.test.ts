import { describe, expect, it } from 'vitest';
import { eventId, marketId, type MarketId, orderId } from '../../../../../src/domain/ids.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import type { Money, PriceUnits, Shares } from '../../../../../src/domain/units.js';
import type { ApprovedPlan } from '../../../../../src/core/execution/planning/plan.js';
import { type BudgetLimits, RequestBudget } from '../../../../../src/core/execution/sending/budget.js';
import { idempotencyKey, RequestIds } from '../../../../../src/core/execution/sending/sent-requests.js';
import { found, type TrackedOrder } from '../../../../../src/core/execution/orders/tracked-order.js';
import type { TouchOf } from '../../../../../src/core/execution/sending/packing.js';
import { Scheduler } from '../../../../../src/core/execution/sending/scheduler.js';
import { approved } from '../../../../support/bot/effects.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import {
  answered,
  failed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../../../support/orders/own-order-reports.js';
import { FUTUUR } from '../../../../../src/venues/futuur/protocol/profile.js';

/** A venue that takes no request for a copy. */
const VENUE = { ...FUTUUR, orders: { ...FUTUUR.orders, copiesRefusedMs: 0 } };

const BUDGET: BudgetLimits = {
  perMinute: 600,
  perDay: 1e6,
  burst: 0.1,
  readReserve: 3,
  bookShare: 0.25,
};

const NO_TOUCH = { bid: null, ask: null };

const scheduler = (limits: Partial<BudgetLimits> = {}, touchOf: TouchOf = () => NO_TOUCH): Scheduler =>
  new Scheduler(
    Object.assign(new RequestBudget({ ...BUDGET, ...limits }, ms(0)), { withdrawalReserve: 2 }),
    new RequestIds(),
    VENUE,
    {
      quoteLifetimeMs: 500,
      otherLifetimeMs: 5_000,
      throttledMs: 1_000,
      firstPauseMs: 100,
      lastPauseMs: 1_000,
    },
    touchOf,
  );

const market = (n: number): MarketId => marketId(n);
const order = (n: number, cents = 48): LimitOrder => ({ ...limitOrder(cents, 10), marketId: market(n) });
const standing = (n: number, id: number, told: Partial<TrackedOrder> = {}): TrackedOrder =>
  Object.assign(found(reportOf(order(n), id), eventId(3), 'ours', { serial: id, at: ms(0) }), {
    stage: 'open',
    ...told,
  });
const planFor = (n: number, told: Partial<ApprovedPlan>): ApprovedPlan => ({
  marketId: market(n),
  cancels: [],
  replacements: [],
  creates: [],
  unwanted: [],
  urgency: 0 as Money,
  ...told,
});
const creating = (n: number, urgency = 0, count = 1): ApprovedPlan =>
  planFor(n, {
    creates: Array.from({ length: count }, (_, i) => approved(order(n, 40 + i))),
    urgency: urgency as Money,
  });
const moving = (n: number, told: Partial<TrackedOrder> = {}, urgency = 0): ApprovedPlan => {
  const old = standing(n, n, told);
  const to = order(n, 49);
  const item = approved({
    orderId: orderId(n),
    place: to,
    price: to.price,
    shares: to.shares,
    expiresAt: null,
    says: 'all' as const,
  });
  return planFor(n, {
    replacements: [{ order: old, to, item }],
    urgency: urgency as Money,
  });
};
const created = (requestId: number, count = 1) =>
  answered(
    requestId,
    {
      kind: 'create-orders',
      items: Array.from({ length: count }, (_, i) => ({
        ok: true as const,
        value: reportOf(order(1), 50 + i),
      })),
      canceledIds: [],
    },
    ms(0),
  );

describe('the scheduler', () => {
  it('fills one batch across markets', () => {
    const one = scheduler();
    for (const n of [1, 2, 3]) one.offer(creating(n));
    const [effect, ...more] = one.due(ms(0));
    expect(more).toEqual([]);
    expect(effect).toMatchObject({ requestId: 1, deadline: ms(500), request: { kind: 'create-orders' } });
    expect(effect?.request).toMatchObject({
      orders: [{ marketId: '1' }, { marketId: '2' }, { marketId: '3' }],
    });
  });

  it('puts at most twenty items into a request, the most urgent markets first', () => {
    const one = scheduler();
    for (let n = 1; n <= 15; n += 1) one.offer(creating(n, n, 2));
    const sizes = one.due(ms(0)).map(({ request }) => ('orders' in request ? request.orders : []));
    expect(sizes.map((orders) => orders.length)).toEqual([20, 10]);
    expect(new Set(sizes[0]?.map((o) => o.marketId))).toEqual(
      new Set([15, 14, 13, 12, 11, 10, 9, 8, 7, 6].map(market)),
    );
  });

  it('sends cancels, then reads, then quotes, the most urgent first', () => {
    const one = scheduler();
    one.read({ kind: 'read-orders' });
    one.offer(creating(1, 1_000_000));
    one.offer(moving(2, {}, 2_000_000));
    one.offer(planFor(3, { cancels: [standing(3, 3)] }));
    expect(one.due(ms(0)).map(({ request }) => request.kind)).toEqual([
      'cancel-orders',
      'read-orders',
      'replace-orders',
      'create-orders',
    ]);
  });

  it('has at most one trading request of a market under way', () => {
    const one = scheduler();
    one.offer(creating(1));
    one.due(ms(0));
    one.offer(creating(1));
    expect(one.due(ms(10))).toEqual([]);
    expect(one.nextDue(ms(10))).toBeNull();
    expect(one.answered(created(1), ms(20))).toEqual(['1']);
    one.offer(creating(1));
    expect(one.due(ms(20))).toHaveLength(1);
  });

  it('forgets what was planned before an answer', () => {
    const one = scheduler();
    one.offer(creating(1));
    one.due(ms(0));
    one.offer(creating(1));
    one.answered(created(1), ms(20));
    expect(one.due(ms(20))).toEqual([]);
  });

  it('lets the newest plan of a market win, and an empty one withdraw it', () => {
    const one = scheduler({ perDay: 0 });
    one.offer(creating(1, 0, 3));
    one.offer(creating(1, 0, 1));
    one.offer(creating(2));
    one.offer(planFor(2, {}));
    expect(one.due(ms(0))).toEqual([]);
    const later = scheduler();
    later.offer(creating(1, 0, 3));
    later.offer(creating(1, 0, 1));
    expect(later.due(ms(0))[0]?.request).toMatchObject({ orders: [{ marketId: '1' }] });
  });

  it('leaves out what can no longer be moved, what would take from the newest book and what nobody quotes', () => {
    const touches = [NO_TOUCH, NO_TOUCH, { bid: null, ask: 4_000 as PriceUnits }, null];
    const one = scheduler({}, (asked) => touches[Number(asked)]!);
    one.offer(moving(1, { stage: 'partial', filled: 100 as Shares }));
    one.offer(creating(2));
    one.offer(creating(3));
    expect(one.due(ms(0))).toEqual([]);
    expect(one.nextDue(ms(0))).toBeNull();
  });

  it('pauses the quotes of a market longer after each failure, its cancels only shortly', () => {
    const one = scheduler();
    one.offer(creating(1));
    one.due(ms(0));
    one.answered(failed(1, TIMED_OUT, ms(0)), ms(0));
    one.offer(creating(1));
    expect(one.due(ms(99))).toEqual([]);
    expect(one.nextDue(ms(99))).toBe(ms(100));
    one.due(ms(100));
    one.answered(failed(2, TIMED_OUT, ms(100)), ms(100));
    one.offer(creating(1));
    expect(one.nextDue(ms(100))).toBe(ms(300));
    one.offer(planFor(1, { cancels: [standing(1, 1)] }));
    expect(one.nextDue(ms(100))).toBe(ms(200));
  });

  it('does not take an answer with refused items for a success', () => {
    const one = scheduler();
    one.pauses.failed(market(1), 0, ms(-1_000));
    one.offer(creating(1));
    one.due(ms(0));
    const body = {
      kind: 'create-orders',
      items: [{ ok: false, code: 'MarketClosed', means: 'market-closed' }],
      canceledIds: [],
    } as const;
    one.answered(answered(1, body, ms(0)), ms(10));
    one.pauses.failed(market(1), 0, ms(10));
    expect(one.pauses.until(market(1), 'quote')).toBe(ms(210));
  });

  it('obeys a 429 and does not count the market as failed for ever', () => {
    const one = scheduler();
    one.offer(creating(1));
    one.due(ms(0));
    const refusal = { ...refusedWith('Throttled', 429), retryAfterMs: 7_000 } as const;
    one.answered(failed(1, refusal, ms(0)), ms(0));
    one.offer(creating(1));
    expect(one.nextDue(ms(0))).toBe(ms(7_000));
  });

  it.each([
    ['what a listing of orders costs, further pages included', 6, 3 + 3],
    ['a call that was signed again after its time was refused', 4, 3 + 1],
    ['no more than left of a listing that broke off', 1, 1],
    ['nothing on what never left', 0, 0],
  ])('spends %s', (_what, calls, spent) => {
    const one = new RequestBudget(BUDGET, ms(0));
    const policy = { quoteLifetimeMs: 500, otherLifetimeMs: 5_000, throttledMs: 1_000 };
    const pauses = { firstPauseMs: 100, lastPauseMs: 1_000 };
    const desk = new Scheduler(one, new RequestIds(), VENUE, { ...policy, ...pauses }, () => NO_TOUCH);
    desk.read({ kind: 'read-orders' });
    const [effect] = desk.due(ms(0));
    expect(one.leftToday).toBe(1e6 - 3);
    const answer = answered(effect!.requestId, { kind: 'read-orders', orders: [] }, ms(0));
    desk.answered({ ...answer, calls }, ms(1));
    expect(one.leftToday).toBe(1e6 - spent);
  });

  it('asks the same question once, as soon as the budget allows reads', () => {
    const one = scheduler();
    one.read({ kind: 'read-orders' });
    one.read({ kind: 'read-orders' });
    one.read({ kind: 'read-event', eventId: eventId(3) });
    expect(one.isAsking('read-orders')).toBe(true);
    expect(one.due(ms(0)).map(({ request }) => request.kind)).toEqual(['read-orders', 'read-event']);
    expect(one.isAsking('read-orders')).toBe(true);
    one.answered(answered(1, { kind: 'read-orders', orders: [] }, ms(0)), ms(5));
    expect(one.isAsking('read-orders')).toBe(false);
  });

  it('spends tokens reserved for cancels on cancels alone', () => {
    const one = scheduler({ perMinute: 60, burst: 0.1, readReserve: 1, bookShare: 0.25 });
    one.offer(creating(1));
    one.due(ms(0));
    one.offer(creating(2));
    expect(one.due(ms(0))).toEqual([]);
    one.offer(planFor(3, { cancels: [standing(3, 3)] }));
    expect(one.due(ms(0)).map(({ request }) => request.kind)).toEqual(['cancel-orders']);
  });
});

describe('keys', () => {
  it('derive from run and sequence: the same for a replay, never the same for two requests', () => {
    const ids = new RequestIds();
    expect(idempotencyKey('run-7', 1)).toBe('run-7-1');
    expect(new Set(Array.from({ length: 100 }, () => idempotencyKey('run-7', ids.next()))).size).toBe(100);
  });
});
