/** Recorded book updates a second: decoded, into the mirror alone, through a whole backtest; a sweep's backtests. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openScenario } from '../../../src/runs/backtest/scenario-session.js';
import { setupOf } from '../../../src/runs/backtest/backtest-setup.js';
import { MergedRecordings } from '../../../src/runs/backtest/merged-recordings.js';
import { UsageError } from '../../../src/domain/errors.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { decodeRecording, openRecording, type RecordingSource } from '../../../src/storage/index.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { mirrorReplay } from './mirror-replay.js';
import { sweptPerSecond } from './sweep.js';

const CASES = ['decoding', 'mirror', 'engine', 'sweep'] as const;
type Case = (typeof CASES)[number];
type PassCase = Exclude<Case, 'sweep'>;

const UNITS: Readonly<Record<PassCase, string>> = {
  decoding: 'lines/s',
  mirror: 'book updates/s',
  engine: 'book updates/s',
};
const ROOT = join(import.meta.dirname, '..', '..', '..');
const KALSHI = join(process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data'), 'kalshi-gold15m');
const WARM_UP_PASSES = 3;
const COUNTED_PASSES = 7;
const SECOND = 1_000;

type Job = { readonly case: PassCase } | { readonly case: 'sweep'; readonly threads: number };

export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  files();
  for (const name of cases) {
    if (name === 'sweep') await compareThreads(rounds);
    else await repeatPass(name, rounds);
  }
}

async function repeatPass(name: PassCase, rounds: number): Promise<void> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measured({ case: name }));
  const [figure, unit] = ['throughput', UNITS[name]];
  printFigure({ bench: 'backtest', case: name, engine: 'oddsmith', figure, unit, values });
}

/** Two threads against one, each in a fresh process: what they spend on warming up is in it. */
async function compareThreads(rounds: number): Promise<void> {
  const [one, two]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    one.push(await measured({ case: 'sweep', threads: 1 }));
    two.push(await measured({ case: 'sweep', threads: 2 }));
  }
  const figure = { bench: 'backtest', case: 'sweep', figure: 'throughput', unit: 'backtests/s' };
  printFigure({ ...figure, engine: 'one thread', values: one });
  printFigure({ ...figure, engine: 'two threads', values: two, peers: { 'one thread': one } });
}

const measured = (job: Job): Promise<number> => fresh<number>('backtest', job);

/** @returns the median rate of several passes over all Kalshi recordings, or the rate of one sweep of them */
export async function job(given: Job): Promise<number> {
  if (given.case === 'sweep')
    return sweptPerSecond(join(ROOT, 'config', 'sweep.yaml'), files(), given.threads);
  const pass = await PASSES[given.case]();
  for (let count = 0; count < WARM_UP_PASSES; count++) await pass();
  const rates: number[] = [];
  for (let count = 0; count < COUNTED_PASSES; count++) rates.push(await rateOf(pass));
  return median(rates);
}

async function rateOf(pass: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  const done = await pass();
  return (done * SECOND) / (performance.now() - begun);
}

const PASSES: Readonly<Record<PassCase, () => Promise<() => Promise<number>>>> = {
  decoding: () => Promise.resolve(decodeAll),
  mirror: async () => mirrorReplay(await recordings()),
  engine: async () => {
    const sources = await recordings();
    return () => tradeAll(sources);
  },
};

async function decodeAll(): Promise<number> {
  let lines = 0;
  for (const file of files()) for await (const { rows } of decodeRecording(file).blocks) lines += rows;
  return lines;
}

/** The expected scenario of `fixed-spread` on each recording: latency, queues, risk and execution are on. */
async function tradeAll(sources: readonly RecordingSource[]): Promise<number> {
  const { settings, source } = loadBotSettings(join(ROOT, 'config', 'backtest.yaml'), {}, [
    'backtest.markets=recorded',
  ]);
  let books = 0;
  for (const recording of sources) {
    const setup = setupOf(settings, settings.backtest!, [recording]);
    const scenario = await openScenario(setup, source, 'expected', 'bench', () => ({}));
    for await (const range of new MergedRecordings([recording], setup.markets).ranges())
      Array.from(scenario.take(range));
    if (scenario.finish().outcome !== 'clean') throw new Error(`${recording.name} did not end clean`);
    books += recording.books;
  }
  return books;
}

const recordings = (): Promise<RecordingSource[]> => Promise.all(files().map((file) => openRecording(file)));

/** @throws UsageError when the recordings are not there */
function files(): readonly string[] {
  if (!existsSync(KALSHI))
    throw new UsageError(`there are no recordings in ${KALSHI}; MARKET_DATA_DIR names their folder`);
  return readdirSync(KALSHI)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .map((name) => join(KALSHI, name));
}
