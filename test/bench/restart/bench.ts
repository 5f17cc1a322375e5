import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DurableOptions,
  openDurableExchange,
  makeSnapshot,
} from '../../../src/runs/exchange/durable/durable-exchange.js';
import { micros } from '../../../src/domain/units.js';
import { RETENTION } from '../../../src/exchange/defaults.js';
import { durableCommands, durableConfig } from '../../support/exchange/durable-commands.js';
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { SILENT } from '../../support/process/silent-logger.js';

const CONFIG = { ...durableConfig, retention: RETENTION };
const NEVER = 1_000_000_000;
const SNAPSHOT_EVERY = 100_000;
/** The log syncs what was written between turns of the event loop, as it does under requests. */
const COMMANDS_A_TURN = 20;
const START = 1_767_225_600_000_000;

/** One step in a process of its own: filling a folder, or starting from it. */
export interface Job {
  readonly step: 'fill' | 'start';
  readonly dir: string;
  readonly commands: number;
  readonly snapshotEvery: number;
}

/** Measures how long a durable exchange takes to come back, by the number of commands, with snapshots and without. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, ['200000', '250000', '1000000'] as const);
  for (const name of cases) await runCase(Number(name), rounds);
}

async function runCase(commands: number, rounds: number): Promise<void> {
  const withSnapshots = await filled(commands, SNAPSHOT_EVERY);
  const without = await filled(commands, NEVER);
  const starts = { snapshots: [] as number[], log: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    starts.snapshots.push(await fresh<number>('restart', { ...withSnapshots, step: 'start' }));
    starts.log.push(await fresh<number>('restart', { ...without, step: 'start' }));
  }
  for (const { dir } of [withSnapshots, without]) rmSync(dir, { recursive: true, force: true });
  const figure = { bench: 'restart', case: `${commands} commands`, unit: 'ms' };
  printFigure({
    ...figure,
    engine: 'snapshots',
    figure: 'start',
    values: starts.snapshots,
    peers: { log: starts.log },
  });
  printFigure({ ...figure, engine: 'log', figure: 'start', values: starts.log });
  const longest = { ...figure, figure: 'longest command' };
  printFigure({ ...longest, engine: 'snapshots', values: [withSnapshots.longestMs] });
  printFigure({ ...longest, engine: 'log', values: [without.longestMs] });
}

async function filled(commands: number, snapshotEvery: number) {
  const job = { dir: mkdtempSync(join(tmpdir(), 'restart-')), commands, snapshotEvery };
  return { ...job, longestMs: await fresh<number>('restart', { ...job, step: 'fill' }) };
}

/** @returns milliseconds: of the longest command while filling, or of the start */
export const job = (given: Job): Promise<number> => (given.step === 'fill' ? fill(given) : start(given));

/** Snapshots are made afterwards, so that what is timed is what the exchange itself does for them. */
async function fill({ dir, commands, snapshotEvery }: Job): Promise<number> {
  const durable = openDurableExchange(optionsOf(dir, snapshotEvery));
  let longestMs = 0;
  for (const [index, command] of durableCommands(commands).entries()) {
    const at = micros(START + 1_000 * index);
    const before = performance.now();
    durable.log.append({ sequence: index + 1, at, command });
    durable.exchange.execute(command, at);
    longestMs = Math.max(longestMs, performance.now() - before);
    if (index % COMMANDS_A_TURN === 0) await nextTurn();
  }
  await durable.close();
  for (const sequence of endsOf(commands, snapshotEvery)) makeSnapshot(dir, CONFIG, sequence);
  return longestMs;
}

/** The last two files that ended: what is before them is not kept. */
const endsOf = (commands: number, snapshotEvery: number): readonly number[] =>
  Array.from(
    { length: Math.floor((commands - 1) / snapshotEvery) },
    (_, index) => (index + 1) * snapshotEvery,
  ).slice(-2);

async function start({ dir, commands, snapshotEvery }: Job): Promise<number> {
  const before = performance.now();
  const durable = openDurableExchange(optionsOf(dir, snapshotEvery));
  const ms = performance.now() - before;
  if (durable.log.lastSequence !== commands)
    throw new Error(`${durable.log.lastSequence} of ${commands} came back`);
  await durable.close();
  return ms;
}

const optionsOf = (dir: string, snapshotEvery: number): DurableOptions => ({
  dir,
  config: CONFIG,
  snapshotEvery,
  logger: SILENT,
  startSnapshot: () => ({ made: Promise.resolve(), stop: () => Promise.resolve() }),
});
