import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { readReport } from '../../src/report/report-files.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const FILE = join(ROOT, 'config', 'backtest.yaml');
const run = (...overrides: string[]) => runBacktest(loadBotSettings(FILE, {}, overrides));

describe('a backtest of the recording that ships', () => {
  it('is the same twice, to the last decision', async () => {
    const [first, second] = [await run(), await run()];
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(first.scenarios.map(({ outcome }) => outcome)).toEqual(['clean', 'clean', 'clean']);
  });

  it('fills more the more is believed of queues, and its headline is the scenario that the file names', async () => {
    const { scenarios, headline } = await run();
    const [pessimistic, expected, optimistic] = scenarios.map(({ shares }) => shares);
    expect(pessimistic).toBeLessThanOrEqual(expected!);
    expect(expected).toBeLessThanOrEqual(optimistic!);
    expect(headline.profit).toBe(scenarios[0]!.profit);
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

  it('says which limit stopped it, when and how long', async () => {
    const { guarded } = await run('instances.rain.limits.maxDrawdown=3');
    const { guarded: free } = await run();
    expect(free.map(({ guards }) => guards?.stops)).toEqual([[], [], []]);
    for (const { guards } of guarded)
      expect(guards!.stops).toMatchObject([
        { rule: 'drawdown-limit', scope: 'all', id: null, times: 1, text: expect.stringMatching(/limit 3$/) },
      ]);
  });

  it('says which guards stopped a market, and how often', async () => {
    const breaker = await run('instances.rain.limits.fillBreaker={maxShares: 30, coolDownMs: 20000}');
    expect(breaker.guarded[0]!.guards!.stops).toMatchObject([
      {
        rule: 'fill-breaker',
        scope: 'market',
        id: '3001',
        times: 12,
        text: expect.stringMatching(/limit 30$/),
      },
    ]);
    const judged = 'instances.rain.limits.markOut={maxLoss: 0.001, horizonMs: 1000, fills: 2}';
    const { guarded } = await run(judged, 'instances.rain.params.halfSpread=0.005');
    expect(guarded[0]!.guards!.stops.map(({ rule }) => rule)).toContain('mark-out-stopped');
  });

  it('reports what stopped it, the same twice', async () => {
    const loaded = loadBotSettings(FILE, {}, ['instances.rain.limits.maxDrawdown=3']);
    const folders = [scratchFolder(), scratchFolder()];
    const written = await Promise.all(folders.map((out) => runBacktest({ ...loaded, out })));
    const [one, two] = written.map(({ report }) => readReport(dirname(report!)));
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
    expect(one!.remarks[0]).toMatch(
      /^stopped by drawdown-limit: everywhere at 2026-01-05 12:03:31Z: .*limit 3 \(pessimistic, expected\); /,
    );
    expect(one!.remarks[1]).toMatch(
      /^not quoted in full, killed: 393\.2 s, 65\.1 % of the observed time \(pessimistic, expected\); /,
    );
    const table = readFileSync(join(dirname(written[0]!.report!), 'report-guards.csv'), 'utf8');
    expect(table).toMatch(/^pessimistic,stopped,drawdown-limit,all,,,1,2026-01-05T12:03:31/m);
    expect(table).toMatch(/^pessimistic,held,killed,market,3001,Yes,/m);
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
