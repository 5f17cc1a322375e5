/** Which lines of several tapes are one line of one run: whole tapes, copies and parts of them say it again. */
import { createHash } from 'node:crypto';
import type { HeadRecord, TapeLine, TapeRecord } from './records.js';

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
export class LinesOfOneRun {
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
