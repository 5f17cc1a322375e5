import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runBacktest } from '../../src/app/backtest/run-backtest.js';
import { Quoter } from '../../src/engine/quoting/quoter.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { ROOT } from '../support/small-house.js';

const FILE = join(ROOT, 'config', 'backtest.yaml');
/** What lets a look end early. */
interface Glancing {
  seesNothingNew(...args: unknown[]): boolean;
}
const run = (...overrides: string[]) => runBacktest(loadBotSettings(FILE, {}, overrides));

describe('a backtest of the recording that ships', () => {
  it('is the same twice, to the last decision', async () => {
    const [first, second] = [await run(), await run()];
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(first.scenarios.map(({ outcome }) => outcome)).toEqual(['clean', 'clean', 'clean']);
  });

  it.each(['seed=7', 'backtest.balance=8', 'instances.rain.params.levels=3'])(
    'decides the same with every look run to its end, with %s',
    async (override) => {
      const asIs = await run(override);
      const looks = vi
        .spyOn(Quoter.prototype as unknown as Glancing, 'seesNothingNew')
        .mockReturnValue(false);
      const thorough = await run(override);
      expect(looks.mock.calls.length).toBeGreaterThan(100);
      looks.mockRestore();
      expect(JSON.stringify(thorough)).toBe(JSON.stringify(asIs));
    },
  );

  it('fills more the more is believed of queues, and takes the least profit as its headline', async () => {
    const { scenarios, headline } = await run();
    const [pessimistic, expected, optimistic] = scenarios.map(({ shares }) => shares);
    expect(pessimistic).toBeLessThanOrEqual(expected!);
    expect(expected).toBeLessThanOrEqual(optimistic!);
    expect(headline.profit).toBe(Math.min(...scenarios.map(({ profit }) => profit)));
  });

  it('has the id of what determines it', async () => {
    const { runId } = await run();
    expect((await run('stateDir=elsewhere')).runId).toBe(runId);
    expect((await run('seed=8')).runId).not.toBe(runId);
    expect((await run('instances.rain.params.shares=5')).runId).not.toBe(runId);
  });

  it('changes nothing with the seed while nothing is random', async () => {
    const [seven, eight] = [await run(), await run('seed=8')];
    expect(eight.scenarios.map(({ profit }) => profit)).toEqual(seven.scenarios.map(({ profit }) => profit));
  });

  it('draws another latency with another seed', async () => {
    const quantiles = 'backtest.latency={feedMs: [1, 5, 200], requestMs: [1, 20, 300], responseMs: 5}';
    const [seven, again, eight] = [
      await run(quantiles),
      await run(quantiles),
      await run(quantiles, 'seed=8'),
    ];
    const hashes = (result: typeof seven) => result.scenarios.map(({ decisions }) => decisions.hash);
    expect(hashes(again)).toEqual(hashes(seven));
    expect(hashes(eight)).not.toEqual(hashes(seven));
  });

  it('says which recording it cannot read', async () => {
    await expect(run('backtest.recordings=[nowhere.ndjson.gz]')).rejects.toThrow(
      /backtest\.yaml:\d+:\d+ backtest\.recordings\[0\]: there is no .*config\/nowhere\.ndjson\.gz; a path starts from/,
    );
  });

  it('says which line names a market that nobody configured', async () => {
    await expect(run('events.0.markets.0.id=3002', 'instances.0.markets=[3002]')).rejects.toThrow(
      /synthetic-rain\.ndjson\.gz:1: market 3001 is not among the markets of the configuration \(3002\)/,
    );
  });
});
