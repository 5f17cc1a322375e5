import { backtestEach, type RecordingResult, recordingsIn } from '../../app/backtest/each-recording.js';
import type { BacktestResult } from '../../app/backtest/run-backtest.js';
import { guardLines, stoppedBy } from '../../report/guard-lines.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { interruptible } from '../interruptible.js';

export interface EachArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  /** Recordings and folders of them, each to be traded on by itself. */
  readonly each: readonly string[];
}

/** Seconds after a fill; null: at the resolution. */
const MARK_OUTS = [1, 10, 60, 300, null] as const;
const HEAD = [
  'recording',
  'instance',
  'fills pess. / exp. / opt.',
  'profit pess. / exp. / opt.',
  'headline',
  'spread',
  'inventory',
  'resolution',
  'fees',
  ...MARK_OUTS.map((seconds) => `mark-out ${seconds === null ? 'end' : `${seconds} s`}`),
  'stopped by',
];

/** `oddsmith backtest --each`: a Markdown table of every instance on every recording; each row as soon as it is known. */
export async function backtestEachRecording(
  file: string,
  { set, json, each }: EachArguments,
): Promise<ExitCode> {
  const loaded = loadKeylessSettings(file, process.env, set);
  if (!json) [HEAD, HEAD.map(() => '---')].forEach(printRow);
  let code: ExitCode = EXIT.clean;
  await interruptible(
    'the rows above are whole, the others are missing; nothing is written',
    async (stop) => {
      for await (const row of backtestEach(loaded, recordingsIn(each), stop)) {
        tell(row, json);
        if (row.result.faults.length > 0) code = EXIT.internal;
      }
    },
  );
  return code;
}

function tell(row: RecordingResult, json: boolean): void {
  if (json) print(JSON.stringify(plainRow(row)));
  else printRow(cells(row));
  const { faults, guarded, ends, refusals, stage } = row.result;
  for (const line of [...faults, ...guardLines(guarded), ...ends, ...refusals, ...stage.notes])
    process.stderr.write(`${row.recording}: ${line}\n`);
}

function cells(row: RecordingResult): readonly string[] {
  const { recording, instance, fills, profits, headline, profit, markOuts } = plainRow(row);
  const { spread, inventory, resolution, fees, rebates } = profit;
  return [
    recording,
    instance,
    fills.join(' / '),
    profits.map((value) => value.toFixed(2)).join(' / '),
    headline,
    ...[spread, inventory, resolution, fees - rebates].map((value) => value.toFixed(2)),
    ...MARK_OUTS.map(
      (after) => markOuts.find(({ seconds }) => seconds === after)?.perShare?.toFixed(4) ?? '',
    ),
    stoppedIn(row.result).join(', '),
  ];
}

/** In any scenario. */
const stoppedIn = ({ guarded }: BacktestResult): readonly string[] => [
  ...new Set(guarded.flatMap(({ guards }) => stoppedBy(guards?.stops ?? []))),
];

function plainRow({ recording, instance, strategy, result, analysis }: RecordingResult) {
  const { runId, scenarios, headline, faults, ends, guarded, stage } = result;
  const { profit, markOuts } = analysis.total;
  return {
    recording,
    instance,
    strategy,
    runId,
    fills: scenarios.map(({ fills }) => fills),
    profits: scenarios.map((one) => one.profit),
    headline: headline.scenario,
    profit,
    markOuts,
    faults,
    ends,
    guarded,
    notes: stage.notes,
  };
}

const printRow = (row: readonly string[]): void => print(`| ${row.join(' | ')} |`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
