/** Several tapes as one, in the order in which their lines were received. */
import { existsSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { UsageError } from '../../domain/errors.js';
import { type HeadRecord, type Received, type TapeLine, TAPE_VERSION, type TapeRecord } from './records.js';
import { earliest, OneSourcePerMarket } from './merge-order.js';
import { TapeCopy } from './tape-copy.js';
import { marketDataOf } from './cut.js';
import { TapeError } from './tape-files.js';
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
  refuseDuplicates(paths);
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
function refuseDuplicates(paths: readonly string[]): void {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : path));
  const twin = places.findIndex((place, index) => places.indexOf(place) < index);
  if (twin !== -1) throw new UsageError(`${paths[twin]} is named twice; expected each tape once`);
}

const againNotes = (again: number): readonly string[] =>
  again === 0 ? [] : [`${again} lines that two tapes of one run have are taken once`];

/** @returns how many lines were left out, for another tape had them */
async function copyAll(sources: readonly Source[], copy: TapeCopy): Promise<number> {
  const each = new OneSourcePerMarket();
  const lines = new SharedLines(sources);
  let again = 0;
  for (let source = earliest(sources); source !== null; source = earliest(sources)) {
    const { next } = source;
    // Frames say by themselves what is new; a print that stands there twice is two prints.
    const problem = next?.kind === 'recorded' ? each.check(next.line.marketId, source) : null;
    if (problem !== null) throw source.fault(problem);
    const record = next === null ? null : marketDataOf(next);
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

/** Which lines of several tapes are one line of one run: whole tapes, copies and parts of them say it again. */

/** A tape that is being merged. */
export interface RunSource {
  readonly heads: readonly HeadRecord[];
}

/** `again`: another tape has given it. A problem is for people. */
export type Verdict = 'first' | 'again' | { readonly problem: string };

/** So long after a line it may come again in another tape, in order of receipt; clocks are set back now and then. */
const REMEMBERED_US = 120_000_000;

/** How often each tape gave a line that the others gave, too. */
interface Given {
  readonly times: Map<RunSource, number>;
  written: number;
}

interface Memory {
  readonly given: Map<string, Given>;
  /** By run and number of the input: hash of the line. */
  readonly inputs: Map<string, string>;
}

const nothing = (): Memory => ({ given: new Map(), inputs: new Map() });

/** Watches lines in the order of the merge. What one tape has twice stays twice, what two tapes have is taken once. */
export class SharedLines {
  /** Sources that share a run with another one, and the name of what they share. */
  readonly #shared: ReadonlyMap<RunSource, string>;
  #recent = nothing();
  #before = nothing();
  #turnsAt = -Infinity;

  constructor(sources: readonly RunSource[]) {
    this.#shared = sharedRuns(sources);
  }

  /**
   * @param record what of the line would be written; null: nothing
   * @returns whether it is the first of its run, or what speaks against the tapes being of one run
   */
  check(line: TapeLine, record: TapeRecord | null, source: RunSource): Verdict {
    const run = this.#shared.get(source);
    if (run === undefined || line.kind === 'recorded') return 'first';
    this.#turn(line.at);
    const problem = this.#contradiction(line, run);
    if (problem !== null) return { problem };
    return record === null ? 'first' : this.#given(keyOf(line, record, run), source);
  }

  #given(key: string, source: RunSource): 'first' | 'again' {
    const known = this.#recent.given.get(key) ?? this.#before.given.get(key);
    const given = known ?? { times: new Map<RunSource, number>(), written: 0 };
    this.#recent.given.set(key, given);
    const times = (given.times.get(source) ?? 0) + 1;
    given.times.set(source, times);
    if (times <= given.written) return 'again';
    given.written = times;
    return 'first';
  }

  /** One input of one run says one thing. */
  #contradiction(line: TapeLine, run: string): string | null {
    if ((line.kind !== 'frame' && line.kind !== 'input') || line.seq === undefined) return null;
    const key = `${run}/${line.seq}`;
    const { sum: _sum, n: _n, ...said } = line;
    const hash = digest(JSON.stringify(said));
    const known = this.#recent.inputs.get(key) ?? this.#before.inputs.get(key);
    this.#recent.inputs.set(key, hash);
    if (known === undefined || known === hash) return null;
    return `input ${line.seq} of run ${run} is another one than in the other tape of that run; one of the two was altered`;
  }

  #turn(at: number): void {
    if (at < this.#turnsAt) return;
    this.#before = this.#recent;
    this.#recent = nothing();
    this.#turnsAt = at + REMEMBERED_US;
  }
}

const keyOf = ({ at, mono }: TapeLine, record: TapeRecord, run: string): string =>
  digest(`${run}/${at}/${mono}/${JSON.stringify(record)}`);

const digest = (text: string): string => createHash('sha1').update(text).digest('base64');

/** Merged tapes name their runs with `+` between them. Imported recordings all name the same, which is no run. */
const runsOf = ({ heads }: RunSource): readonly string[] =>
  heads.flatMap(({ run }) => run.split('+')).filter((run) => run !== 'import');

/** Tapes that share a run, over others, too, go by the name of one that they share. */
function sharedRuns(sources: readonly RunSource[]): ReadonlyMap<RunSource, string> {
  const groups: { readonly runs: Set<string>; readonly sources: RunSource[] }[] = [];
  for (const source of sources) {
    const runs = new Set(runsOf(source));
    const own = groups.filter((group) => [...runs].some((run) => group.runs.has(run)));
    const joined = {
      runs: new Set([...own.flatMap((group) => [...group.runs]), ...runs]),
      sources: [...own.flatMap((group) => group.sources), source],
    };
    for (const group of own) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  const shared = groups.filter((group) => group.sources.length > 1);
  return new Map(shared.flatMap((group) => group.sources.map((source) => [source, [...group.runs][0]!])));
}
