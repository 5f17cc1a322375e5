import { describe, expect, test } from 'vitest';
import { RunAnalyst } from '../../src/analytics/run-analyst.js';
import { describeRun } from '../../src/core/engine/observing/describe-run.js';
import { type EngineObserver, severalObservers } from '../../src/core/engine/observing/observer.js';
import { SHARE_ONE, currencyUnits } from '../../src/domain/units.js';
import { World } from '../support/simulation/world.js';

const RUN_MS = 60_000;
/** No simulated bot asks whose its keys are; it counts that it did. */
const IDENTIFY = 1;

/** A run that an analyst hears from its first input on. */
async function analysedRun(seed: number) {
  const world = new World({ seed });
  const heard: EngineObserver[] = [];
  let analyst: RunAnalyst | null = null;
  const bot = await world.start({
    engine: (options) => {
      const setting = { scenario: 'live', startedAt: world.now, assumptions: [] };
      heard.push((analyst = new RunAnalyst(describeRun(options, setting))));
      return options;
    },
    observer: relay(() => severalObservers(heard)),
  });
  await world.run(RUN_MS);
  const analysis = analyst!.end(world.now, (market) => bot.engine.depth(market));
  const calls = world.transport.seen.length;
  return { analysis, view: bot.view, calls };
}

/** Tells an observer that is made only once the engine's options are known. */
const relay = (target: () => EngineObserver): EngineObserver => ({
  book: (...news) => target().book?.(...news),
  standing: (...news) => target().standing?.(...news),
  filled: (...news) => target().filled?.(...news),
  volume: (...news) => target().volume?.(...news),
  transferred: (...news) => target().transferred?.(...news),
  resolved: (...news) => target().resolved?.(...news),
  reversed: (...news) => target().reversed?.(...news),
  requested: (...news) => target().requested?.(...news),
  answered: (...news) => target().answered?.(...news),
  joined: (...news) => target().joined?.(...news),
});

describe('the analysis of a run', () => {
  test.each([1, 2, 3])('comes to what the engine itself counts, seed %i', async (seed) => {
    const { analysis, view, calls } = await analysedRun(seed);
    const { total, requests } = analysis;
    expect(total.fills.count).toBeGreaterThan(0);
    expect(total.fills.count).toBe(view.counts.fills);
    expect(total.fills.shares).toBeCloseTo(view.counts.sharesFilled / SHARE_ONE, 9);
    expect(total.profit.total).toBeCloseTo(currencyUnits(view.profit), 5);
    expect(requests.total).toBe(calls + IDENTIFY);
    expect(total.quoting.uptime).toBeGreaterThan(0.1);
    expect(total.fills.ratio).toBeGreaterThan(0);
    expect(total.fills.ratio).toBeLessThanOrEqual(1);
  });

  test('is the same for the same seed', async () => {
    const [one, again] = [await analysedRun(4), await analysedRun(4)];
    expect(JSON.stringify(one.analysis)).toBe(JSON.stringify(again.analysis));
  });
});
