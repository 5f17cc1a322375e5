/** `oddsmith report`, of backtests and of runs that left none. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunAnalysis } from '../../src/analytics/analysis.js';
import { reportOfRun } from '../../src/runs/run-report.js';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { type ReportArguments, rewriteReport } from '../../src/cli/commands/report.js';
import { fillNotesFile } from '../../src/report/fill-table.js';
import { readReport } from '../../src/report/report-files.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { recordedSession } from '../support/tape/recorded-session.js';
import { rewritten, withOtherSpread } from '../support/tape/rewritten-tape.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { expectRefusal, ran } from '../support/screen/told-command.js';

const PATIENCE_MS = 120_000;
const FILLS = ['report-fills.csv', 'report-fills.parquet'] as const;

const report = (folder: string, given: Partial<ReportArguments> = {}) =>
  ran(() => rewriteReport(folder, { tried: 2, ...given }));

/** Changes a file of JSON. */
function change(file: string, members: object): void {
  const found = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...found, ...members }));
}

/** The tape ends a moment before the process did, when nothing was quoted any more. */
const quotedSeconds = ({ total: { quoting } }: RunAnalysis): number =>
  (quoting.uptime ?? 0) * quoting.observedSeconds;

describe('the report of a backtest', () => {
  let out = '';
  const folders: string[] = [];
  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'reports-'));
    for (const halfSpread of ['0.02', '0.03']) {
      const set = [`instances.rain.params.halfSpread=${halfSpread}`];
      const loaded = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, set);
      folders.push(join(out, (await runBacktest({ ...loaded, out })).runId));
    }
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('is written anew, against another run or alone, to the same bytes', async () => {
    const [one, other] = folders as [string, string];
    const before = readFileSync(join(one, 'report.json'), 'utf8');
    const told = await report(one, { against: other, tried: 12 });
    expect(told.text).toMatch(
      /no conclusion: 1 independent events .*, 12 configurations tried; fewer than 30/,
    );
    const { comparison, scenarios } = readReport(one);
    const pairs = scenarios.map((run, place) => ({ run, base: readReport(other).scenarios[place]! }));
    const profitOf = (run: (typeof scenarios)[number]): number => run.events[0]!.profit.executable;
    const gap = ({ run, base }: (typeof pairs)[number]): number => Math.abs(profitOf(run) - profitOf(base));
    const { run, base } = pairs.reduce((near, one) => (gap(one) < gap(near) ? one : near));
    const [ours, theirs] = [profitOf(run), profitOf(base)];
    expect(told.text).toContain(`compared in the ${run.scenario} scenario, where the two are nearest`);
    expect(told.text).toContain(
      `${ours.toFixed(2)}, base ${base.runId} ${theirs.toFixed(2)}, difference ${(ours - theirs).toFixed(2)} OOM\n`,
    );
    expect(comparison?.pairs).toEqual([
      {
        eventId: '300',
        title: 'Rain tomorrow',
        cluster: '2026-01-05 recordings',
        base: theirs,
        other: ours,
      },
    ]);
    const back = await report(other, { against: one, tried: 12 });
    expect(back.text).toContain(`compared in the ${run.scenario} scenario`);
    expect(readReport(other).comparison!.meanDifference).toBe(0 - comparison!.meanDifference);
    await report(other);
    await report(one);
    expect(readFileSync(join(one, 'report.json'), 'utf8')).toBe(before);
  });

  it('claims nothing where the scenarios contradict each other, whichever of the two is asked for', async () => {
    const folder = scratchFolder();
    const gainOf: Record<string, number> = { pessimistic: -2, expected: 1, optimistic: 3 };
    const [base, other] = [0, 1].map((place) => {
      const copy = join(folder, `run-${place}`);
      cpSync(folders[place]!, copy, { recursive: true });
      const scenarios = readReport(copy).scenarios.map((run) => ({
        ...run,
        events: Array.from({ length: 30 }, (_, day) => ({
          ...run.events[0]!,
          id: String(day),
          day: `day ${day}`,
          profit: { ...run.events[0]!.profit, executable: day + place * gainOf[run.scenario]! },
        })),
      }));
      change(join(copy, 'report.json'), { scenarios });
      return copy;
    });
    const told = (await report(other!, { against: base! })).text;
    expect(told).toMatch(
      /no conclusion: the scenarios contradict each other, other is worse in pessimistic; other is better in expected, optimistic; 30 /,
    );
    expect(readReport(other!).comparison).toMatchObject({ verdict: 'no conclusion', interval: null });
    expect((await report(base!, { against: other! })).text).toMatch(
      /no conclusion: .* other is better in pessimistic; other is worse in expected, optimistic; 30 /,
    );
  });

  it('is not compared with one of another time', async () => {
    const [one, other] = folders as [string, string];
    const later = join(scratchFolder(), 'later');
    cpSync(other, later, { recursive: true });
    const { scenarios } = readReport(later);
    const moved = scenarios.map((run) => ({ ...run, startedAt: run.endedAt, endedAt: run.endedAt * 2 }));
    change(join(later, 'report.json'), { scenarios: moved });
    expectRefusal(await report(one, { against: later }), /have no event in common: .* overlap in time/);
  });

  it('is not compared with one on another recording of the same event', async () => {
    const [one, other] = folders as [string, string];
    const elsewhere = join(scratchFolder(), 'elsewhere');
    cpSync(other, elsewhere, { recursive: true });
    const { scenarios } = readReport(elsewhere);
    const recordings = ['0'.repeat(64)];
    change(join(elsewhere, 'report.json'), {
      scenarios: scenarios.map((run) => ({
        ...run,
        events: run.events.map((event) => ({ ...event, recordings })),
      })),
    });
    expectRefusal(
      await report(one, { against: elsewhere }),
      /have no event in common: .*left out: event 300: the recordings differ/,
    );
  });

  it('takes its own fills along into a folder where another one lies', async () => {
    const out = join(scratchFolder(), 'out');
    const bytesIn = (folder: string) =>
      FILLS.map((name) => existsSync(join(folder, name)) && readFileSync(join(folder, name), 'base64'));
    expect(bytesIn(folders[0]!)).not.toEqual(bytesIn(folders[1]!));
    for (const folder of folders) {
      await report(folder, { out });
      expect(bytesIn(out)).toEqual(bytesIn(folder));
    }
    const lacking = join(scratchFolder(), 'lacking');
    cpSync(folders[0]!, lacking, { recursive: true });
    rmSync(join(lacking, FILLS[1]));
    await report(lacking, { out });
    expect(bytesIn(out)).toEqual(bytesIn(lacking));
  });

  it('is refused in one sentence where nothing can be written, or no run is', async () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    expectRefusal(await report(folders[0]!, { out: join(file, 'x') }), /file cannot be written \(ENOTDIR\)/);
    const neither =
      /holds no report of a run, and no tape of one .*; expected the folder of a run, as oddsmith names/;
    expectRefusal(await report(scratchFolder()), neither);
    expectRefusal(await report(join(scratchFolder(), 'nowhere')), /nowhere: there is no such folder$/);
  });
});

