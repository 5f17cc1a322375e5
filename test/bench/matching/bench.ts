import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CORE_TOTALS } from '../../support/exchange/core-totals.js';
import type { Ofw1Case, Ofw1Name, Ofw1Totals } from '../../support/matching/ofw1.js';
import { OFW1_CASES, OFW1_TOTALS, ofw1Book, recordOfw1 } from '../../support/matching/ofw1.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import type { Engine, PassTotals } from './engine.js';
import { exchangeCore } from './exchange-core.js';
import type { Flow } from './flow-file.js';
import { readFlow, writeFlow } from './flow-file.js';
import { nodejsOrderBook } from './nodejs-order-book.js';
import { oddsmith } from './oddsmith.js';

const OPERATIONS = 1_000_000;
/** The peer slows down with every order it holds: it gets the first part of `deep` only, which flatters it. */
const PEER_OPERATIONS: Record<Ofw1Name, number> = {
  steady: OPERATIONS,
  thin: OPERATIONS,
  requote: OPERATIONS,
  deep: 300_000,
};
const WARM_UP_PASSES = 3;
const COUNTED_PASSES = 7;
/** The whole core must be as fast in a process that nobody gave flags to. */
const NODE_DEFAULTS: readonly string[] = [];
/** Operations between two looks at a loop's code by the compiler. */
const CHUNK = 1000;

/** One measurement in a process of its own. */
interface Job {
  readonly measure: 'throughput' | 'latency' | 'cold';
  readonly engine: 'oddsmith' | 'nodejs-order-book' | 'exchange-core';
  readonly case: Ofw1Name;
  readonly operations: number;
  readonly flowFile: string;
  /** What the flow must lead to. */
  readonly totals: Ofw1Totals;
}

/** Measures the matching book on OFW1 against nodejs-order-book; prints three figures a case, the peer's, and the whole core's. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, Object.keys(OFW1_CASES) as Ofw1Name[]);
  const folder = mkdtempSync(join(tmpdir(), 'oddsmith-bench-'));
  try {
    for (const name of cases) await runCase(name, rounds, join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runCase(name: Ofw1Name, rounds: number, flowFile: string): Promise<void> {
  const { totals, ...flow } = recordOfw1(OFW1_CASES[name], OPERATIONS);
  expectTotals(totals, OFW1_TOTALS[name], `the recorder on ${name}`);
  writeFlow(flowFile, flow);
  const job = { case: name, operations: OPERATIONS, flowFile, totals, engine: 'oddsmith' } as const;
  const operations = PEER_OPERATIONS[name];
  const peerTotals = operations === OPERATIONS ? totals : recordOfw1(OFW1_CASES[name], operations).totals;
  const peerJob = { ...job, operations, totals: peerTotals, engine: 'nodejs-order-book' } as const;

  const coreJob = { ...job, totals: CORE_TOTALS[name], engine: 'exchange-core' } as const;

  const [ours, theirs, latencies, cold]: [number[], number[], number[], number[]] = [[], [], [], []];
  const core: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await fresh<number>('matching', { ...job, measure: 'throughput' }));
    theirs.push(await fresh<number>('matching', { ...peerJob, measure: 'throughput' }));
    latencies.push(await fresh<number>('matching', { ...job, measure: 'latency' }));
    cold.push(await fresh<number>('matching', { ...job, measure: 'cold' }));
    core.push(await fresh<number>('matching', { ...coreJob, measure: 'throughput' }, NODE_DEFAULTS));
  }
  const figure = { bench: 'matching', case: name };
  const speed = { figure: 'throughput', unit: 'ops/s' };
  const peers = { 'nodejs-order-book': theirs };
  printFigure({ ...figure, engine: 'oddsmith', ...speed, values: ours, peers });
  printFigure({ ...figure, engine: 'nodejs-order-book', ...speed, values: theirs });
  printFigure({ ...figure, engine: 'oddsmith', figure: 'p99.9', unit: 'us', values: latencies });
  printFigure({ ...figure, engine: 'oddsmith', figure: 'cold', unit: 'ops/s', values: cold });
  printFigure({ ...figure, engine: 'exchange-core', ...speed, unit: 'commands/s', values: core });
}

/** Does one measurement. @returns operations a second, or microseconds of the p99.9 operation */
export function job({ measure, engine: name, case: flowCase, operations, flowFile, totals }: Job): number {
  const flow = readFlow(flowFile, operations);
  const engine = engineOf(name, OFW1_CASES[flowCase]);
  const pass = (): number => throughput(engine, flow, totals);
  if (measure === 'cold') return pass();
  for (let at = 0; at < WARM_UP_PASSES; at++) pass();
  const counted = measure === 'latency' ? () => latency(engine, flow, totals) : pass;
  const values = Array.from({ length: COUNTED_PASSES }, counted);
  expectTotals(engine.check(flow), totals, `${name} on ${flowCase}`);
  return median(values);
}

function engineOf(name: Job['engine'], flowCase: Ofw1Case): Engine {
  if (name === 'exchange-core') return exchangeCore(flowCase);
  return name === 'oddsmith' ? oddsmith(ofw1Book(flowCase)) : nodejsOrderBook;
}

/** Runs a flow once. @returns operations a second */
function throughput(engine: Engine, flow: Flow, totals: Ofw1Totals): number {
  const pass = engine.start(flow);
  const start = performance.now();
  for (let at = 0; at < flow.count; at += CHUNK) pass.operations(at, Math.min(at + CHUNK, flow.count));
  const seconds = (performance.now() - start) / 1000;
  expectPass(pass.totals(), totals);
  return flow.count / seconds;
}

/** Runs a flow once, each operation timed with the clock's own 0.04 us in it. @returns microseconds, p99.9 */
function latency(engine: Engine, flow: Flow, totals: Ofw1Totals): number {
  const pass = engine.start(flow);
  const times = new Float64Array(flow.count);
  for (let at = 0; at < flow.count; at++) {
    const start = performance.now();
    pass.operations(at, at + 1);
    times[at] = performance.now() - start;
  }
  expectPass(pass.totals(), totals);
  return times.sort()[Math.floor(flow.count * 0.999)]! * 1000;
}

function expectPass(pass: PassTotals, totals: Ofw1Totals): void {
  if (pass.trades === totals.trades && pass.volume === totals.volume) return;
  throw new Error(`a pass gave ${JSON.stringify(pass)} instead of ${JSON.stringify(totals)}`);
}

function expectTotals(totals: Ofw1Totals, expected: Ofw1Totals, what: string): void {
  if (isDeepStrictEqual(totals, expected)) return;
  throw new Error(`${what} gave ${JSON.stringify(totals)} instead of ${JSON.stringify(expected)}`);
}
