/**
 * What a reader of the page costs the engine: 200 markets with ten book updates a second each, `alone` and with a `reader` of the
 * stream in a process of its own. One process measures both in blocks that take turns, so that what the machine does besides
 * falls on both.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Micros } from '../../../src/domain/units.js';
import { readinessOf, startListener } from '../../../src/ops/http/listener.js';
import { LiveApi } from '../../../src/runs/api/bot-api.js';
import { Recent } from '../../../src/runs/api/recent.js';
import { engineOptionsOfHouse, houseOf } from '../engine/house.js';
import { Rig } from '../engine/rig.js';
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';

const CASES = ['alone', 'reader'] as const;
type Case = (typeof CASES)[number];

const MARKETS = 200;
const UPDATES_PER_S = 10;
/** Each case is measured in so many blocks of so many seconds, after so many that do not count. */
const BLOCKS = 3;
const SECONDS = 2.5;
const SETTLE_S = 0.5;
const WARM_UP_S = 3;
/** Fewer than elsewhere: a round takes 25 seconds. */
const ROUNDS = '3';
const MID = 45;
/** Every so-manieth update moves the price, so that orders are replaced. */
const MOVES = 10;

export interface Times {
  /** Microseconds of one step. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds from when an update was due until it was decided. */
  readonly delayP99: number;
  /** Bytes that the reader got; 0 without one. */
  readonly bytes: number;
}

/** One measurement of these cases, in a process of its own. */
export async function job({
  cases,
}: {
  readonly cases: readonly Case[];
}): Promise<Partial<Record<Case, Times>>> {
  const house = houseOf(MARKETS);
  const recent = new Recent();
  const rig = new Rig(await engineOptionsOfHouse(house), MID, recent);
  const nothing = (): void => undefined;
  const api = new LiveApi({
    ...house,
    inUse: () => house,
    engine: rig.engine,
    recent,
    venue: house.settings.venue!,
    account: '1',
    runId: 'bench',
    clock: { now: () => rig.now, monotonic: () => rig.now, at: () => nothing },
    logger: { warn: nothing },
    readiness: readinessOf,
    command: nothing,
    note: nothing,
    kill: nothing,
    resume: () => true,
  });
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    readiness: () => ({ ready: true, reasons: [] }),
    commands: null,
    secret: 'of-this-bench-alone',
    api,
  });
  await feed(rig, WARM_UP_S);
  const taken = new Map<Case, Taken>(cases.map((name) => [name, { steps: [], delays: [], bytes: 0 }]));
  // One after the other, and the other way round: what drifts falls on both.
  for (let block = 0; block < BLOCKS; block += 1)
    for (const name of block % 2 === 0 ? cases : cases.toReversed())
      await measure(rig, taken.get(name)!, name === 'reader' ? await readerOf(listener.url) : null);
  await listener.close();
  return Object.fromEntries([...taken].map(([name, one]) => [name, timesOf(one)]));
}

/** What was measured of one case so far. */
interface Taken {
  readonly steps: number[];
  readonly delays: number[];
  bytes: number;
}

async function measure(
  rig: Rig,
  taken: Taken,
  reader: Awaited<ReturnType<typeof readerOf>> | null,
): Promise<void> {
  await feed(rig, SETTLE_S);
  const { steps, delays } = await feed(rig, SECONDS);
  for (const value of steps) taken.steps.push(value);
  for (const value of delays) taken.delays.push(value);
  if (reader !== null) taken.bytes += await reader.end();
}

function timesOf({ steps, delays, bytes }: Taken): Times {
  const at = (values: readonly number[], share: number): number =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]!;
  return { p50: at(steps, 0.5), p99: at(steps, 0.99), delayP99: at(delays, 0.99), bytes };
}

/** Gives every update when it is due, as the wire would. */
async function feed(rig: Rig, seconds: number): Promise<Record<'steps' | 'delays', Float64Array>> {
  const count = MARKETS * UPDATES_PER_S * seconds;
  const apartMs = 1_000 / (MARKETS * UPDATES_PER_S);
  const steps = new Float64Array(count);
  const delays = new Float64Array(count);
  const start = performance.now();
  for (let done = 0; done < count;) {
    for (; done < count && performance.now() >= start + done * apartMs; done += 1) {
      steps[done] = step(rig);
      delays[done] = performance.now() - (start + done * apartMs);
    }
    await pause(1);
  }
  return { steps, delays };
}

let updates = 0;

function step(rig: Rig): number {
  const update = updates++;
  rig.now = (rig.now + 1_000_000 / (MARKETS * UPDATES_PER_S)) as Micros;
  const market = rig.markets[update % MARKETS]!;
  const round = Math.floor(update / MARKETS);
  const mid = round % (2 * MOVES) < MOVES ? MID : MID + 1;
  const input = rig.stamp(rig.book(market, mid, 100 * (round % 100)));
  const before = performance.now();
  const effects = rig.engine.step(input);
  const us = (performance.now() - before) * 1_000;
  rig.answer(effects);
  return us;
}

const READS = `
const response = await fetch(process.argv[1]);
let bytes = 0;
process.on('message', () => { process.send(bytes); process.exit(); });
process.send('ready');
for await (const chunk of response.body) bytes += chunk.length;
`;

/** Reads the stream in another process. */
async function readerOf(url: string) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '-e', READS, `${url}/api/stream`],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  return {
    end: async (): Promise<number> => {
      child.send('end');
      const [bytes] = (await once(child, 'message')) as [number];
      if (bytes === 0) throw new Error('the reader got nothing');
      return bytes;
    },
  };
}

/** Measures the cases in every round, and prints them. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(['--rounds', ROUNDS, ...args], CASES);
  const results = new Map<Case, Times[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const times = await fresh<Partial<Record<Case, Times>>>('page', { cases });
    for (const name of cases) results.get(name)!.push(times[name]!);
  }
  for (const [name, times] of results)
    for (const [figure, unit] of FIGURES) {
      const values = times.map((one) => one[figure]);
      const alone = results.get('alone');
      const peers =
        name === 'reader' && alone !== undefined ? { alone: alone.map((one) => one[figure]) } : undefined;
      printFigure({
        bench: 'page',
        case: name,
        engine: 'oddsmith',
        figure,
        unit,
        values,
        ...(peers !== undefined && figure !== 'bytes' && { peers }),
      });
    }
}

const FIGURES = [
  ['p50', 'us'],
  ['p99', 'us'],
  ['delayP99', 'ms'],
  ['bytes', 'bytes'],
] as const;
