import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import {
  complement,
  micros,
  type Money,
  type PriceUnits,
  type Shares,
} from '../../../../src/domain/units.js';
import { bookSide } from '../../../../src/domain/vocabulary.js';
import type { MarketTerms } from '../../../../src/core/execution/planning/market-terms.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import { isIdle, NO_PLAN, type Plan } from '../../../../src/core/execution/planning/plan.js';
import { reconcile, type ReconcilePolicy } from '../../../../src/core/execution/planning/reconcile.js';
import { approved } from '../../../support/bot/effects.js';
import { limitOrder, MARKET, OrderScenario } from '../../../support/orders/order-scenario.js';

const TERMS: MarketTerms = {
  eventId: limitOrder(50, 1).eventId,
  marketId: MARKET,
  currency: 'OOM',
  mode: 'play_money',
  tickUnits: 100,
  takerFee: 0 as Money,
  makerFee: 0 as Money,
  minAmount: 1 as Money,
  maxAmount: 1e12 as Money,
};
const PLENTY = { cash: 1e12 as Money, long: 1e9 as Shares, short: 1e9 as Shares };
const STRICT: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  change: { of: ['price', 'size', 'expiry'] },
};

/** One quote of the long side, expressed in one of the two ways. */
const quote = (side: 'bid' | 'ask', cents: number, whole: number, direct: boolean): LimitOrder =>
  direct
    ? limitOrder(cents, whole, { side })
    : limitOrder(100 - cents, whole, { side: side === 'bid' ? 'ask' : 'bid', position: 'short' });

const level = fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 4 }), fc.boolean());

/** Best first. */
const levels = fc.array(level, { maxLength: 4 }).map((all) => all.toSorted(([a], [b]) => a - b));

/** A ladder around a centre that never crosses itself. */
const ladder = fc
  .record({
    centre: fc.integer({ min: 20, max: 80 }),
    bids: levels,
    asks: levels,
  })
  .map(({ centre, bids, asks }) => [
    ...bids.map(([depth, whole, direct]) => quote('bid', centre - 1 - depth, whole, direct)),
    ...asks.map(([depth, whole, direct]) => quote('ask', centre + 1 + depth, whole, direct)),
  ]);

const longPrice = ({ position, price }: LimitOrder): PriceUnits =>
  position === 'long' ? price : complement(price);

const words = (orders: readonly LimitOrder[]): string[] =>
  orders.map(({ side, position, price, shares }) => `${side} ${position} ${price} x ${shares}`).sort();

const meets = (order: LimitOrder, standing: OwnOrder): boolean => {
  const side = bookSide(order.side, order.position);
  if (standing.bookSide === side) return false;
  const apart = standing.longPrice - longPrice(order);
  return side === 'bid' ? apart <= 0 : apart >= 0;
};

/** Multiset difference. */
function without(these: readonly string[], those: readonly string[]): string[] {
  const left = [...these];
  for (const word of those) if (left.includes(word)) left.splice(left.indexOf(word), 1);
  return left;
}

const asOrder = (order: OwnOrder): LimitOrder => {
  const { eventId, marketId, side, position, currency, price, remaining, expiresAt } = order;
  return { eventId, marketId, side, position, currency, price, shares: remaining, expiresAt };
};

/** One market at a model venue, driven by plans alone. */
class Market {
  readonly scenario = new OrderScenario([]);
  #requestId = 1_000;

  get working(): readonly OwnOrder[] {
    return this.scenario.orders.own(MARKET).working;
  }

  plan(desired: readonly LimitOrder[], policy = STRICT): Plan {
    const { now } = this.scenario;
    const market = { terms: TERMS, free: PLENTY, fair: null, now, venueNow: now };
    return reconcile(desired, this.working, market, policy);
  }

