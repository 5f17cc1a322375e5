/**
 * What a reader of the page costs the engine: 200 markets with ten book updates a second each, `alone` and with a `reader` of the
 * stream in a process of its own.
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
const SECONDS = 10;
const WARM_UP_S = 5;
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

/** One measurement, in a process of its own. */
export async function job({ case: name }: { readonly case: Case }): Promise<Times> {
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
  const reader = name === 'reader' ? await readerOf(listener.url) : null;
  const times = await feed(rig, SECONDS);
  const bytes = reader === null ? 0 : await reader.end();
  await listener.close();
  return { ...times, bytes };
}

/** Gives every update when it is due, as the wire would. */
async function feed(rig: Rig, seconds: number): Promise<Omit<Times, 'bytes'>> {
  const count = MARKETS * UPDATES_PER_S * seconds;
  const apartMs = 1_000 / (MARKETS * UPDATES_PER_S);
  const steps = new Float64Array(count);
  const delays = new Float64Array(count);
  const start = performance.now();
  for (let done = 0; done < count;) {
    for (; done < count && performance.now() >= start + done * apartMs; done += 1) {
      steps[done] = step(rig, done);
      delays[done] = performance.now() - (start + done * apartMs);
    }
    await pause(1);
  }
  steps.sort();
  delays.sort();
  const at = (values: Float64Array, share: number): number => values[Math.floor(values.length * share)]!;
  return { p50: at(steps, 0.5), p99: at(steps, 0.99), delayP99: at(delays, 0.99) };
}

function step(rig: Rig, update: number): number {
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

/** Measures both cases once a round, and prints them. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  const results = new Map<Case, Times[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of cases) results.get(name)?.push(await fresh<Times>('page', { case: name }));
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
