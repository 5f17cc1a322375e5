import { describe, expect, test } from 'vitest';
import type { EngineObserver, MarketLook, MarketPlan } from '../../src/core/engine/observing/observer.js';
import { World } from '../support/simulation/world.js';

const SEED = 5;
const RUN_MS = 20_000;

describe('an onlooker', () => {
  test('is told of every input, look, plan and decision, and changes none', async () => {
    const [world, alone] = [new World({ seed: SEED }), new World({ seed: SEED })];
    const looks: MarketLook[] = [];
    const plans: MarketPlan[] = [];
    const lines: string[] = [];
    let [inputs, effects] = [0, 0];
    const bot = await world.start({
      observer: {
        took: () => (inputs += 1),
        looked: (look) => looks.push(look),
        planned: (plan) => plans.push(plan),
        decided: (line) => lines.push(line),
        did: ({ length }) => (effects += length),
      },
    });
    await world.run(RUN_MS);
    const unwatched = await alone.start();
    await alone.run(RUN_MS);
    expect(bot.engine.decisionHash).toBe(unwatched.engine.decisionHash);
    expect(inputs).toBe(bot.inputs.length);
    expect(lines).toHaveLength(bot.view.counts.decisions);
    expect(effects).toBeGreaterThan(lines.length);
    const quoted = plans.find(({ intent }) => intent !== null);
    const look = looks.find(({ halt, marketId }) => halt === null && marketId === quoted?.marketId);
    expect(quoted?.desired.length).toBeGreaterThan(0);
    expect(look?.context.book.bids.length).toBeGreaterThan(0);
  });

  test.each([11, 12, 13, 14])(
    'is shown every plan, though one that would say the same is not made again for the engine alone: seed %i',
    async (seed) => {
      const hashOf = async (observer: EngineObserver): Promise<string> => {
        const world = new World({ seed });
        const bot = await world.start({ observer });
        await world.run(RUN_MS);
        return bot.engine.decisionHash;
      };
      let plans = 0;
      const told = await hashOf({ planned: () => (plans += 1) });
      expect(plans).toBeGreaterThan(100);
      expect(told).toBe(await hashOf({}));
    },
  );

  test('hears which rule refused which order, before the plan that it is missing from', async () => {
    const world = World.quiet();
    const told: string[] = [];
    const bot = await world.start({
      engine: (options) => ({
        ...options,
        instances: options.instances.map((owner) => ({
          ...owner,
          limits: { ...owner.limits, maxOrderShares: 1 as typeof owner.limits.maxOrderShares },
        })),
      }),
      observer: {
        refused: (order, refusal) => told.push(`${order.marketId} ${refusal.rule}`),
        planned: ({ marketId, approved }) => told.push(`${marketId} plans ${approved.creates.length}`),
      },
    });
    await world.run(2_000);
    expect(bot.view.counts.ordersCreated).toBe(0);
    const first = told.findIndex((line) => line.endsWith('order-size'));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(told.slice(first)).toContain(`${told[first]!.split(' ')[0]} plans 0`);
  });
});
