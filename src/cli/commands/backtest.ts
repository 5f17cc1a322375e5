import { type BacktestResult, runBacktest } from '../../runs/backtest/run-backtest.js';
import type { RecordedScope } from '../../runs/backtest/recorded-scope.js';
import type { ScenarioTotals } from '../../runs/backtest/scenario-totals.js';
import { runsFolder } from '../../ops/state/run-folders.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { backtestEachRecording, type EachArguments } from './backtest-each.js';
import { guardLines, stoppedBy } from '../../report/guard-lines.js';
import { interruptible } from '../interruptible.js';
import { durationText } from '../screen/format.js';
import { ProgressBar } from '../screen/progress-bar.js';

export interface BacktestArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  readonly out?: string;
  readonly threads: number;
  readonly each?: EachArguments['each'];
}

/** `oddsmith backtest`: the bot of a configuration file on recordings, under three scenarios. */
export async function backtestConfiguration(file: string, given: BacktestArguments): Promise<ExitCode> {
  if (given.each !== undefined) return backtestEachRecording(file, { ...given, each: given.each });
  const { settings, source } = loadKeylessSettings(file, process.env, given.set);
  const out = given.out ?? (settings.report.write ? runsFolder(settings.stateDir) : undefined);
  const bar = new ProgressBar(process.stderr, 'backtest');
  const result = await interruptible('nothing of this backtest is written', (stop) =>
    runBacktest({
      settings,
      source,
      threads: given.threads,
      ...(out === undefined ? {} : { out }),
      onProgress: (done, all) => bar.show(done, all),
      stop,
    }).finally(() => bar.close()),
  );
  const { runId, scenarios, headline, scope, faults, refusals, ends, guarded, report, stage } = result;
  const { notes } = stage;
  const text = given.json
    ? JSON.stringify({
        runId,
        headline: headline.scenario,
        scope,
        scenarios,
        faults,
        refusals,
        ends,
        guarded,
        notes,
        report,
      })
    : [
        headlineOf(result),
        scopeOf(scope),
        '',
        table(scenarios),
        ...apart([...faults, ...guardLines(guarded), ...ends, ...refusals, ...notes]),
        ...apart(report === null ? [] : [`report  ${report}`]),
      ].join('\n');
  process.stdout.write(`${text}\n`);
  return faults.length === 0 ? EXIT.clean : EXIT.internal;
}

function headlineOf({ runId, headline, faults, guarded }: BacktestResult): string {
  const { profit, scenario } = headline;
  const guards = [...new Set(guarded.flatMap(({ guards: found }) => stoppedBy(found?.stops ?? [])))];
  const reasons = [
    ...(faults.length === 0 ? [] : ['a strategy was stopped']),
    ...(guards.length === 0 ? [] : [`guards stepped in: ${guards.join(', ')}`]),
  ];
  const stopped =
    reasons.length === 0 ? '' : `; not what it would have come to, for ${reasons.join(', and ')}`;
  return `run ${runId}: ${profit.toFixed(2)}, the least of three scenarios (${scenario})${stopped}`;
}

/** What the figures rest on, in a line: it tells a quiet recording from a strategy that does nothing. */
function scopeOf({ seconds, markets, books, trades, currency, quotedShare }: RecordedScope): string {
  const counts = [many(markets, 'market'), many(books, 'book'), many(trades, 'trade')].join(', ');
  const quoted = quotedShare === null ? '' : `; quoted ${(100 * quotedShare).toFixed(0)} % of the time`;
  return `${durationText(1_000 * seconds)} of ${counts}${quoted}; figures in ${currency}`;
}

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Lines with an empty one before them, if there are any. */
const apart = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

function table(scenarios: readonly ScenarioTotals[]): string {
  const rows = scenarios.map(({ scenario, profit, fills, shares, fees }) =>
    [
      scenario.padEnd(12),
      profit.toFixed(2).padStart(12),
      String(fills).padStart(8),
      shares.toFixed(2).padStart(14),
      fees.toFixed(2).padStart(10),
    ].join(''),
  );
  const head = `${'scenario'.padEnd(12)}${'profit'.padStart(12)}${'fills'.padStart(8)}${'shares'.padStart(14)}${'fees'.padStart(10)}`;
  return [head, ...rows].join('\n');
}
