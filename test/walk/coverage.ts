/** What V8 saw run of the built program, put into the order in which it began. */
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { type Trace, traced } from './tracing.mjs';

/** A file below `src/`, and the names of its functions that ran. */
export interface Step {
  readonly file: string;
  readonly functions: readonly string[];
}

export const ANONYMOUS = '(anonymous)';
const PROGRAM = /\/dist\/src\/(.*\.js)$/;

/** Counts calls from now on. */
export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** What ran since the last call. */
  take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] | null = null;
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    if (taken === null) throw new Error('the inspector did not answer at once');
    return taken;
  }
}

/** @param trace functions by their number, in the order of their first calls */
export function pathOf(scripts: readonly Profiler.ScriptCoverage[], trace: Trace): readonly Step[] {
  const steps = scripts.flatMap((script) => stepOf(script, trace));
  const order = [...trace.keys()];
  const place = ({ file }: Step): number => (order.indexOf(file) + order.length + 1) % (order.length + 1);
  return steps
    .toSorted((a, b) => place(a) - place(b))
    .map(({ file, functions }) => ({ file: source(file), functions }));
}

const source = (file: string): string => file.replace(/\.js$/, '.ts');

/** Empty for a script that is not of the program, and for one of which nothing ran but the module itself. */
function stepOf({ url, functions }: Profiler.ScriptCoverage, trace: Trace): readonly Step[] {
  const file = PROGRAM.exec(url)?.[1];
  if (file === undefined) return [];
  const { ends } = traced(file, readFileSync(fileURLToPath(url), 'utf8'));
  const numbers = trace.get(file) ?? [];
  const rank = (end: number): number => numbers.indexOf(ends.indexOf(end)) >>> 0;
  const ran = functions
    .filter(({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0)
    .map(({ functionName, ranges: [whole] }) => ({ name: functionName, rank: rank(whole!.endOffset) }))
    .toSorted((a, b) => a.rank - b.rank);
  return ran.length === 0
    ? []
    : [{ file, functions: ran.map(({ name }) => (name === '' ? ANONYMOUS : name)) }];
}
