/** `oddsmith tape cut`, `merge`, `import` and `export`: tapes from tapes. */
import { join } from 'node:path';
import { notesBeside } from '../../../runs/backtest/recording-notes.js';
import { programIdentity } from '../../../runs/program.js';
import { checkParity, isIdentical } from '../../../runs/replay/parity.js';
import { EXIT, type ExitCode, UsageError } from '../../../domain/errors.js';
import { marketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import {
  cutTape,
  exportParquet,
  importNeutral,
  mergeTapes,
  type NamedMarket,
  TapeReader,
} from '../../../storage/index.js';
import type { Instant } from '../../option-values.js';
import { interruptible } from '../../interruptible.js';
import { ReadingProgress } from '../../screen/reading-progress.js';

type OnRead = (bytes: number) => void;

export interface OutArgument {
  readonly out: string;
}

export interface CutArguments extends OutArgument {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly market: readonly number[];
  readonly fixture: boolean;
}

/** A part of a tape; with `--fixture` redacted, and replayed once to show that it still decides the same. */
export async function cutToPart(
  path: string,
  { out, from, to, market, fixture }: CutArguments,
): Promise<ExitCode> {
  const begins = await beginningOf(path);
  const options = {
    from: micros(from, begins),
    to: micros(to, begins),
    markets: market.map(marketId),
    fixture,
  };
  const cut = await watched('cutting', [path], out, (onRead) => cutTape(path, out, { ...options, onRead }));
  if (cut.lines === 0) throw new UsageError('nothing of the tape lies in that part');
  print(`${cut.lines} lines in ${out}`);
  cut.notes.forEach(print);
  if (!cut.replayable) print('a run cannot be replayed from it: it lacks inputs that its engine had');
  return fixture && cut.replayable ? replayed(out) : EXIT.clean;
}

async function replayed(out: string): Promise<ExitCode> {
  const parity = await checkParity(out).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    const text = `${out} is written, but was not replayed: ${error.message}; a fixture names strategy files of your own without their folders, so replay it from the folder in which they lie, with oddsmith parity`;
    throw new UsageError(text, { cause: error });
  });
  const { inputs, decisions } = parity;
  print(
    isIdentical(parity)
      ? `replayed: ${inputs} inputs, ${decisions} identical decisions`
      : 'it decides otherwise',
  );
  return isIdentical(parity) ? EXIT.clean : EXIT.internal;
}

/** Several tapes as one, in the order of receipt. */
export async function mergeIntoOne(paths: readonly string[], { out }: OutArgument): Promise<ExitCode> {
  const { lines, notes } = await watched('merging', paths, out, (onRead) =>
    mergeTapes(paths, out, { onRead }),
  );
  print(`${lines} lines in ${out}`);
  notes.forEach(print);
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
  notes.forEach(print);
  return EXIT.clean;
}

/** A tape as Parquet, a file a table. */
export async function exportTables(path: string, { out }: OutArgument): Promise<ExitCode> {
  const { rows, notes } = await watched('exporting', [path], out, (onRead) =>
    exportParquet(path, out, { onRead }),
  );
  for (const [name, count] of Object.entries(rows)) print(`${join(out, name)}.parquet  ${count} rows`);
  notes.forEach(print);
  return EXIT.clean;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

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
