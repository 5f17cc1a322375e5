/** `oddsmith tape cut`, `merge`, `import` and `export`: tapes from tapes. */
import { join } from 'node:path';
import { notesBeside } from '../../runs/backtest/recording-notes.js';
import { programIdentity } from '../../runs/program.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { marketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import {
  cutTape,
  exportParquet,
  importNeutral,
  mergeTapes,
  type NamedMarket,
  TapeReader,
  surveyTape,
  TapeError,
  type TapeSurvey,
  describePlace,
  type SilentTime,
} from '../../storage/index.js';
import type { Instant } from '../../settings/scalars.js';
import { interruptible } from '../signals.js';
import { ReadingProgress } from '../screen/progress.js';
import { column, durationText } from '../screen/format.js';
import { print, printJson } from '../output.js';

type OnRead = (bytes: number) => void;

export interface OutArgument {
  readonly out: string;
}

export interface CutArguments extends OutArgument {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly market: readonly number[];
}

/** A part of a tape. */
export async function cutToPart(path: string, { out, from, to, market }: CutArguments): Promise<ExitCode> {
  const begins = await beginningOf(path);
  const options = {
    from: micros(from, begins),
    to: micros(to, begins),
    markets: market.map(marketId),
  };
  const cut = await watched('cutting', [path], out, (onRead) => cutTape(path, out, { ...options, onRead }));
  if (cut.lines === 0) throw new UsageError('nothing of the tape lies in that part');
  print(`${cut.lines} lines in ${out}`);
  print(...cut.notes);
  if (!cut.replayable) print('a run cannot be replayed from it: it lacks inputs that its engine had');
  return EXIT.clean;
}

/** Several tapes as one, in the order of receipt. */
export async function mergeIntoOne(paths: readonly string[], { out }: OutArgument): Promise<ExitCode> {
  const { lines, notes } = await watched('merging', paths, out, (onRead) =>
    mergeTapes(paths, out, { onRead }),
  );
  print(`${lines} lines in ${out}`);
  print(...notes);
  return EXIT.clean;
}

/** Recordings in the neutral form as a tape, merged in time order. */
export async function importRecordings(files: readonly string[], { out }: OutArgument): Promise<ExitCode> {
  const markets = files.flatMap(marketsBeside);
  const program = programIdentity();
  const { lines, notes } = await stoppable(
    out,
    () => undefined,
    (onRead) => importNeutral(files, out, { markets, program, onRead }),
  );
  print(`${lines} lines imported into ${out}`);
  print(...notes);
  return EXIT.clean;
}

/** Fair values from outside, a line each, as a backtest reads them. */
export async function printValues(path: string): Promise<ExitCode> {
  for await (const batch of new TapeReader(path).batches())
    for (const { line } of batch) {
      if (line.kind !== 'input' || line.input.kind !== 'outside') continue;
      for (const value of line.input.values) {
        const { marketId: market, confidence, at } = value;
        const said =
          value.kind === 'signal' ? { name: value.name, value: value.value } : { probability: value.p };
        printJson({ market, ...said, confidence, time: at / 1_000, arrived: line.at / 1_000 });
      }
    }
  return EXIT.clean;
}

/** A tape as Parquet, a file a table. */
export async function exportTables(path: string, { out }: OutArgument): Promise<ExitCode> {
  const { rows, notes } = await watched('exporting', [path], out, (onRead) =>
    exportParquet(path, out, { onRead }),
  );
  for (const [name, count] of Object.entries(rows)) print(`${join(out, name)}.parquet  ${count} rows`);
  print(...notes);
  return EXIT.clean;
}

