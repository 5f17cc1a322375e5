/**
 * `hot`, `hot-omit`, `sleeping`: from the text of a websocket frame to the signed batch of twenty orders
 * that it leads to, ready for the socket; an idiomatic stack and the doors of ours alone run beside it. `scheduler-minute`, `scheduler-day`: how
 * far quotes lag behind when there are more to move than requests to move them with.
 */
import { type Lag, runOverload, type SenderName } from '../../support/overload/run.js';
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { measureWire, type Sync, SYNCS, type WireTimes } from './wire-to-wire.js';
import {
  type BatchTimes,
  measureBatches,
  type Mode,
  MODES,
  type StackName,
  STACKS,
} from './frame-to-batch.js';

type Job = { readonly mode: Mode; readonly stack: StackName } | { readonly sync: Sync };

/** One measurement, in a process of its own. */
export const job = (wanted: Job): Promise<BatchTimes | WireTimes> =>
  'sync' in wanted ? measureWire(wanted.sync) : measureBatches(wanted.mode, wanted.stack);

const SCHEDULING = { 'scheduler-minute': 'minute', 'scheduler-day': 'day' } as const;
const CASES = [...MODES, 'wire', 'scheduler-minute', 'scheduler-day'] as const;

/** Measures every case once a round, and prints it. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  for (const name of cases) {
    if (name === 'scheduler-minute' || name === 'scheduler-day') printScheduling(name, rounds);
    else if (name === 'wire') await runWire(rounds);
    else await runMode(name, rounds);
  }
}

async function runMode(mode: Mode, rounds: number): Promise<void> {
  const times: Record<StackName, BatchTimes[]> = { oddsmith: [], idiomatic: [], doors: [], spin: [] };
  for (let round = 0; round < rounds; round++)
    for (const stack of STACKS) times[stack].push(await fresh('execution', { mode, stack } satisfies Job));
  printMode(mode, times);
}

async function runWire(rounds: number): Promise<void> {
  const times: Record<Sync, WireTimes[]> = { group: [], 'before-send': [] };
  for (let round = 0; round < rounds; round++)
    for (const sync of SYNCS) times[sync].push(await fresh('execution', { sync } satisfies Job));
  for (const sync of SYNCS) {
    const common = { bench: 'execution', case: 'wire', unit: 'us' };
    const of = (figure: keyof WireTimes) => times[sync].map((one) => one[figure]);
    const engine = `oddsmith, journal ${sync}`;
    printFigure({ ...common, engine, figure: 'p50', values: of('p50'), peers: { post: of('postP50') } });
    printFigure({ ...common, engine, figure: 'p99', values: of('p99'), peers: { post: of('postP99') } });
    printFigure({ ...common, engine: 'post', figure: 'p50', values: of('postP50') });
  }
}

/** In virtual time; a round is a seed. */
function printScheduling(name: keyof typeof SCHEDULING, rounds: number): void {
  const seeds = Array.from({ length: rounds }, (_, round) => 1 + round);
  const lags = (sender: SenderName) => seeds.map((seed) => runOverload(SCHEDULING[name], sender, seed));
  const ours = lags('scheduler');
  const peers = { clairvoyant: lags('clairvoyant'), foresight: lags('foresight'), naive: lags('naive') };
  const mispricings = (all: readonly Lag[]) => all.map(({ mispricing }) => mispricing);
  const common = { bench: 'execution', case: name } as const;
  const lag = { ...common, figure: 'mispricing', unit: 'ticks x shares' };
  const ratios = Object.fromEntries(Object.entries(peers).map(([peer, all]) => [peer, mispricings(all)]));
  printFigure({ ...lag, engine: 'oddsmith', values: mispricings(ours), peers: ratios });
  for (const [engine, values] of Object.entries(ratios)) printFigure({ ...lag, engine, values });
  for (const figure of ['requests', 'useless'] as const)
    printFigure({
      ...common,
      engine: 'oddsmith',
      figure,
      unit: 'requests',
      values: ours.map((one) => one[figure]),
    });
}

function printMode(mode: Mode, times: Record<StackName, BatchTimes[]>): void {
  for (const figure of ['p50', 'p99'] as const) {
    const common = { bench: 'execution', case: mode, figure, unit: 'us' };
    const of = (stack: StackName) => times[stack].map((one) => one[figure]);
    const peers = { idiomatic: of('idiomatic'), doors: of('doors'), spin: of('spin') };
    printFigure({ ...common, engine: 'oddsmith', values: of('oddsmith'), peers });
    for (const [engine, values] of Object.entries(peers)) printFigure({ ...common, engine, values });
  }
}
