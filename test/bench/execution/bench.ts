/**
 * `hot`, `hot-omit`, `sleeping`, `polling`: from the text of a websocket frame to the signed batch of twenty orders
 * that it leads to, ready for the socket; an idiomatic stack runs beside it.
 */
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { type BatchTimes, measureBatches, type Mode, MODES, type StackName } from './frame-to-batch.js';

interface Job {
  readonly mode: Mode;
  readonly stack: StackName;
}

/** One measurement, in a process of its own. */
export const job = ({ mode, stack }: Job): Promise<BatchTimes> => measureBatches(mode, stack);

const STACKS = ['oddsmith', 'idiomatic'] as const;

/** Measures every case once a round, and prints it. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, MODES);
  for (const mode of cases) {
    const times: Record<StackName, BatchTimes[]> = { oddsmith: [], idiomatic: [] };
    for (let round = 0; round < rounds; round++)
      for (const stack of STACKS) times[stack].push(await fresh('execution', { mode, stack } satisfies Job));
    printMode(mode, times);
  }
}

function printMode(mode: Mode, { oddsmith, idiomatic }: Record<StackName, BatchTimes[]>): void {
  for (const figure of ['p50', 'p99'] as const) {
    const common = { bench: 'execution', case: mode, figure, unit: 'us' };
    const [ours, theirs] = [oddsmith.map((times) => times[figure]), idiomatic.map((times) => times[figure])];
    printFigure({ ...common, engine: 'oddsmith', values: ours, peers: { idiomatic: theirs } });
    printFigure({ ...common, engine: 'idiomatic', values: theirs });
  }
}