async function watched<Result>(
  what: string,
  paths: readonly string[],
  out: string,
  work: (onRead: OnRead) => Promise<Result>,
): Promise<Result> {
  const sizes = await Promise.all(paths.map((path) => new TapeReader(path).packedBytes()));
  const progress = new ReadingProgress(
    what,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  return stoppable(out, progress.onRead, work).finally(() => progress.done());
}

/** Whoever reads fails after a signal, and takes away what came of it. */
const stoppable = <Result>(
  out: string,
  onRead: OnRead,
  work: (onRead: OnRead) => Promise<Result>,
): Promise<Result> =>
  interruptible(`nothing of it is left in ${out}`, (stop) =>
    work((bytes) => {
      stop.throwIfAborted();
      onRead(bytes);
    }),
  );

async function beginningOf(path: string): Promise<Micros> {
  for await (const [first] of new TapeReader(path).batches()) if (first !== undefined) return first.line.at;
  throw new UsageError(`${path} is empty`);
}

function micros(instant: Instant | undefined, begins: Micros): Micros | null {
  if (instant === undefined) return null;
  return ('at' in instant ? instant.at : begins + instant.afterMs * 1_000) as Micros;
}

/** What `markets.json` beside a recording names; without one the markets have no names. */
const marketsBeside = (file: string): readonly NamedMarket[] =>
  [...notesBeside(file)].flatMap(([market, { eventId, title, tickUnits }]) =>
    eventId === null
      ? []
      : [{ eventId, marketId: market, title: title ?? `Market ${market}`, tickUnits: tickUnits ?? 1 }],
  );

export interface SurveyArguments {
  readonly json: boolean;
}

/** `oddsmith tape info <tape>`: what is on it. */
export async function tapeInfo(path: string, { json }: SurveyArguments): Promise<ExitCode> {
  const survey = await surveyed('reading', path);
  if (json) printJson(survey);
  else print(...infoLines(survey));
  return EXIT.clean;
}

/** `oddsmith tape verify <tape>`: 0 when every line is as it was written and belongs there, else 1. */
export async function verifyTape(path: string, { json }: SurveyArguments): Promise<ExitCode> {
  try {
    const survey = await surveyed('verifying', path);
    if (json) printJson({ damaged: null, ...survey });
    else print(...verdictLines(survey));
    return survey.oddityCount === 0 ? EXIT.clean : EXIT.internal;
  } catch (error) {
    if (!(error instanceof TapeError)) throw error;
    if (json) printJson({ damaged: error.message, place: error.place });
    else print(error.message);
    return EXIT.internal;
  }
}

async function surveyed(what: string, path: string): Promise<TapeSurvey> {
  const progress = new ReadingProgress(what, await new TapeReader(path).packedBytes());
  try {
    return await surveyTape(path, { onRead: progress.onRead });
  } finally {
    progress.done();
  }
}

/** What `oddsmith tape info` and `verify` print. */

const instant = (at: Micros | null): string => (at === null ? '-' : new Date(at / 1_000).toISOString());
const count = (value: number): string => value.toLocaleString('en-US');
const spanText = (from: Micros, to: Micros): string => durationText((to - from) / 1_000);

export function infoLines(survey: TapeSurvey): readonly string[] {
  const head = survey.heads.at(-1);
  return [
    `tape of ${head?.purpose ?? 'nobody'}, run ${survey.heads.map(({ run }) => run).join(', ')}, ${head?.program ?? ''}`,
    `${count(survey.lines)} lines in ${count(survey.files)} files`,
    `from ${instant(survey.first)} to ${instant(survey.last)}${spanOf(survey)}`,
    endingText(survey),
    '',
    'lines by kind',
    ...table(survey.kinds),
    ...(Object.keys(survey.events).length === 0 ? [] : ['', 'frames by event', ...table(survey.events)]),
    '',
    `${column('market', 44)}${column('books', 12, 'right')}${column('trades', 12, 'right')}${column('statuses', 12, 'right')}${column('fair values', 12, 'right')}`,
    ...survey.markets.map(
      ({ market, title, books, trades, statuses, fairValues }) =>
        column(`${market} ${title}`, 44) +
        [books, trades, statuses, fairValues].map((value) => column(count(value), 12, 'right')).join(''),
    ),
    '',
    ...twiceLines(survey),
    ...gapLines(survey),
    ...oddityLines(survey),
  ];
}

/** One line when all is well, else what is not. */
export function verdictLines(survey: TapeSurvey): readonly string[] {
  return [
    `every sum of ${count(survey.lines)} lines in ${count(survey.files)} files fits`,
    endingText(survey),
    ...twiceLines(survey),
    ...gapLines(survey),
    ...oddityLines(survey),
  ];
}

function endingText({ ending, heads, end, inputs }: TapeSurvey): string {
  const run =
    end === null
      ? ''
      : `; the run ended ${end.outcome} after ${count(inputs)} inputs, ${count(end.decisions)} decisions, hash ${end.hash}`;
  if (ending.state === 'closed') return `closed${run}`;
  const flushMs = heads.at(-1)?.flushMs ?? null;
  const missing =
    flushMs === null ? 'its end may be missing' : `at most about the last ${flushMs} ms are missing`;
  const torn = ending.tornBytes === 0 ? '' : `, ${ending.tornBytes} bytes of a torn line left out`;
  return `unfinished: its process was killed, its disk took no more, or it still runs; of what came before that ${missing}${torn}${run}`;
}

const spanOf = ({ first, last }: TapeSurvey): string =>
  first === null || last === null ? '' : ` (${spanText(first, last)})`;

const table = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `  ${column(name, 30)}${column(count(value), 12, 'right')}`);

const twiceLines = ({ twice }: TapeSurvey): readonly string[] =>
  twice === 0
    ? []
    : [
        `${count(twice)} frames stand there twice: parts of one run that overlap were put together; merge them anew, and each is taken once`,
      ];

function gapLines({ gaps, gapCount }: TapeSurvey): readonly string[] {
  if (gapCount === 0) return ['no gaps'];
  const more = gapCount > gaps.length ? [`  and ${count(gapCount - gaps.length)} more`] : [];
  return [gapCount === 1 ? '1 gap' : `${count(gapCount)} gaps`, ...gaps.map(gapText), ...more];
}

function gapText({ from, to, reason, lines }: SilentTime): string {
  const span = from === null ? '' : `, ${((to - from) / 1_000_000).toFixed(3)} s`;
  return `  ${instant(to)} ${reason}${span}${lines === null ? '' : `, ${count(lines)} lines left out`}`;
}

function oddityLines({ oddities, oddityCount }: TapeSurvey): readonly string[] {
  if (oddityCount === 0) return [];
  const more = oddityCount > oddities.length ? [`  and ${count(oddityCount - oddities.length)} more`] : [];
  return [
    oddityCount === 1
      ? '1 thing that should not be there'
      : `${count(oddityCount)} things that should not be there`,
    ...oddities.map(({ place, text }) => `  ${describePlace(place)}: ${text}`),
    ...more,
  ];
}
