import { expect, test } from 'vitest';
import type { Engine } from '../../src/core/engine/engine.js';
import type { BotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import { World } from '../support/simulation/world.js';

/** Everything that a screen, a metric, a report or a gateway may ask of an engine between two steps. */
function lookAt(engine: Engine): void {
  const { markets } = engine.view();
  for (const { marketId } of markets) engine.depth(marketId);
  void [engine.killed, engine.riskState, engine.requestsLeftToday];
}

/** Looks before and after every step. */
const seam = (hashes: string[], look: (engine: Engine) => void): Seam => ({
  ...UNCHANGED,
  engine: (engine) => {
    const step = engine.step.bind(engine);
    engine.step = (...asked) => {
      look(engine);
      const effects = step(...asked);
      look(engine);
      hashes.push(engine.decisionHash);
      return effects;
    };
  },
});

/** @returns the hash of the decisions after every step of every run of the story */
async function decisionsIn(live: (seam: Seam) => Promise<unknown>, look: (engine: Engine) => void) {
  const hashes: string[] = [];
  await live(seam(hashes, look));
  return hashes;
}

async function expectSame(live: (seam: Seam) => Promise<unknown>): Promise<void> {
  const alone = await decisionsIn(live, () => undefined);
  const watched = await decisionsIn(live, lookAt);
  expect(alone.length).toBeGreaterThan(500);
  expect(watched.findIndex((hash, step) => hash !== alone[step])).toBe(-1);
  expect(watched).toHaveLength(alone.length);
}

test.each([6715, 3, 20, 101, 9875])('in seed %i looking on changes no decision', async (seed) => {
  await expectSame((put) => runSeed(seed, { folder: scratchFolder(), seam: put }));
});

/** Six levels a side: nothing but our own is visible. */
const coveringAll = (settings: BotSettings): BotSettings => ({
  ...settings,
  instances: settings.instances.map((instance) => ({
    ...instance,
    strategy: 'fixed-spread',
    params: { halfSpread: '0.01', shares: 5, levels: 6, levelGap: '0.01', maxInventory: 100 },
  })),
});

test('nor where our own orders hide what lies behind them', async () => {
  await expectSame(async (put) => {
    const world = World.quiet();
    await world.start({ settings: coveringAll, seam: put });
    await world.run(300_000);
  });
});
