import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openRecordings, runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { SCENARIOS } from '../../src/settings/index.js';
import { runJob } from '../../src/runs/sweep/job.js';
import { piecesOf, settingsFor } from '../../src/runs/sweep/pieces.js';
import { runSweep, type SweepOptions } from '../../src/runs/sweep/run-sweep.js';
import { sweepConfiguration } from '../../src/cli/commands/sweep.js';
import type { SweepReport } from '../../src/report/sweep-report.js';
import { planSweep } from '../../src/runs/sweep/plan.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { answerOf } from '../../src/runs/threads.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { BOOKS, ran } from '../support/screen/told-command.js';

const FILE = join(ROOT, 'config', 'sweep.yaml');
/** Two configurations on two windows, and the file as it is: which is one of the two. */
const SMALL = ['sweep.parameters={ instances.rain.params.halfSpread: ["0.02", "0.03"] }', 'sweep.windows=2'];

const sweep = (out: string, others: Partial<SweepOptions> = {}) =>
  runSweep({ file: FILE, environment: {}, overrides: SMALL, out, ...others });

async function allRows(file: string): Promise<readonly Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = (await connection.runAndReadAll(`SELECT * FROM '${file}'`)).getRowObjectsJson();
  connection.closeSync();
  return rows;
}

describe('a sweep', () => {
  it('gives the same bytes after a kill, and runs only what was not finished', async () => {
    const [whole, killed] = [scratchFolder(), scratchFolder()];
    const plans: (readonly [number, number])[] = [];
    const onPlan = (jobs: number, before: number) => void plans.push([jobs, before]);
    const first = await sweep(whole, { onPlan });
    const lines = readFileSync(join(whole, 'jobs.ndjson'), 'utf8').split('\n');
    writeFileSync(join(killed, 'jobs.ndjson'), `${lines[0]}\n${lines[1]!.slice(0, 40)}`);
    const second = await sweep(killed, { onPlan });
    expect(plans).toEqual([
      [4, 0],
      [4, 1],
    ]);
    expect(readFileSync(second.file)).toEqual(readFileSync(first.file));
    expect(readFileSync(join(killed, 'jobs.ndjson'), 'utf8').split('\n').toSorted()).toEqual(
      lines.toSorted(),
    );
  });

  it('refuses options of a screen where it screens nothing', async () => {
    for (const option of [{ confirm: 3 }, { explainDifferences: true }])
      expect(
        await ran(() => sweepConfiguration(FILE, { set: SMALL, json: true, threads: 1, ...option })),
      ).toEqual({
        code: 2,
        text: expect.stringContaining('need --screen: add it, or leave them out') as string,
      });
  });

  it('keeps its results where the state of the file is, unless another folder is named', async () => {
    const stateDir = scratchFolder();
    const overrides = [...SMALL, `stateDir=${stateDir}`];
    const { file } = await runSweep({ file: FILE, environment: {}, overrides });
    expect(dirname(file)).toBe(join(stateDir, 'sweeps'));
    expect(readdirSync(stateDir)).toEqual(['sweeps']);
  });

  it.each(['in order', 'the later one first'])(
    'on a market that two files tell of, one after the other, is one on a file of both: named %s',
    async (order) => {
      const lines = gunzipSync(readFileSync(join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz')));
      const texts = lines.toString().trim().split('\n');
      const times = texts.map((text) => (JSON.parse(text) as { readonly t: number }).t);
      const until = times[Math.floor(times.length * 0.7)]!;
      const parts = [
        recordingOf(texts.filter((_, at) => times[at]! < until)),
        recordingOf(
          texts.filter((_, at) => times[at]! >= until),
          'later.ndjson',
        ),
      ];
      const on = async (files: readonly string[], windows: number) => {
        const overrides = [
          ...SMALL,
          `sweep.windows=${windows}`,
          `backtest.recordings=${JSON.stringify(files)}`,
        ];
        return (await sweep(scratchFolder(), { overrides })).result;
      };
      const inParts = await on(order === 'in order' ? parts : parts.toReversed(), 5);
      const whole = await on([recordingOf(texts)], 5);
      expect(inParts.candidates).toEqual(whole.candidates);
    },
  );

  it('says what is strange of its recordings, once', async () => {
    const { trade, book } = linesOfMarket(3001);
    const moment = [trade(9_000, 0.5, 1, 'ask'), book(9_000, [[0.5, 1]], [[0.7, 1]])];
    const file = recordingOf([...BOOKS, ...moment, ...moment]);
    const news: string[] = [];
    const overrides = [...SMALL, `backtest.recordings=${JSON.stringify([file])}`];
    await sweep(scratchFolder(), { overrides, onNews: (text) => void news.push(text) });
    expect(news).toEqual([expect.stringMatching(/^recording\.ndjson: 1 trades appear again at their time/)]);
  });

  it('on two files of a market at one time is refused before anything is traded', async () => {
    const files = [recordingOf(BOOKS.slice(0, 21)), recordingOf(BOOKS.slice(20), 'later.ndjson')];
    const overrides = [...SMALL, `backtest.recordings=${JSON.stringify(files)}`];
    await expect(planSweep({ file: FILE, environment: {}, overrides })).rejects.toThrow(
      /later\.ndjson:1: market 3001 is also in .*recording\.ndjson at the same time; /,
    );
  });

  it('says which strategies failed, with what, and ranks those configurations last', async () => {
    const folder = scratchFolder();
    const strategy = join(folder, 'fails.js');
    writeFileSync(
      strategy,
      `import { param } from 'oddsmith/sdk';
      export default {
        name: 'fails',
        params: { halfSpread: param.probability({ default: 0.02, help: 'more than 0.025 fails' }) },
        quote: ({ params }) => {
          if (params.halfSpread > 0.025) throw new Error('boom');
          return { bids: [{ price: 0.4, shares: 10, reason: [] }], asks: [] };
        },
      };\n`,
    );
    const overrides = [
      ...SMALL,
      `instances.rain.strategy=${strategy}`,
      'instances.rain.params={ halfSpread: "0.02" }',
    ];
    const { result } = await sweep(folder, { overrides });
    expect(result.faults).toMatchObject([
      { text: expect.stringMatching(/rain was stopped: .*boom/), backtests: 2 },
    ]);
    expect(result.ranking.map(({ candidate, timesChosen }) => [candidate, timesChosen])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(result.ranking[1]!.stoppedBy).toEqual([{ rule: 'strategy-fault', pieces: 2 }]);
  });

  it('chooses nothing where every configuration failed, and says so and with what in every form of the result', async () => {
    const folder = scratchFolder();
    const strategy = join(folder, 'fails.js');
    writeFileSync(
      strategy,
      `export default { name: 'fails', params: {}, quote: () => { throw new Error('boom </script><b>'); } };\n`,
    );
    const set = [
      'sweep.parameters={ quoting.minRestMs: [100, 200] }',
      'sweep.windows=2',
      `instances.rain.strategy=${strategy}`,
      'instances.rain.params={}',
      `stateDir=${folder}`,
    ];
    const given = { set, json: false, out: folder, threads: 1 };
    const told = await ran(() => sweepConfiguration(FILE, given));
    expect(told.code).toBe(1);
    const remark = 'nothing was chosen in any test: every configuration failed in training';
    expect(told.text).toContain(`chosen by training: none out of sample; the file as it is: none`);
    expect(told.text).toContain(remark);
    expect(told.text).toContain('boom');
    const [page, json, parquet] = ['.html', '.json', '.parquet'].map((ending) =>
      join(
        folder,
        readdirSync(folder).find((name) => name.endsWith(ending))!,
      ),
    );
    const result = JSON.parse(readFileSync(json!, 'utf8')) as SweepReport;
    expect(result.folds).toMatchObject([{ chosen: null, trainProfit: null, testProfit: null }]);
    expect(result).toMatchObject({
      remarks: [remark],
      outOfSample: { profit: null, base: null, events: [] },
    });
    expect(result.candidates[0]!.faults[0]![0]![0]).toMatch(/rain was stopped: .*boom/);
    expect(readFileSync(page!, 'utf8')).not.toContain('boom </script>');
    const rows = await allRows(parquet!);
    expect(rows.map(({ piece, chosen }) => [Number(piece), chosen])).toEqual(
      rows.map(({ piece }) => [Number(piece), Number(piece) === 0 ? null : '0']),
    );
    for (const row of rows) expect(row['faults']).toMatch(/rain was stopped: .*boom/);
  });

  it('takes an end without proof that nothing is left standing for a failure, in every form of the result', async () => {
    const folder = scratchFolder();
    // Longer than a request waits: whatever is asked, no answer comes.
    const set = [
      'sweep.parameters={ backtest.latency.responseMs: [60000, 61000] }',
      'sweep.windows=2',
      `stateDir=${folder}`,
    ];
    const told = await ran(() => sweepConfiguration(FILE, { set, json: false, out: folder, threads: 1 }));
    expect(told.code).toBe(1);
    const fault = 'the run did not end clean: orders-may-remain';
    expect(told.text).toContain(`${fault} (in 4 backtests)`);
    expect(told.text).toContain('every configuration failed in training');
    expect(told.text).toMatch(/orders-may-remain \(2 of 2\) +60000/);
    const [page, json, parquet] = ['.html', '.json', '.parquet'].map((ending) =>
      join(
        folder,
        readdirSync(folder).find((name) => name.endsWith(ending))!,
      ),
    );
    const result = JSON.parse(readFileSync(json!, 'utf8')) as SweepReport;
    expect(result.folds).toMatchObject([{ chosen: null }]);
    expect(result.faults).toEqual([{ text: fault, backtests: 4 }]);
    expect(result.ranking[0]!.stoppedBy).toEqual([{ rule: 'orders-may-remain', pieces: 2 }]);
    expect(result.outOfSample.baseStoppedBy).toEqual([]);
    expect(readFileSync(page!, 'utf8')).toContain(fault);
    for (const row of await allRows(parquet!))
      expect(row).toMatchObject({ faults: fault, stopped_by: 'orders-may-remain' });
  });

  it('says so where what training chose failed in its test, and judges it by what it came to', async () => {
    const folder = scratchFolder();
    const strategy = join(folder, 'later.js');
    const parameters = 'sweep.parameters={ quoting.minRestMs: [100, 200] }';
    const plan = await planSweep({ file: FILE, environment: {}, overrides: [...SMALL, parameters] });
    writeFileSync(
      strategy,
      `export default { name: 'later', params: {}, quote: ({ nowMs }) => {
        if (nowMs > ${plan.pieces[1]!.from / 1_000 + 60_000}) throw new Error('boom');
        return { bids: [{ price: 0.4, shares: 10, reason: [] }], asks: [] };
      } };\n`,
    );
    const own = [`instances.rain.strategy=${strategy}`, 'instances.rain.params={}'];
    const { result } = await sweep(folder, { overrides: [...SMALL, parameters, ...own] });
    expect(result.folds).toMatchObject([{ chosen: 0 }]);
    expect(result.remarks).toEqual(['what training chose failed in 1 of its 1 tests']);
  });

  it('files nothing under a key that was made of another strategy than what ran', async () => {
    const plan = await planSweep({ file: FILE, environment: {}, overrides: SMALL });
    const job = plan.jobs[0]![0]!;
    const { recordings } = plan.traded[job.piece]!;
    await expect(runJob(job, FILE, recordings)).resolves.toMatchObject({ key: job.key });
    await expect(runJob({ ...job, strategies: ['0'.repeat(64)] }, FILE, recordings)).rejects.toThrow(
      /the strategy file .*fixed-spread.* changed while the sweep ran; run the sweep again/,
    );
    const answer = await answerOf(runJob({ ...job, strategies: ['0'.repeat(64)] }, FILE, recordings));
    expect(answer).toMatchObject({ ok: false, isUsage: true, isStale: true });
  });

  it('knows whether a job failed because this process has loaded what a strategy was, which another may do', async () => {
    const strategy = join(scratchFolder(), 'own.js');
    const text = `export default { name: 'own', params: {}, quote: () => ({ bids: [], asks: [] }) };\n`;
    const overrides = [...SMALL.slice(1), `instances.rain.strategy=${strategy}`, 'instances.rain.params={}'];
    const tried = ['sweep.parameters={ quoting.minRestMs: [100, 200] }'];
    writeFileSync(strategy, text);
    const given = { file: FILE, environment: {}, overrides: [...overrides, ...tried] };
    const { jobs, traded } = await planSweep(given);
    const job = jobs[0]![0]!;
    const { recordings } = traded[job.piece]!;
    expect(await answerOf(runJob(job, FILE, recordings))).toMatchObject({ ok: true });
    writeFileSync(strategy, `// edited\n${text}`);
    expect(await answerOf(runJob(job, FILE, recordings))).toMatchObject({
      ok: false,
      isUsage: true,
      isStale: true,
    });
  });

  it('states what was tried, tests on what came later, and concludes nothing from one event', async () => {
    const { result } = await sweep(scratchFolder());
    expect(result).toMatchObject({ tried: 2, parameters: ['instances.rain.params.halfSpread'] });
    expect(result.candidates.map(({ values }) => values)).toEqual([['0.02'], ['0.03']]);
    expect(result.folds).toMatchObject([{ train: [0], test: [1] }]);
    const [fold] = result.folds;
    const tested = result.candidates[fold!.chosen!]!.profits[1]!;
    expect(result.outOfSample.profit).toBe(Math.min(...tested));
    expect(result.outOfSample.base).toBe(Math.min(...result.candidates[0]!.profits[1]!));
    expect(result.outOfSample.judgement).toMatchObject({ verdict: 'no conclusion', independentEvents: 1 });
    expect(result.outOfSample.judgement.text).toContain('2 configurations tried');
  });

  it('ends when it is stopped, while it reads as well as while it trades, and keeps what is finished', async () => {
    const stopped = (change: (stop: AbortController) => Partial<SweepOptions>): Promise<unknown> => {
      const stop = new AbortController();
      return sweep(scratchFolder(), { stop: stop.signal, ...change(stop) });
    };
    const reading = stopped((stop) => {
      setImmediate(() => stop.abort());
      return {};
    });
    await expect(reading).rejects.toThrow('interrupted before anything was traded');
    const trading = stopped((stop) => ({ onPlan: () => stop.abort() }));
    await expect(trading).rejects.toThrow(/^interrupted: 0 of 4 backtests are finished and kept in /);
    const later = stopped((stop) => ({ onProgress: () => stop.abort() }));
    await expect(later).rejects.toThrow(/^interrupted: 1 of 4 backtests are finished and kept in /);
  });

  it('says before it trades what is wrong with any configuration', async () => {
    const wrong = (override: string) => sweep(scratchFolder(), { overrides: [...SMALL, override] });
    await expect(wrong('sweep.parameters={ instances.rain.params.halfSpread: [0.02, 7] }')).rejects.toThrow(
      /halfSpread/,
    );
    await expect(wrong('sweep.parameters={ instances.nobody.params.shares: [1] }')).rejects.toThrow(
      /has no item nobody/,
    );
    await expect(wrong('sweep.windows=1')).rejects.toThrow(/set sweep\.windows to 2/);
    await expect(wrong('sweep.objective=sharpe')).rejects.toThrow(/no test has two pieces to train on/);
    await expect(wrong('sweep.objective=certainty-equivalent')).rejects.toThrow(/needs a risk aversion/);
    await expect(wrong('sweep.splits=leave-one-event-out')).rejects.toThrow(/at least two events/);
    await expect(wrong('sweep.parameters={ seed: { from: 1, to: 3 } }')).rejects.toThrow(/needs a step/);
    await expect(wrong('sweep.parameters={ seed: { from: 3, to: 1, step: 1 } }')).rejects.toThrow(/below to/);
    await expect(wrong('sweep.parameters={ currency: [OOM] }')).rejects.toThrow(/currency cannot be tried/);
    await expect(wrong('sweep=null')).rejects.toThrow(/needs the sections/);
  });

  it('writes every profit into Parquet, with the values it came from', async () => {
    const { result, file } = await sweep(scratchFolder());
    const rows = await allRows(file.replace('.json', '.parquet'));
    expect(rows).toHaveLength(2 * 2 * 3);
    for (const { candidate, piece, scenario, profit, ...row } of rows) {
      const { values, profits, fills } = result.candidates[Number(candidate)]!;
      const place = SCENARIOS.findIndex((name) => name === scenario);
      expect(Number(profit)).toBeCloseTo(profits[Number(piece)]![place]!, 6);
      expect(Number(row['fills'])).toBe(fills[Number(piece)]![place]);
      expect(row[result.parameters[0]!]).toBe(values[0]);
    }
  });

  it('trades a piece that spans everything as a backtest does', async () => {
    const { settings, source } = loadBotSettings(FILE, {});
    const [piece, ...others] = await piecesOf(await openRecordings(settings, source), 1);
    expect(others).toEqual([]);
    const { recordings } = piece!;
    const cut = await runBacktest({ settings: settingsFor(settings, piece!), source, recordings });
    const { scenarios } = await runBacktest({ settings, source });
    expect(cut.scenarios.map(({ profit, fills }) => [profit, fills])).toEqual(
      scenarios.map(({ profit, fills }) => [profit, fills]),
    );
  });
});