  /** Sends what a plan sends first, as the scheduler does: one kind of request at a time. */
  sendFirst(plan: Plan): void {
    if (plan.cancels.length > 0)
      this.#send({ kind: 'cancel-orders', orderIds: plan.cancels.map((order) => order.orderId!) });
    else if (plan.replacements.length > 0)
      this.#send({
        kind: 'replace-orders',
        replacements: plan.replacements.map(({ order, to }) =>
          approved({
            orderId: order.orderId!,
            place: to,
            price: to.price,
            shares: to.shares,
            expiresAt: null,
            says: 'price-and-shares',
          }),
        ),
      });
    else this.#send({ kind: 'create-orders', orders: plan.creates.map(approved) });
  }

  /** @returns rounds needed until nothing is left to do */
  reach(desired: readonly LimitOrder[]): number {
    for (let round = 0; round < 12; round += 1) {
      const plan = this.plan(desired);
      if (isIdle(plan)) return round;
      this.sendFirst(plan);
    }
    return Infinity;
  }

  #send(request: Parameters<OrderScenario['venue']['execute']>[0]): void {
    const { scenario } = this;
    const requestId = ++this.#requestId;
    scenario.pass(1);
    const sentAt = scenario.now;
    scenario.orders.sent({ kind: 'send', requestId, request, deadline: micros(sentAt + 1) }, sentAt);
    const body = scenario.venue.execute(request, String(requestId), sentAt);
    scenario.flush();
    scenario.pass(1);
    scenario.orders.answered(
      { kind: 'answer', requestId, sentAt, outcome: { ok: true, body } },
      scenario.now,
    );
  }
}

const sideShares = (orders: readonly LimitOrder[], side: 'bid' | 'ask'): number =>
  orders
    .filter((order) => bookSide(order.side, order.position) === side)
    .reduce((sum, order) => sum + order.shares, 0);

describe('a plan', () => {
  it('accounts for every desired order exactly once and for nothing else', () => {
    fc.assert(
      fc.property(ladder, ladder, (first, second) => {
        const market = new Market();
        market.reach(first);
        const plan = market.plan(second);
        const leaving = new Set([...plan.cancels, ...plan.replacements.map(({ order }) => order)]);
        const staying = market.working.filter((order) => !leaving.has(order)).map(asOrder);
        const asked = [...plan.replacements.map(({ to }) => to), ...plan.creates];
        const waiting = plan.waiting.map(({ order }) => order);
        const kept = without(words(second), words([...asked, ...waiting]));
        expect(kept).toHaveLength(second.length - asked.length - waiting.length);
        expect(without(kept, words(staying))).toEqual([]);
        // Without anything to wait for, the plan leads straight to what is desired.
        const after = words([...staying, ...asked]);
        expect(waiting.length > 0 ? words(second) : after).toEqual(words(second));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is reached in a few rounds, and then planning again gives nothing', () => {
    fc.assert(
      fc.property(fc.array(ladder, { minLength: 1, maxLength: 4 }), (ladders) => {
        const market = new Market();
        for (const desired of ladders) {
          expect(market.reach(desired)).toBeLessThanOrEqual(6);
          expect(words(market.working.map(asOrder))).toEqual(words(desired));
          expect(market.plan(desired)).toBe(NO_PLAN);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never lets own orders meet, however the market moves and whatever fills in between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ladder, fc.nat(9), fc.integer({ min: 0, max: 3 })), { maxLength: 12 }),
        (moves) => {
          const market = new Market();
          for (const [desired, pick, whole] of moves) {
            const plan = market.plan(desired);
            if (!isIdle(plan)) market.sendFirst(plan);
            if (whole > 0) market.scenario.play({ kind: 'fill', pick, whole, better: 0 });
          }
          expect(market.scenario.venue.conflicts).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('never has more shares working on a side than are desired or were there before', () => {
    fc.assert(
      fc.property(fc.array(ladder, { maxLength: 8 }), (ladders) => {
        const market = new Market();
        for (const desired of ladders) {
          const before = market.working.map(asOrder);
          const plan = market.plan(desired);
          if (!isIdle(plan)) market.sendFirst(plan);
          const after = market.working.map(asOrder);
          for (const side of ['bid', 'ask'] as const) {
            const most = Math.max(sideShares(before, side), sideShares(desired, side));
            expect(sideShares(after, side)).toBeLessThanOrEqual(most);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never asks for a price at which an own order stands on the other side', () => {
    fc.assert(
      fc.property(ladder, ladder, (first, second) => {
        const market = new Market();
        market.reach(first);
        const plan = market.plan(second);
        const asked = [...plan.creates, ...plan.replacements.map(({ to }) => to)];
        for (const order of asked)
          expect(market.working.filter((standing) => meets(order, standing))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
