import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { writeBacktestReport } from '../../src/runs/backtest/backtest-folder.js';
import { readReport } from '../../src/report/report-files.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { backtestConfiguration } from '../../src/cli/commands/backtest.js';
import { backtestEach, type RecordingResult } from '../../src/runs/backtest/each-recording.js';
import { readCatalogue } from '../../src/runs/catalogue/catalogue.js';
import { ROOT } from '../support/project/small-house.js';
import { ran } from '../support/screen/told-command.js';
import { linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';

const CONFIG = join(ROOT, 'config', 'backtest.yaml');
const RECORDINGS = join(ROOT, 'config', 'recordings.yaml');

/** Kept for all tests. */
const out = mkdtempSync(join(tmpdir(), 'oddsmith-report-'));
afterAll(() => rmSync(out, { recursive: true }));

const analysed = (folder = out) => runBacktest({ ...loadBotSettings(CONFIG, {}), out: folder });
let first: ReturnType<typeof analysed> | null = null;
const PARQUET = 'report-fills.parquet';
/** One run that all tests look at. */
const firstRun = () => (first ??= analysed());

function written(result: Awaited<ReturnType<typeof analysed>>): string {
  const folder = scratchFolder();
  writeBacktestReport(folder, 'config/backtest.yaml', { ...result, fills: null }, result.analyses);
  return folder;
}

describe('the report of a backtest', () => {
  it('comes to what the books of the simulated venue say, under every scenario', async () => {
    const result = await firstRun();
    const report = readReport(written(result));
    expect(report.scenarios.map(({ scenario }) => scenario)).toEqual([
      'pessimistic',
      'expected',
      'optimistic',
    ]);
    result.scenarios.forEach(({ profit, fills, shares, fees }, index) => {
      const { total } = report.scenarios[index]!;
      expect(total.profit.executable).toBeCloseTo(profit, 6);
      expect(total.fills.count).toBe(fills);
      expect(total.fills.shares).toBeCloseTo(shares, 9);
      expect(total.queue.fills).toBeGreaterThan(0.9 * fills);
      expect(total.queue.meanRelative).toBeLessThan(0.5);
      expect(total.profit.fees - total.profit.rebates).toBeCloseTo(fees, 6);
    });
    expect(report.headline.profit).toBeCloseTo(result.headline.profit, 6);
  });

  it('shows no more reads of holdings than a minute asks for, the resolution at the end included', async () => {
    for (const { requests } of (await firstRun()).analyses)
      expect(requests.byKind['read-holdings']).toBeLessThan(20);
  });

  it('is the same bytes when it is run again', async () => {
    const [one, again] = [await firstRun(), await analysed(scratchFolder())].map(({ report }) =>
      dirname(report!),
    );
    for (const name of ['report.json', 'report.html', 'report-groups.csv', 'report-fills.csv', PARQUET])
      expect(readFileSync(join(again!, name)).equals(readFileSync(join(one!, name)))).toBe(true);
  });

  it('leaves the run as it is without one', async () => {
    const result = await firstRun();
    const alone = await runBacktest(loadBotSettings(CONFIG, {}));
    expect(alone.scenarios).toEqual(result.scenarios);
    expect(alone.analyses).toEqual([]);
  });
});

describe('the row of a backtest in the catalogue', () => {
  it('has the fills that the screen shows, though a bot with a slow feed hears of two at once', async () => {
    const stateDir = join(scratchFolder(), 'state');
    const { book, trade } = linesOfMarket(3001);
    const file = recordingOf([
      book(0, [[0.5, 10]], [[0.6, 10]]),
      book(9_600, [[0.48, 10]], [[0.58, 10]]),
      trade(9_700, 0.5, 12, 'ask'),
      trade(9_701, 0.5, 8, 'ask'),
      book(20_000, [[0.5, 10]], [[0.6, 10]]),
    ]);
    const set = [
      `stateDir=${stateDir}`,
      `backtest.recordings=[${dirname(file)}]`,
      'backtest.latency={feedMs: 500, requestMs: 5, responseMs: 5}',
    ];
    const { text } = await ran(() => backtestConfiguration(CONFIG, { set, json: true, threads: 1 }));
    const { scenarios } = JSON.parse(text) as { readonly scenarios: readonly { readonly fills: number }[] };
    const { rows } = await readCatalogue(stateDir);
    expect(scenarios.map(({ fills }) => fills)).toEqual([2, 2, 2]);
    expect(rows.map(({ fills }) => fills)).toEqual([2, 2, 2]);
    expect(rows[0]!.recordings).toBe('recording.ndjson');
  });
});

describe('the backtest of each recording', () => {
  it('counts a recording once that is named twice, on the day on which it begins', async () => {
    const { book } = linesOfMarket(3001);
    // Half a second before and after midnight.
    const file = recordingOf(
      [43_199_500, 43_200_500].map((t, place) => book(t, [[0.5, 10 + place]], [[0.6, 10]])),
    );
    const copy = join(scratchFolder(), 'copy.ndjson');
    copyFileSync(file, copy);
    const loaded = loadBotSettings(RECORDINGS, {});
    const told: string[] = [];
    const rows: RecordingResult[] = [];
    for await (const row of backtestEach(loaded, [file, file, copy], undefined, undefined, (text) =>
      told.push(text),
    ))
      rows.push(row);
    expect(rows).toHaveLength(2);
    expect(told).toEqual([
      expect.stringMatching(/recording: the same recording as .*; it counts once$/),
      expect.stringMatching(/copy: the same recording as .*recording; it counts once$/),
    ]);
    expect(rows[0]!.day).toBe('2026-01-05');
  });

  it('says of each remark which instance it is about', async () => {
    const { book } = linesOfMarket(3001);
    const file = recordingOf([book(0, [[0.5, 10]], [[0.6, 10]]), book(1_000, [[0.5, 9]], [[0.6, 10]])]);
    const told: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
    const given = { set: ['report.write=false'], json: true, threads: 1, each: [file] };
    await ran(() => backtestConfiguration(RECORDINGS, given)).finally(() => write.mockRestore());
    for (const instance of ['fixed-spread', 'inventory-skew'])
      expect(told.join('')).toContain(`/recording, ${instance}: no trades are recorded`);
  });

  it('enters the catalogue, unless nothing is written', async () => {
    const stateDir = join(scratchFolder(), 'state');
    const { book } = linesOfMarket(3001);
    const file = recordingOf([book(0, [[0.5, 10]], [[0.6, 10]]), book(1_000, [[0.5, 9]], [[0.6, 10]])]);
    const each = (...set: string[]) =>
      ran(() =>
        backtestConfiguration(RECORDINGS, {
          set: [`stateDir=${stateDir}`, ...set],
          json: true,
          threads: 1,
          each: [file],
        }),
      );
    expect((await each('report.write=false')).code).toBe(0);
    expect(existsSync(stateDir)).toBe(false);
    const { code, text } = await each();
    expect(code).toBe(0);
    const runs = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly runId: string });
    const { rows } = await readCatalogue(stateDir);
    expect(rows.filter(({ headline }) => headline === 1)).toMatchObject(
      runs.map(({ runId }) => ({
        run: runId,
        kind: 'backtest',
        scenario: 'pessimistic',
        recordings: 'recording.ndjson',
      })),
    );
    expect(rows).toHaveLength(3 * runs.length);
  });
});
