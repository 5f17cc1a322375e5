import { describe, expect, it } from 'vitest';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import type { Micros, PriceUnits, Shares } from '../../../../../src/domain/units.js';
import {
  expiring,
  expiryOf,
  lastsLongEnough,
  nextRenewal,
  renewalAt,
} from '../../../../../src/core/execution/planning/expiry.js';
import { found, TrackedOrder } from '../../../../../src/core/execution/orders/tracked-order.js';
import { mayShow } from '../../../../../src/core/execution/orders/own-order.js';
import { NO_PLAN, type Plan } from '../../../../../src/core/execution/planning/plan.js';
import { reconcile } from '../../../../../src/core/execution/planning/reconcile.js';
import { cash, marketTerms } from '../../../../support/orders/market-terms.js';
import { EVENT, limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

const LIFETIME_MS = 200_000;
const BOOK = { bookAt: ms(100), graceMs: 1_000, now: ms(100) };
/** What the request may take on its way comes on top. */
const LIFETIME = 205_000_000;

const stands = (serial: number, expiresAt: Micros | null): TrackedOrder => {
  const tracked = found(reportOf(limitOrder(48, 10), 100 + serial), EVENT, 'ours', { serial, at: ms(0) });
  return Object.assign(tracked, { stage: 'open', expiresAt });
};
const wantedAt = (now: Micros): readonly LimitOrder[] =>
  expiring([limitOrder(48, 10)], expiryOf(LIFETIME_MS, now));
const planAt = (now: Micros, desired: readonly LimitOrder[], order: TrackedOrder): Plan =>
  reconcile(
    desired,
    [order],
    {
      terms: marketTerms(),
      free: { cash: cash(1_000), long: 0 as Shares, short: 0 as Shares },
      fair: 5_000 as PriceUnits,
      now,
      venueNow: now,
    },
    {
      shyUnits: 0,
      boldUnits: 0,
      missingShares: 0,
      excessShares: 0,
      minRestMs: 0,
      change: { of: ['price', 'size', 'expiry'] },
    },
  );

describe('an order that expires', () => {
  it('is stated with its whole lifetime ahead when it arrives, and not at all unless wanted', () => {
    expect(expiryOf(LIFETIME_MS, ms(0))).toBe(ms(205_000));
    expect(expiryOf(null, ms(0))).toBeNull();
    expect(expiring([limitOrder(48, 10)], null)[0]?.expiresAt).toBeNull();
  });

  it('is left alone for half of its lifetime', () => {
    const order = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    expect(planAt(ms(102_000), wantedAt(ms(102_000)), order)).toBe(NO_PLAN);
  });

  it('is renewed in place after that, before three quarters of it', () => {
    const order = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const { replacements, cancels, creates } = planAt(ms(154_000), wantedAt(ms(154_000)), order);
    expect([...cancels, ...creates]).toEqual([]);
    expect(replacements).toMatchObject([{ order, to: { price: 4_800, expiresAt: ms(359_000) } }]);
  });

  it('is refreshed by an ordinary move', () => {
    const order = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const moved = expiring([limitOrder(49, 10)], expiryOf(LIFETIME_MS, ms(10_000)));
    expect(planAt(ms(10_000), moved, order).replacements).toMatchObject([{ to: { expiresAt: ms(215_000) } }]);
  });

  it('gets an expiry, or loses it, when the configuration has changed', () => {
    expect(planAt(ms(0), wantedAt(ms(0)), stands(1, null)).replacements).toHaveLength(1);
    const kept = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    expect(planAt(ms(0), [limitOrder(48, 10)], kept).replacements).toMatchObject([
      { to: { expiresAt: null } },
    ]);
  });

  it('is renewed at a time of its own: renewals of orders made together are spread over a quarter', () => {
    const at = expiryOf(LIFETIME_MS, ms(0));
    const times = Array.from(
      { length: 100 },
      (_, serial) => renewalAt(stands(serial, at), LIFETIME) / LIFETIME,
    );
    const base = ms(0) / LIFETIME;
    expect(Math.min(...times) - base).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...times) - base).toBeLessThanOrEqual(0.75);
    const tenths = new Set(times.map((time) => Math.floor((time - base - 0.5) * 40)));
    expect(tenths.size).toBe(10);
  });

  it('says when it is due, and is not said to be due again while it waits for its turn', () => {
    const order = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const due = nextRenewal([order], LIFETIME_MS, ms(0));
    expect(lastsLongEnough(order, expiryOf(LIFETIME_MS, (due - 1) as Micros), (due - 1) as Micros)).toBe(
      true,
    );
    expect(lastsLongEnough(order, expiryOf(LIFETIME_MS, due as Micros), due as Micros)).toBe(false);
    expect(nextRenewal([order], LIFETIME_MS, due as Micros)).toBe(Infinity);
    expect(nextRenewal([order], null, ms(0))).toBe(Infinity);
  });
});

describe('a renewal', () => {
  it('changes no level, so the new order shows in every book that showed the old one, and nothing shows twice', () => {
    const old = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const renewed = new TrackedOrder(old, limitOrder(48, 10), 2, ms(500));
    Object.assign(old, { shownBefore: old.remaining, shownSince: ms(600), remaining: 0 });
    renewed.standInFor(old);
    expect([mayShow(renewed, BOOK), mayShow(old, BOOK)]).toEqual([1_000, 0]);
  });

  it('locks the cash of the old order: a balance that knew of that one knew of it', () => {
    const old = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const [renewed, moved] = [48, 49].map((price, index) => {
      const order = new TrackedOrder(old, limitOrder(price, 10), 2 + index, ms(500));
      Object.assign(order, { namedAt: ms(600), lockKnownAt: ms(600) });
      return order;
    });
    Object.assign(old, {
      shownBefore: old.remaining,
      shownSince: ms(600),
      remaining: 0,
      lockKnownAt: ms(10),
    });
    moved!.standInFor(old);
    renewed!.standInFor(old);
    expect([renewed!.lockKnownAt, moved!.lockKnownAt]).toEqual([ms(10), ms(600)]);
  });

  it('is not taken for a move: what changes a level shows in the next book only', () => {
    const old = stands(1, expiryOf(LIFETIME_MS, ms(0)));
    const moved = new TrackedOrder(old, limitOrder(49, 10), 2, ms(500));
    Object.assign(old, { shownBefore: old.remaining, shownSince: ms(600), remaining: 0 });
    moved.standInFor(old);
    expect([mayShow(moved, BOOK), mayShow(old, BOOK)]).toEqual([0, 1_000]);
  });
});
