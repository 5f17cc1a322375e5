/**
 * What a book update costs one engine by the number of its markets, from 100 to 50,000. It is flat when nothing loops over all
 * markets. With `-scarce` the venue allows 2,000 requests a minute, so that plans wait in most markets.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Micros } from '../../../src/domain/units.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { engineOptionsOfHouse, houseOf } from '../engine/house.js';
import { Rig } from '../engine/rig.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { fresh } from '../processes.js';

const CASES = ['100', '1000', '10000', '50000', '100-scarce', '1000-scarce', '10000-scarce'] as const;
type Case = (typeof CASES)[number];

/** One measurement, in a process of its own. */
export interface Job {
  readonly markets: number;
  readonly isScarce: boolean;
}

interface Scale {
  /** Microseconds of processor time of a book update and of all that follows from it: the middle block's mean. */
  readonly update: number;
  /** Of the step alone, in microseconds of the clock. */
  readonly p50: number;
  /** Kilobytes of heap a market. */
  readonly heap: number;
  /** Seconds of processor time until every market is quoted. */
  readonly start: number;
}

const MID = 45;
const UPDATES_PER_S = 2_000;
const BLOCK = 2_000;
const WARM_UP_BLOCKS = 10;
const BLOCKS = 30;
/** Every so-manieth update moves the price: one order a side is replaced. */
const MOVES = { plenty: 10, scarce: 2 } as const;

export async function job({ markets, isScarce }: Job): Promise<Scale> {
  const before = heapUsed();
  const startedAt = process.cpuUsage();
  const options = await engineOptionsOfHouse(houseOf(markets, { halfSpread: '0.025', levels: 1 }));
  const rig = new Rig(isScarce ? scarce(options) : options, MID, null, 1);
  const { user, system } = process.cpuUsage(startedAt);
  const heap = (heapUsed() - before) / markets / 1_000;
  const feed = new Feed(rig, isScarce ? MOVES.scarce : MOVES.plenty);
  const means: number[] = [];
  const steps: number[] = [];
  for (let block = -WARM_UP_BLOCKS; block < BLOCKS; block += 1) {
    const since = process.cpuUsage();
    const us = Array.from({ length: BLOCK }, () => feed.update());
    const spent = process.cpuUsage(since);
    if (block < 0) continue;
    means.push((spent.user + spent.system) / BLOCK);
    steps.push(...us);
  }
  return { update: median(means), p50: median(steps), heap, start: (user + system) / 1_000_000 };
}

const scarce = (options: EngineOptions): EngineOptions => ({
  ...options,
  budget: { ...options.budget, perMinute: 2_000, perDay: 1_000_000 },
});

/** Updates of markets by chance. Each step does what time has made due, so timers are left out. */
class Feed {
  private readonly random = seededRandom(1);
  private readonly mids: number[];
  private count = 0;

  constructor(
    private readonly rig: Rig,
    private readonly moves: number,
  ) {
    this.mids = rig.markets.map(() => MID);
  }

  /** @returns microseconds that the step took, without what follows */
  update(): number {
    const { rig } = this;
    rig.now = (rig.now + 1_000_000 / UPDATES_PER_S) as Micros;
    const at = this.random.below(rig.markets.length);
    this.count += 1;
    if (this.count % this.moves === 0) this.mids[at] = this.mids[at] === MID ? MID + 1 : MID;
    const salt = 100 * (this.count % 100);
    const input = rig.stamp(rig.book(rig.markets[at]!, this.mids[at]!, salt));
    const before = performance.now();
    const effects = rig.engine.step(input);
    const us = (performance.now() - before) * 1_000;
    rig.answer(effects);
    return us;
  }
}

const COLLECTIONS = 3;

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let collection = 0; collection < COLLECTIONS; collection += 1) collect();
  const { heapUsed: heap, arrayBuffers } = process.memoryUsage();
  return heap + arrayBuffers;
}

/** Measures every case once a round, so that they take turns, and prints them; on stderr as a table. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  const results = new Map<Case, Scale[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of cases) results.get(name)?.push(await fresh<Scale>('scale', jobOf(name), FLAGS));
  for (const [name, scales] of results)
    for (const [figure, unit] of FIGURES)
      printFigure({
        bench: 'scale',
        case: name,
        engine: 'oddsmith',
        figure,
        unit,
        values: scales.map((one) => one[figure]),
      });
  process.stderr.write(`${tableOf(results)}\n`);
}

/** Fifty thousand markets need more than the heap that Node takes by itself on a small machine. */
const FLAGS = ['--max-semi-space-size=64', '--v8-pool-size=1', '--max-old-space-size=4096'];

const FIGURES = [
  ['update', 'us'],
  ['p50', 'us'],
  ['heap', 'kB/market'],
  ['start', 's'],
] as const;

const jobOf = (name: Case): Job => ({
  markets: Number.parseInt(name, 10),
  isScarce: name.endsWith('scarce'),
});

function tableOf(results: ReadonlyMap<Case, readonly Scale[]>): string {
  const cell = (values: readonly number[]): string => {
    const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((one) =>
      one.toFixed(1),
    );
    return `${middle} (${least}-${most})`.padStart(24);
  };
  const head = FIGURES.map(([figure, unit]) => `${figure}, ${unit}`.padStart(24)).join('');
  const rows = [...results].map(
    ([name, scales]) =>
      name.padEnd(14) + FIGURES.map(([figure]) => cell(scales.map((one) => one[figure]))).join(''),
  );
  return [`${'markets'.padEnd(14)}${head}`, ...rows].join('\n');
}
