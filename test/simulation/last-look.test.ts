/** What a request meets in the step that decided it: the newest book, collar and rules, not those of its plan. */
import { describe, expect, test } from 'vitest';
import type { Approved, SendEffect } from '../../src/domain/effects.js';
import { eventId, marketId } from '../../src/domain/ids.js';
import type { LimitOrder } from '../../src/domain/orders.js';
import { type Micros, money, type PriceUnits, type Shares } from '../../src/domain/units.js';
import { type LastLook, objectionTo } from '../../src/core/engine/quoting/last-look.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting, type Scene } from '../support/simulation/scenes.js';
import { RIVAL } from '../support/simulation/world.js';

const YES = marketId(1_001);

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
const objection = ({ bot }: Scene, effect = decided()): string | null =>
  objectionTo(effect, bot.engine['conditions']);

describe('a create that is about to leave', () => {
  test('leaves while nothing has changed', async () => {
    expect(objection(await quoting())).toBeNull();
  });

  test('is held back when the fair value has moved beyond the collar', async () => {
    const scene = await quoting();
    scene.bot.loop.outside({
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
    const said: (string | null)[] = [];
    for (let ms = 0; ms < 10; ms += 1) {
      await world.run(1);
      said.push(objection(scene));
    }
    expect(said).toContain('would-take');
    await world.run(10_000);
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
    expectAgreement(world, scene.bot);
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

  test('is held back while the run does not quote', async () => {
    const scene = await quoting();
    scene.bot.stop();
    await scene.world.run(1);
    expect(objection(scene)).toBe('not-quoting');
  });
});

test('what the last look holds back is answered within its step, and planned again', async () => {
  const { world, bot } = await quoting();
  let looks = 0;
  const { conditions } = bot.engine as unknown as { conditions: LastLook };
  Object.defineProperty(bot.engine, 'conditions', { get: () => ({ ...conditions, isQuoting: looks++ > 0 }) });
  bot.loop.outside({ kind: 'fair-value', marketId: YES, p: 0.55, confidence: 1, at: world.now });
  await world.run(2_000);
  expect(bot.view.counts.refusals['not-quoting']).toBeGreaterThan(0);
  expectAgreement(world, bot);
});
