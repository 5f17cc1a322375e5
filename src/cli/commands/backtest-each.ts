import { backtestEach, type RecordingResult, recordingsIn } from '../../runs/backtest/each-recording.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { guardLines } from '../../report/guard-lines.js';
import { loadKeylessSettings } from '../../settings/index.js';
import { interruptible } from '../interruptible.js';
import { JSON_LINES, MARKDOWN, terminalTable } from './each-table.js';

export interface EachArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  /** Recordings and folders of them, each to be traded on by itself. */
  readonly each: readonly string[];
}

/** For a terminal that does not tell. */
const COLUMNS = 80;

/**
 * `oddsmith backtest --each`: a table of every instance on every recording, each row as soon as it is known: Markdown, or
 * aligned and no wider than a terminal where it goes to one. What there is to say of a row comes below it on standard error,
 * and below the table where both are one terminal.
 */
export async function backtestEachRecording(
  file: string,
  { set, json, each }: EachArguments,
): Promise<ExitCode> {
  const loaded = loadKeylessSettings(file, process.env, set);
  const recordings = recordingsIn(each);
  const isSeen = process.stdout.isTTY && !json;
  const columns = process.stdout.columns > 0 ? process.stdout.columns : COLUMNS;
  const onTerminal = (): typeof MARKDOWN => terminalTable(recordings, loaded.settings.instances, columns);
  const table = json ? JSON_LINES : isSeen ? onTerminal() : MARKDOWN;
  const held: string[] = [];
  let code: ExitCode = EXIT.clean;
  table.head.forEach(print);
  try {
    await interruptible(
      'the rows above are whole, the others are missing; nothing is written',
      async (stop) => {
        for await (const row of backtestEach(loaded, recordings, stop)) {
          print(table.row(row));
          if (isSeen) held.push(...remarksOf(row));
          else remarksOf(row).forEach(remark);
          if (row.result.faults.length > 0) code = EXIT.internal;
        }
      },
    );
  } finally {
    table.foot.forEach(print);
    if (held.length > 0) remark('');
    held.forEach(remark);
  }
  return code;
}

/** What a single backtest has below its table. */
function remarksOf({ recording, result }: RecordingResult): readonly string[] {
  const { faults, guarded, ends, refusals, stage } = result;
  return [...faults, ...guardLines(guarded), ...ends, ...refusals, ...stage.notes].map(
    (text) => `${recording}: ${text}`,
  );
}

const remark = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
