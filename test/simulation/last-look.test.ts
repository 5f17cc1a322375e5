/** What a request meets when its bytes are about to leave: the newest book, collar, rules and cash, not those of its plan. */
import { describe, expect, test } from 'vitest';
import type { Approved, SendEffect } from '../../src/domain/effects.js';
import { eventId, marketId } from '../../src/domain/ids.js';
import type { LimitOrder } from '../../src/domain/orders.js';
import { type Micros, money, type Money, type PriceUnits, type Shares } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { ExchangeSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting, type Scene } from '../support/simulation/scenes.js';
import { RIVAL } from '../support/simulation/world.js';

const YES = marketId(1_001);
const WHOLE = 1_000_000;
/** At a venue without fees. */
const LOCKED_BY_QUOTES = 38.6;

/** A create as it was approved a moment ago: a bid for ten long shares at 0.45. */
function decided(changes: Partial<LimitOrder> = {}): SendEffect {
  const order: LimitOrder = {
    eventId: eventId(100),
    marketId: YES,
    side: 'bid',
    position: 'long',
    currency: 'OOM',
    price: 4_500 as PriceUnits,
    shares: 1_000 as Shares,
    expiresAt: null,
    ...changes,
  };
  const orders = [order as Approved<LimitOrder>];
  return {
    kind: 'send',
    requestId: 9_999,
    request: { kind: 'create-orders', orders },
    deadline: 2e15 as Micros,
  };
}
const objection = ({ bot }: Scene, effect = decided()): string | null => bot.engine.objectionTo(effect);

/** All quotes stand, the balance was read since, and so much of it is left. */
async function leftWith(cash: number, fee: number): Promise<Scene> {
  const balances = { OOM: money(Math.round((LOCKED_BY_QUOTES + cash) * WHOLE)) };
  const exchange = (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    accounts: settings.accounts.map((one) => (one.id === 1 ? { ...one, balances } : one)),
  });
  const engine = (options: EngineOptions): EngineOptions => ({
    ...options,
    terms: { ...options.terms, takerFee: fee as Money },
  });
  const scene = await quoting({ engine }, { exchange });
  await scene.world.run(120_000);
  expect(scene.bot.view.balance.free).toBe(cash * WHOLE);
  return scene;
}

describe('a create that is about to leave', () => {
  test('leaves while nothing has changed', async () => {
    expect(objection(await quoting())).toBeNull();
  });

  test('is held back when the fair value has moved beyond the collar', async () => {
    const scene = await quoting();
    scene.bot.loop.fairValue({
      kind: 'fair-value',
      marketId: YES,
      p: 0.9,
      confidence: 1,
      at: scene.world.now,
    });
    await scene.world.run(1);
    expect(objection(scene)).toBe('beyond-collar');
  });

  test('is held back when the book has moved, which is quoted anew', async () => {
    const scene = await quoting();
    const { world } = scene;
    // More than our bids, which it takes: the rest of it asks for 0.44.
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_600, shares: 3_000 });
    await world.runUntil('its book has come', () => objection(scene) !== null, 1_000);
    expect(objection(scene)).toBe('would-take');
    await world.run(10_000);
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
    expectAgreement(world, scene.bot);
  });

  test.each([
    [0, 4.5, null],
    [0, 4.49, 'lacks-cash'],
    [2_000, 4.52, null],
    [2_000, 4.51, 'lacks-cash'],
  ])('meets the cash of now: a fee of %i a share and %s left is %s', async (fee, cash, expected) => {
    expect(objection(await leftWith(cash, fee))).toBe(expected);
  });

  test.each([
    ['tick', { tickUnits: 1_000 }],
    ['least amount', { minAmount: money(4_600_000) }],
    ['greatest amount', { maxAmount: money(4_400_000) }],
  ])('is held back when the %s has changed', async (_what, changes) => {
    const scene = await quoting();
    scene.bot.loop.command({ kind: 'command', command: 'set-terms', marketId: YES, changes });
    await scene.world.run(2_000);
    expect(objection(scene)).toBe('old-terms');
  });
});
