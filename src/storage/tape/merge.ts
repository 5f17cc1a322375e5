/** Several tapes as one, in the order in which their lines were received. */
import { existsSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { UsageError } from '../../domain/errors.js';
import { type HeadRecord, type Received, type TapeLine, TAPE_VERSION, type TapeRecord } from './records.js';
import { inTimeOrder, OneSourcePerMarket } from './merge-order.js';
import { TapeCopy } from './tape-copy.js';
import { marketDataOf } from './cut.js';
import { TapeError } from './tape-files.js';
import { endingNote, TapeReader, type TapeReaderOptions } from './tape-reader.js';

export interface Merged {
  readonly lines: number;
  /** Lines that two tapes of one run had, taken once. */
  readonly again: number;
  /** What is strange of the tapes, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Merges what tapes say of markets. Inputs of engines become plain frames and decisions are left out, because two runs
 * together are no run. What whole tapes, copies and parts of one run have in common is taken once.
 * @throws TapeError for a tape that is damaged, contradicts another of the same run, or holds a recording of a market
 * that another holds at the same time; UsageError for one that is named twice
 */
export async function mergeTapes(
  paths: readonly string[],
  out: string,
  options: TapeReaderOptions = {},
): Promise<Merged> {
  refuseDuplicates(paths);
  const heads = await Promise.all(paths.map(firstHead));
  const readers = paths.map((path) => new TapeReader(path, options));
  const copy = await TapeCopy.create(out, headOf(heads, paths), startOf(heads));
  let again: number;
  try {
    again = await copyAll(readers, paths, heads, copy);
    await copy.close();
  } catch (error) {
    await copy.abandon();
    throw error;
  }
  const endings = readers.map(({ ending }, index) => {
    const note = endingNote(ending);
    return note === null ? '' : `${paths[index]}: ${note}`;
  });
  return { lines: copy.count, again, notes: [againNote(again), ...endings].filter((note) => note !== '') };
}

type Head = Extract<TapeLine, { readonly kind: 'head' }>;

/** @returns null for a tape without one. @throws TapeError */
async function firstHead(path: string): Promise<Head | null> {
  for await (const batch of new TapeReader(path).batches())
    for (const { line } of batch) if (line.kind === 'head') return line;
  return null;
}

/** Otherwise its books would stand there twice, and its turnover count twice. */
function refuseDuplicates(paths: readonly string[]): void {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : path));
  const second = places.findIndex((place, index) => places.indexOf(place) < index);
  if (second !== -1) throw new UsageError(`${paths[second]} is named twice; expected each tape once`);
}

const againNote = (again: number): string =>
  again === 0 ? '' : `${again} lines that two tapes of one run have are taken once`;

/** @returns how many lines were left out because another tape had them */
async function copyAll(
  readers: readonly TapeReader[],
  names: readonly string[],
  heads: readonly (Head | null)[],
  copy: TapeCopy,
): Promise<number> {
  const markets = new OneSourcePerMarket(names);
  const shared = new SharedLines(heads.map((head) => head?.run ?? ''));
  const batches = readers.map((reader) => reader.batches());
  let again = 0;
  for await (const { item, source } of inTimeOrder(batches, ({ line }) => line.at)) {
    const { line, place } = item;
    // Frames say by themselves what is new; a print that stands there twice is two prints.
    const problem = line.kind === 'recorded' ? markets.check(line.line.marketId, source) : null;
    if (problem !== null) throw new TapeError(place, problem);
    const record = marketDataOf(line);
    const verdict = shared.check(line, record, source);
    if (typeof verdict !== 'string') throw new TapeError(place, verdict.problem);
    if (verdict === 'again') again += 1;
    else if (record !== null) await copy.write(record, { at: line.at, mono: line.mono });
  }
  return again;
}

function headOf(heads: readonly (Head | null)[], paths: readonly string[]): HeadRecord {
  const found = heads.flatMap((head) => head ?? []);
  const markets = new Map(found.flatMap((head) => head.markets).map((market) => [market.marketId, market]));
  return {
    kind: 'head',
    version: TAPE_VERSION,
    program: found[0]?.program ?? '',
    run: [...new Set(found.map(({ run }) => run))].join('+'),
    purpose: 'merge',
    flushMs: null,
    seed: null,
    configuration: null,
    strategies: [],
    markets: [...markets.values()],
    sources: paths.map((path, index) => `${path}, run ${heads[index]?.run ?? 'unknown'}`),
  };
}

function startOf(heads: readonly (Head | null)[]): Received {
  const [first] = heads.flatMap((head) => head ?? []).toSorted((a, b) => a.at - b.at);
  return { at: first?.at ?? (0 as Received['at']), mono: first?.mono ?? 0 };
}

/** `again`: another tape has given the line. A problem is for people. */
type Verdict = 'first' | 'again' | { readonly problem: string };

/** A line may come again in another tape so long after it, in order of receipt; clocks are set back now and then. */
const REMEMBERED_US = 120_000_000;

/** How often each tape, by its place, gave a line, and how often it was written. */
interface Given {
  readonly times: Map<number, number>;
  written: number;
}

interface Memory {
  readonly given: Map<string, Given>;
  /** By run and number of the input: hash of the line. */
  readonly inputs: Map<string, string>;
}

const nothing = (): Memory => ({ given: new Map(), inputs: new Map() });

/**
 * Which lines of several tapes are one line of one run: whole tapes, copies and parts of them repeat it. What one tape
 * has twice stays twice, what two tapes have is taken once.
 */
class SharedLines {
  /** By the place of a tape that shares a run with another one: the name of a run that they share. */
  readonly #shared: ReadonlyMap<number, string>;
  #recent = nothing();
  #before = nothing();
  #turnsAt = -Infinity;

  /** @param runs of each tape, as its head names them */
  constructor(runs: readonly string[]) {
    this.#shared = sharedRuns(runs);
  }

  /**
   * @param record what of the line would be written; null: nothing
   * @returns whether it is the first of its run, or what speaks against the tapes being of one run
   */
  check(line: TapeLine, record: TapeRecord | null, source: number): Verdict {
    const run = this.#shared.get(source);
    if (run === undefined || line.kind === 'recorded') return 'first';
    this.#turn(line.at);
    const problem = this.#contradiction(line, run);
    if (problem !== null) return { problem };
    return record === null ? 'first' : this.#given(keyOf(line, record, run), source);
  }

  #given(key: string, source: number): 'first' | 'again' {
    const known = this.#recent.given.get(key) ?? this.#before.given.get(key);
    const given = known ?? { times: new Map<number, number>(), written: 0 };
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
const runsIn = (run: string): readonly string[] =>
  run.split('+').filter((one) => one !== '' && one !== 'import');

/** Tapes that share a run, maybe by way of others, go by the name of one that they share. */
function sharedRuns(named: readonly string[]): ReadonlyMap<number, string> {
  let groups: { readonly runs: ReadonlySet<string>; readonly sources: readonly number[] }[] = [];
  for (const [source, run] of named.entries()) {
    const runs = runsIn(run);
    const own = groups.filter((group) => runs.some((one) => group.runs.has(one)));
    const joined = {
      runs: new Set([...own.flatMap((group) => [...group.runs]), ...runs]),
      sources: [...own.flatMap((group) => group.sources), source],
    };
    groups = [...groups.filter((group) => !own.includes(group)), joined];
  }
  const shared = groups.filter((group) => group.sources.length > 1);
  return new Map(shared.flatMap((group) => group.sources.map((source) => [source, [...group.runs][0]!])));
}
