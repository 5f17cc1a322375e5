/** Several tapes as one, in the order in which their lines were received. */
import { existsSync, realpathSync } from 'node:fs';
import { UsageError } from '../../domain/errors.js';
import type { HeadRecord, Received, TapeLine } from './records.js';
import { TAPE_VERSION } from './records.js';
import { earliest } from './earliest.js';
import { TapeCopy } from './tape-copy.js';
import { LinesOfOneRun } from './lines-of-one-run.js';
import { OneSourceEach } from './one-source-each.js';
import { passive } from './passive.js';
import { TapeError } from './tape-error.js';
import { endingNote, type PlacedLine, TapeReader, type TapeReaderOptions } from './tape-reader.js';

export interface Merged {
  readonly lines: number;
  /** Lines that two tapes of one run had, taken once. */
  readonly again: number;
  /** What is strange of the tapes, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Merges what tapes say of markets. Inputs of engines become plain frames, and decisions are left out: two runs
 * together are no run. What whole tapes, copies and parts of one run have in common is taken once.
 * @throws TapeError for one that is damaged, contradicts another of the same run, or holds a recording of a market that another holds at the same time;
 * UsageError for one that is named twice
 */
export async function mergeTapes(
  paths: readonly string[],
  out: string,
  options: TapeReaderOptions = {},
): Promise<Merged> {
  refuseTwins(paths);
  const sources = await Promise.all(paths.map((path) => Source.open(path, options)));
  const first = earliest(sources);
  const copy = await TapeCopy.create(out, headOf(sources, paths), receivedOf(first?.next));
  let again: number;
  try {
    again = await copyAll(sources, copy);
    await copy.close();
  } catch (error) {
    await copy.abandon();
    for (const source of sources) await source.close();
    throw error;
  }
  const notes = [...againNotes(again), ...sources.flatMap((source) => source.notes)];
  return { lines: copy.count, again, notes };
}

/** Its books would stand there twice, and its turnover count twice. */
function refuseTwins(paths: readonly string[]): void {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : path));
  const twin = places.findIndex((place, index) => places.indexOf(place) < index);
  if (twin !== -1) throw new UsageError(`${paths[twin]} is named twice; expected each tape once`);
}

const againNotes = (again: number): readonly string[] =>
  again === 0 ? [] : [`${again} lines that two tapes of one run have are taken once`];

/** @returns how many lines were left out, for another tape had them */
async function copyAll(sources: readonly Source[], copy: TapeCopy): Promise<number> {
  const each = new OneSourceEach();
  const lines = new LinesOfOneRun(sources);
  let again = 0;
  for (let source = earliest(sources); source !== null; source = earliest(sources)) {
    const { next } = source;
    // Frames say by themselves what is new; a print that stands there twice is two prints.
    const problem = next?.kind === 'recorded' ? each.check(next.line.marketId, source) : null;
    if (problem !== null) throw source.fault(problem);
    const record = next === null ? null : passive(next);
    const verdict = next === null ? 'first' : lines.check(next, record, source);
    if (typeof verdict !== 'string') throw source.fault(verdict.problem);
    if (verdict === 'again') again += 1;
    else if (next !== null && record !== null) await copy.write(record, receivedOf(next));
    await source.advance();
  }
  return again;
}

/** One tape on its way into another: the line that comes next is at hand. */
class Source {
  readonly heads: HeadRecord[] = [];
  private batch: readonly PlacedLine[] = [];
  private at = 0;
  private placed: PlacedLine | null = null;

  private constructor(
    readonly name: string,
    private readonly reader: TapeReader,
    private readonly lines = reader.batches(),
  ) {}

  /** @throws TapeError */
  static async open(path: string, options: TapeReaderOptions): Promise<Source> {
    const source = new Source(path, new TapeReader(path, options));
    await source.advance();
    while (source.next !== null && source.heads.length === 0) await source.advance();
    return source;
  }

  get next(): TapeLine | null {
    return this.placed?.line ?? null;
  }

  /** Once all lines came. */
  get notes(): readonly string[] {
    const note = endingNote(this.reader.ending);
    return note === null ? [] : [`${this.name}: ${note}`];
  }

  /** Something is wrong with the line that comes next. */
  fault(problem: string): TapeError {
    return new TapeError(this.placed?.place ?? { file: this.name, line: 0, offset: 0 }, problem);
  }

  async close(): Promise<void> {
    await this.lines.return(undefined);
  }

  async advance(): Promise<void> {
    while (this.at >= this.batch.length) {
      const { value, done } = await this.lines.next();
      if (done === true) return void (this.placed = null);
      this.batch = value;
      this.at = 0;
    }
    this.placed = this.batch[this.at++] ?? null;
    if (this.next?.kind === 'head') this.heads.push(this.next);
  }
}

function headOf(sources: readonly Source[], paths: readonly string[]): HeadRecord {
  const heads = sources.flatMap((source) => source.heads);
  const markets = new Map(heads.flatMap((head) => head.markets).map((market) => [market.marketId, market]));
  const runs = heads.map(({ run }) => run);
  return {
    kind: 'head',
    version: TAPE_VERSION,
    program: heads[0]?.program ?? '',
    run: [...new Set(runs)].join('+'),
    purpose: 'merge',
    flushMs: null,
    seed: null,
    configuration: null,
    strategies: [],
    markets: [...markets.values()],
    sources: paths.map((path, index) => `${path}, run ${runs[index] ?? 'unknown'}`),
  };
}

const receivedOf = (line: TapeLine | null | undefined): Received => ({
  at: line?.at ?? (0 as Received['at']),
  mono: line?.mono ?? 0,
});
