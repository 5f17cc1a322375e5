/** Quotes that trade at once although they were to rest: the book had moved while they were on their way. */
import { expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import { money } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { BotSettings } from '../../src/settings/index.js';
import { expectAgreement } from '../support/simulation/agreement.js';
import { allShared, quoting, type Scene } from '../support/simulation/scenes.js';
import { MAKER, RIVAL } from '../support/simulation/world.js';

const YES = marketId(1_001);

/** Our quotes are told to go up, and somebody offers below them before they arrive. */
async function overtaken({ world, bot }: Scene): Promise<void> {
  await world.run(1_000);
  bot.loop.outside({ kind: 'fair-value', marketId: YES, p: 0.55, confidence: 1, at: world.now });
  // The asks have made room by now, and the bids are on their way.
  await world.run(4.5);
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_000, shares: 500 });
  await world.run(2_000);
}

test('are counted and told of', async () => {
  const scene = await quoting();
  await overtaken(scene);
  const { counts } = scene.bot.view;
  expect(counts.takes).toBeGreaterThan(0);
  // At our own price: the answer does not say at which it traded.
  expect(counts.amountTaken).toBe(5 * 520_000);
  expect(scene.bot.noticeCodes).toContain('unintended-taking');
  expectAgreement(scene.world, scene.bot);
});

const limitedTo =
  (most: number) =>
  (before: BotSettings): BotSettings => ({
    ...before,
    instances: before.instances.map((one) => ({
      ...one,
      limits: { ...one.limits, maxTakenAmount: money(most * 1e6) },
    })),
  });

test('beyond the limit withdraw everything until a person resumes', async () => {
  const scene = await quoting({ settings: limitedTo(2) });
  await overtaken(scene);
  expect(scene.bot.view.killed).toBe('taking limit: took 2.6 within an hour, limit 2');
  scene.bot.loop.command({ kind: 'command', command: 'resume' });
  await scene.world.run(2_000);
  expect(scene.bot.view.killed).toBeNull();
});

test('are none where a person takes in a market that is shared', async () => {
  const { world, bot } = await quoting({ settings: (before) => allShared(limitedTo(2)(before)) });
  await world.run(1_000);
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_000, shares: 500 });
  world.place(MAKER, { marketId: 1_001, side: 'bid', position: 'long', price: 5_100, shares: 500 });
  await world.run(2_000);
  expect(bot.view.counts).toMatchObject({ fills: 0, takes: 0 });
  expect(bot.noticeCodes).not.toContain('unintended-taking');
  expect(bot.view.killed).toBeNull();
});

test('are not forgotten by a restart, only by a person who resumes', async () => {
  const settings = limitedTo(4);
  const { world, bot } = await quoting({ settings });
  await overtaken({ world, bot });
  const riskState = JSON.parse(JSON.stringify(bot.engine.riskState)) as EngineOptions['riskState'];
  expect(riskState.taken).toMatchObject([{ currency: 'OOM', amount: 2_600_000 }]);
  bot.kill();
  const engine = (options: EngineOptions): EngineOptions => ({ ...options, riskState });
  const next = await world.start({ settings, engine });
  await world.run(5_000);
  expect(next.engine.riskState.taken).toEqual(riskState.taken);
  next.loop.command({ kind: 'command', command: 'resume' });
  await world.run(1_000);
  expect(next.engine.riskState.taken).toEqual([]);
});
