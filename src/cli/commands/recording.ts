/** `oddsmith recording import` and `inspect`: raw recordings of venues. */
import { basename, join } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import {
  COUNTED,
  exportHftbacktest,
  type Counted,
  type FileFacts,
  type ImportOptions,
  type ImportReport,
  type ImportRequest,
  importRaw,
  inspectRaw,
  readableRecordings,
  USUAL_OPTIONS,
  type VenueName,
} from '../../recordings/index.js';
import { DEFAULT_STATE_DIR } from '../../settings/bot-schema.js';
import type { Instant } from '../../settings/scalars.js';
import { print, printJson, remark } from '../output.js';
import { durationText } from '../screen/format.js';
import { ReadingProgress } from '../screen/progress.js';
import { interruptible } from '../signals.js';

export interface RawArguments {
  readonly from: VenueName | 'auto';
  readonly market: readonly string[];
  readonly event: readonly string[];
  readonly fromTime?: Instant;
  readonly toTime?: Instant;
  readonly levels: number;
  /** A price. */
  readonly grid?: number;
  readonly names: readonly string[];
  readonly resolution: readonly string[];
  /** `--no-prices`; true when it is left out. */
  readonly prices: 'no' | 'yes' | true;
  readonly token: readonly string[];
  readonly offBook: boolean;
  readonly gaps: 'ignore' | 'close';
  readonly json: boolean;
}

export interface ImportArguments extends RawArguments {
  readonly out: string;
}

/** Raw recordings as neutral files. */
export async function importRecording(paths: readonly string[], given: ImportArguments): Promise<ExitCode> {
  const { out, json } = given;
  const report = await watched('importing', `nothing is written to ${out}`, (watching) =>
    importRaw(requestOf(paths, given), out, watching),
  );
  const { files, session, notes, imported } = report;
  if (json) printJson({ ...plain(report), imported });
  else {
    print(...fileLines(files), ...countLines(session.counts, session.unknown));
    for (const { file, markets, books, trades } of imported.files)
      print(`${join(out, file)}  ${markets} markets, ${figure(books)} books, ${figure(trades)} trades`);
  }
  remark(...notes, ...imported.empty.map((name) => `${name}: there is no book, so there is no file of it`));
  return EXIT.clean;
}

/** What is in raw recordings. Ends with 2 when an import would refuse something. */
export async function inspectRecording(paths: readonly string[], given: RawArguments): Promise<ExitCode> {
  const report = await watched('reading', 'nothing is said of the files', (watching) =>
    inspectRaw(requestOf(paths, given), watching),
  );
  const { files, session, notes } = report;
  const isRefused =
    files.some(({ refused }) => refused !== null) ||
    [...session.events.values()].some(({ refusal }) => refusal !== null);
  if (given.json) printJson(plain(report));
  else {
    print(...fileLines(files));
    for (const [venue, form] of Object.entries(report.forms)) print(`${venue}: ${form}`);
    for (const { name, markets, longestSilence } of session.events.values())
      print(
        `${name}  ${markets.length} markets, ${figure(sumOf(markets, 'books'))} books, ` +
          `${figure(sumOf(markets, 'trades'))} trades, longest silence ${durationText(longestSilence)}`,
      );
    print(...countLines(session.counts, session.unknown));
  }
  remark(...notes);
  return isRefused ? EXIT.usage : EXIT.clean;
}

export interface ExportArguments {
  readonly to: 'hftbacktest';
  readonly out: string;
  /** Milliseconds. */
  readonly latency: number;
}

/** Recordings in the form of another program, a file for each market. */
export async function exportRecording(
  files: readonly string[],
  { out, latency }: ExportArguments,
): Promise<ExitCode> {
  for (const file of await readableRecordings(files, DEFAULT_STATE_DIR))
    for (const { file: path, events } of await exportHftbacktest(file, out, latency))
      print(`${path}  ${figure(events)} events`);
  return EXIT.clean;
}

type Watching = NonNullable<Parameters<typeof importRaw>[2]>;

async function watched<Result>(
  what: string,
  kept: string,
  work: (watching: Watching) => Promise<Result>,
): Promise<Result> {
  let progress: ReadingProgress | null = null;
  return interruptible(kept, (stop) =>
    work({
      onSize: (bytes) => (progress = new ReadingProgress(what, bytes)),
      onRead: (bytes) => {
        stop.throwIfAborted();
        progress?.onRead(bytes);
      },
    }),
  ).finally(() => progress?.done());
}

function requestOf(paths: readonly string[], given: RawArguments): ImportRequest {
  const { grid, levels, prices, market, event, token, offBook, gaps } = given;
  const [from, to] = [timeOf(given.fromTime), timeOf(given.toTime)];
  if (from !== null && to !== null && to <= from)
    throw new UsageError(`--to-time ${instant(to)} is not after --from-time ${instant(from)}`);
  const options: ImportOptions = {
    ...USUAL_OPTIONS,
    markets: market,
    events: event,
    from,
    to,
    levels,
    grid: grid === undefined ? null : gridOf(grid),
    noPrices: prices === 'yes' ? 'yes' : 'no',
    tokens: token,
    offBook,
    gaps,
  };
  return { paths, from: given.from, options, names: given.names, resolutions: given.resolution };
}

function timeOf(instant: Instant | undefined): number | null {
  if (instant === undefined) return null;
  if ('at' in instant) return instant.at / 1_000;
  throw new UsageError('--from-time and --to-time take an instant such as 2026-07-01T14:22:33Z');
}

const GRIDS = [0.01, 0.001, 0.0001, 0.00001];

function gridOf(price: number): number {
  if (!GRIDS.includes(price)) throw new UsageError(`--grid ${price}: expected one of ${GRIDS.join(', ')}`);
  return Math.round(price * 100_000);
}

const figure = (value: number): string => value.toLocaleString('en-US');
const sumOf = <Name extends string>(list: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  list.reduce((sum, one) => sum + one[name], 0);
const instant = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString());

const fileLines = (files: readonly FileFacts[]): readonly string[] =>
  files.map(({ file, venue, lines, frames, first, last, seconds, refused }) =>
    refused === null
      ? `${basename(file)}  ${venue}, ${figure(lines)} lines, ${figure(frames)} frames, ${instant(first)} to ${instant(last)}, ` +
        `${seconds.toFixed(2)} s, ${figure(Math.round(lines / Math.max(seconds, 0.001)))} lines/s`
      : `${basename(file)}  refused: ${refused}`,
  );

const countLines = (
  counts: Partial<Record<Counted, number>>,
  unknown: Readonly<Record<string, number>>,
): readonly string[] => [
  ...Object.entries(counts).map(([name, count]) => `${figure(count)} ${COUNTED[name as Counted]}`),
  ...Object.entries(unknown).map(([kind, count]) => `  of kind ${kind}: ${figure(count)}`),
];

/** For `--json`. */
const plain = ({ files, session, forms, notes }: ImportReport) => ({
  files,
  forms,
  counts: session.counts,
  unknown: session.unknown,
  events: [...session.events.values()].map(({ name, about, markets, longestSilence, latest }) => ({
    name,
    venue: about.venue,
    markets: markets.length,
    books: sumOf(markets, 'books'),
    trades: sumOf(markets, 'trades'),
    longestSilence,
    latest,
  })),
  notes,
});