describe('the report of a run that recorded itself', () => {
  let stateDir = '';
  let folder = '';
  beforeAll(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'reports-'));
    const isEnough = ({ counts }: { readonly counts: { readonly fills: number } }): boolean =>
      counts.fills > 4;
    ({ folder } = await recordedSession({ stateDir, runId: 'report-1', isEnough }));
  }, PATIENCE_MS);
  afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

  /** The folder as a process leaves it that is killed. */
  function killed(): string {
    const copy = join(scratchFolder(), 'run');
    cpSync(folder, copy, { recursive: true });
    for (const name of readdirSync(copy)) if (name.startsWith('report')) rmSync(join(copy, name));
    change(join(copy, 'run.json'), { outcome: null, endedAt: null, decisions: null });
    return copy;
  }

  async function newsOf(run: string): Promise<readonly string[]> {
    const news: string[] = [];
    await reportOfRun(run, (text) => void news.push(text), run);
    return news;
  }

  it('is made from its tape when it left none, and says the same', async () => {
    const copy = killed();
    const told = await report(copy);
    expect(told.code).toBe(0);
    expect(existsSync(join(copy, 'report.html'))).toBe(true);
    const [live, taped] = [readReport(folder), readReport(copy)];
    const [one, other] = [live.scenarios[0]!, taped.scenarios[0]!];
    for (const part of ['profit', 'fills', 'volume', 'drawdown'] as const)
      expect(other.total[part]).toEqual(one.total[part]);
    expect(other.requests.byKind).toEqual(one.requests.byKind);
    expect(one.requests.byKind).toMatchObject({ identify: 1, 'authorize-channel': 1 });
    expect(other.requests.peakPerMinute).toBe(one.requests.peakPerMinute);
    expect(other.total.sent).toEqual(one.total.sent);
    expect(quotedSeconds(other)).toBeCloseTo(quotedSeconds(one), 6);
    expect(other.total.fills.count).toBeGreaterThan(4);
    expect(taped.fills).toEqual(live.fills);
    expect(taped.fills!.rows).toHaveLength(taped.fills!.of);
    for (const name of FILLS)
      expect(readFileSync(join(copy, name)).equals(readFileSync(join(folder, name)))).toBe(true);
    expect(one.instances.map(({ name }) => name)).toEqual(['rain', 'cup']);
    expect(other.instances).toEqual(one.instances);
    expect(other.days).toEqual(one.days);
    expect(taped.facts.find(({ name }) => name === 'made from')?.value).toMatch(
      /^its tape, up to .*: the run was killed or still runs$/,
    );
  });

  it('is the one that it left, if it left one', async () => {
    const copy = join(scratchFolder(), 'run');
    cpSync(folder, copy, { recursive: true });
    await report(copy);
    expect(readReport(copy)).toEqual(readReport(folder));
  });

  it('is left as it is when a table of its fills was lost, which is made again', async () => {
    const copy = join(scratchFolder(), 'run');
    cpSync(folder, copy, { recursive: true });
    rmSync(join(copy, 'report-fills.parquet'));
    await report(copy);
    expect(readReport(copy)).toEqual(readReport(folder));
    for (const name of FILLS)
      expect(readFileSync(join(copy, name)).equals(readFileSync(join(folder, name)))).toBe(true);
  });

  it('leaves the notes of a run alone that still trades, and is made again once it has ended', async () => {
    const copy = killed();
    const notes = fillNotesFile(copy, readReport(folder).headline.scenario);
    writeFileSync(notes, 'noted by the bot');
    await report(copy);
    expect(readFileSync(notes, 'utf8')).toBe('noted by the bot');
    rmSync(notes);
    cpSync(join(folder, 'run.json'), join(copy, 'run.json'));
    await report(copy);
    const madeFrom = () => readReport(copy).facts.find(({ name }) => name === 'made from')?.value;
    expect(madeFrom()).toMatch(/^its tape, up to [^ ,]+$/);
    expect(readdirSync(copy).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect((await newsOf(copy)).join()).toBe('');
  });

  it('is read although a table of its fills was lost, when the engine decides otherwise today', async () => {
    const copy = join(scratchFolder(), 'run');
    cpSync(folder, copy, { recursive: true });
    rmSync(join(copy, FILLS[1]));
    await rewritten(folder, withOtherSpread, join(copy, 'tape', '000001.ndjson.gz'));
    expect((await newsOf(copy)).join()).toMatch(
      /a table of fills is missing and cannot be made; .* the engine decides otherwise/,
    );
    expect(readReport(copy)).toEqual(readReport(folder));
  });

  it('is refused when the engine decides otherwise today', async () => {
    const copy = killed();
    await rewritten(folder, withOtherSpread, join(copy, 'tape', '000001.ndjson.gz'));
    expectRefusal(await report(copy), /no report can be made from the tape: the engine decides otherwise/);
  });
});
