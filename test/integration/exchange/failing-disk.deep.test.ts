import { mkdtempSync, rmSync } from 'node:fs';
import type * as FileSystem from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  type DurableExchange,
  openDurableExchange,
} from '../../../src/runs/exchange/durable/durable-exchange.js';
import { micros, type Micros } from '../../../src/domain/units.js';
import type { Command } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { JournalError } from '../../../src/core/ports/journal.js';
import { snapshotAtOnce } from '../../support/exchange/durable-core.js';
import { visibleState } from '../../support/exchange/visible-state.js';
import type * as FailingDisk from '../../support/disk/failing-disk.js';
import { type Disk, type DiskFault, Killed } from '../../support/disk/failing-disk.js';
import { durableCommands, durableConfig } from '../../support/exchange/durable-commands.js';
import { SILENT } from '../../support/process/silent-logger.js';

const held = vi.hoisted(() => ({ disk: null as Disk | null }));

vi.mock('node:fs', async (original) => {
  const { Disk, onDisk } = await vi.importActual<typeof FailingDisk>('../../support/disk/failing-disk.js');
  held.disk = new Disk();
  return onDisk(await original<typeof FileSystem>(), held.disk);
});

const disk = (): Disk => held.disk!;
const SNAPSHOT_EVERY = 4;
const COMMANDS = durableCommands(19);

const timeOf = (index: number): Micros => micros(1_767_225_600_000_000 + 1_000 * index);

const stateOf = (exchange: Exchange): string => visibleState(exchange, durableConfig);

/** What the exchange is after the first so many commands. */
const STATES = (() => {
  const exchange = new Exchange(durableConfig);
  const states = [stateOf(exchange)];
  for (const [index, command] of COMMANDS.entries()) {
    exchange.execute(command, timeOf(index));
    states.push(stateOf(exchange));
  }
  return states;
})();

const open = (dir: string): DurableExchange =>
  openDurableExchange({
    dir,
    config: durableConfig,
    snapshotEvery: SNAPSHOT_EVERY,
    logger: SILENT,
    startSnapshot: snapshotAtOnce,
  });

/** A process that was killed leaves its lock, which the next one takes over; within one process it must go. */
function reopen(dir: string): DurableExchange {
  disk().set(null);
  rmSync(join(dir, 'lock'), { force: true });
  return open(dir);
}

/** Journals and executes one command as the funnel does, and gives what runs beside it its turn. */
async function execute({ exchange, log }: DurableExchange, index: number): Promise<void> {
  const command = COMMANDS[index] as Command;
  log.append({ sequence: index + 1, at: timeOf(index), command });
  exchange.execute(command, timeOf(index));
  await log.sync();
}

/** @returns how many commands were acknowledged; all of them when no fault struck */
async function runUntilKilled(dir: string): Promise<number> {
  let acknowledged = 0;
  let durable: DurableExchange | null = null;
  try {
    durable = open(dir);
    for (; acknowledged < COMMANDS.length; acknowledged++) await execute(durable, acknowledged);
  } catch (error) {
    if (!(error instanceof Killed) && !((error as Error).cause instanceof Killed)) throw error;
  }
  // A process that is dead does nothing any more; what it left in this one must not, either.
  await durable?.close().catch(() => undefined);
  return acknowledged;
}

/** Comes back, goes on to the end, comes back again. @returns the commands known at the first return */
async function goOn(dir: string): Promise<number> {
  const back = reopen(dir);
  const known = back.log.lastSequence;
  expect(stateOf(back.exchange)).toBe(STATES[known]);
  for (let index = known; index < COMMANDS.length; index++) await execute(back, index);
  await back.close();
  const again = reopen(dir);
  expect(stateOf(again.exchange)).toBe(STATES.at(-1));
  await again.close();
  return known;
}

async function inFolder(test: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'oddsmith-'));
  await test(dir);
  disk().set(null);
  rmSync(dir, { recursive: true, force: true });
}

/** Runs with a fault at every change in turn, until a run meets none. @returns the number of changes */
async function atEveryChange(
  fault: Omit<DiskFault, 'at'>,
  run: (dir: string) => Promise<unknown>,
  check: (dir: string, result: unknown) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at++) {
    let seen = 0;
    await inFolder(async (dir) => {
      disk().set({ ...fault, at });
      const result = await run(dir);
      seen = disk().changes;
      await check(dir, result);
    });
    if (seen < at) return seen;
  }
}

/** @returns the failures that a sender was told of */
async function runToTheEnd(dir: string): Promise<number> {
  let durable = await opened(dir);
  let told = 0;
  for (let index = 0; index < COMMANDS.length;) {
    try {
      await execute(durable, index);
      index += 1;
    } catch (error) {
      if (!(error instanceof JournalError) || stateOf(durable.exchange) !== STATES[index]) throw error;
      told += 1;
      // A log that could not take half a line back takes nothing more: somebody starts the exchange anew.
      if (told > 6) durable = await restarted(dir, durable, index);
    }
  }
  await durable.close().catch(() => undefined);
  return told;
}

async function opened(dir: string): Promise<DurableExchange> {
  try {
    return open(dir);
  } catch {
    return reopen(dir);
  }
}

async function restarted(dir: string, durable: DurableExchange, index: number): Promise<DurableExchange> {
  await durable.close().catch(() => undefined);
  const back = reopen(dir);
  expect(back.log.lastSequence).toBe(index);
  return back;
}

describe('a durable exchange', () => {
  it.each([
    ['between two changes', false],
    ['in the middle of a write', true],
  ])(
    'killed %s of its folder, whichever, comes back with every acknowledged command',
    async (_, halfWrites) => {
      const changes = await atEveryChange(
        { kind: 'kill', changes: 0, halfWrites },
        runUntilKilled,
        async (dir, acknowledged) => {
          const known = await goOn(dir);
          // A command that was logged but not answered is known, too: its sender asks again under its key.
          expect([acknowledged, Number(acknowledged) + 1]).toContain(known);
        },
      );
      expect(changes).toBeGreaterThan(50);
    },
  );

  it.each([
    [1, true],
    [4, false],
    [12, true],
  ])(
    'on a disk that is full for %i changes refuses what it cannot keep and loses nothing',
    async (changes, halfWrites) => {
      await atEveryChange({ kind: 'full', changes: changes - 1, halfWrites }, runToTheEnd, async (dir) => {
        expect(await goOn(dir)).toBe(COMMANDS.length);
      });
    },
  );
});
