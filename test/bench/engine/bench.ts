/**
 * The engine by itself. `hold`, `nudge`, `move`, `rebuild`: one step, a book update in and an approved plan out, five levels a
 * side. `apply-N`: a top-5 message applied to the mirror of N markets. `state`: bytes a market at 10,000 markets.
 */
import { benchOptions, printFigure } from '../figures.js';
import { type Job as MirrorJob } from '../mirror/bench.js';
import { fresh } from '../processes.js';
import { measureState, type StateBytes } from './state.js';
import { measureSteps, type Step, STEPS, type StepTimes } from './stepping.js';

const APPLIED = { 'apply-10': 10, 'apply-1000': 1_000, 'apply-10000': 10_000 } as const;
const APPLIES = Object.keys(APPLIED) as (keyof typeof APPLIED)[];
const CASES = [...STEPS, ...APPLIES, 'state'] as const;
type Case = (typeof CASES)[number];

/** One measurement, in a process of its own. */
export const job = async ({
  case: name,
}: {
  readonly case: Step | 'state';
}): Promise<StepTimes | StateBytes> => (name === 'state' ? measureState() : measureSteps(name));

/** Measures every case once a round, and prints it. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  const results = new Map<Case, Readonly<Record<string, number>>[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of cases) results.get(name)?.push(await measure(name));
  for (const [name, measured] of results) printCase(name, measured);
}

async function measure(name: Case): Promise<Readonly<Record<string, number>>> {
  if (!isApply(name)) return fresh('engine', { case: name });
  const mirrorJob: MirrorJob = { measure: 'oddsmith', markets: APPLIED[name] };
  return { 'apply top-5 update': await fresh<number>('mirror', mirrorJob) };
}

const isApply = (name: Case): name is keyof typeof APPLIED => name in APPLIED;

function printCase(name: Case, measured: readonly Readonly<Record<string, number>>[]): void {
  const unit = name === 'state' ? 'bytes/market' : isApply(name) ? 'ns' : 'us';
  for (const figure of Object.keys(measured[0] ?? {})) {
    const values = measured.map((result) => result[figure] ?? Number.NaN);
    printFigure({ bench: 'engine', case: name, engine: 'oddsmith', figure, unit, values });
  }
}
