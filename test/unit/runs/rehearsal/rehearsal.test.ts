import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgreeableVenue } from '../../../../src/runs/rehearsal/agreeable-venue.js';
import { Rehearsal } from '../../../../src/runs/rehearsal/rehearsal.js';
import { micros } from '../../../../src/domain/units.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const NOW = micros(1_790_000_000_000_000);
/** What the engine asks before it quotes takes some plays. */
const FIRST_PLAYS = 40;

async function opened(dir = scratchFolder()): Promise<{ rehearsal: Rehearsal; broken: unknown[] }> {
  const broken: unknown[] = [];
  const onBroken = (error: unknown): number => broken.push(error);
  const rehearsal = await Rehearsal.open({ nested: 'python', dir, startedAt: NOW, onBroken });
  return { rehearsal, broken };
}

/** The loop turns ten times a millisecond. @returns requests about orders meanwhile */
async function played(rehearsal: Rehearsal, fromMs: number, forMs: number): Promise<number> {
  const before = rehearsal.requests;
  for (let tenth = 1; tenth <= forMs * 10; tenth++) {
    rehearsal.turn(fromMs + tenth / 10);
    await turn();
  }
  return rehearsal.requests - before;
}

afterEach(() => vi.restoreAllMocks());

describe('a rehearsal', () => {
  it('moves twenty orders in one request at every play, and knows of twenty at the end', async () => {
    const { rehearsal, broken } = await opened();
    const answered = vi.spyOn(AgreeableVenue.prototype, 'answer');
    await played(rehearsal, 0, FIRST_PLAYS * 2);
    answered.mockClear();
    const requests = await played(rehearsal, FIRST_PLAYS * 2, 200);
    expect(broken).toEqual([]);
    expect(requests).toBeGreaterThan(100);
    const bodies = answered.mock.calls.map(([{ path, body }]) => ({ path, body }));
    expect(new Set(bodies.map(({ path }) => path))).toEqual(new Set(['/orders/batch-update/']));
    const items = bodies.map(({ body }) => (JSON.parse(body!) as { orders: unknown[] }).orders.length);
    expect(new Set(items)).toEqual(new Set([20]));
    rehearsal.close();
  });

  it('does nothing before a millisecond has passed, and nothing once it is closed', async () => {
    const { rehearsal } = await opened();
    await played(rehearsal, 0, FIRST_PLAYS * 2);
    const pieces = 20;
    for (let piece = 0; piece < pieces; piece++) {
      rehearsal.turn(1_000);
      await turn();
    }
    const before = rehearsal.requests;
    for (let piece = 0; piece < pieces; piece++) {
      rehearsal.turn(1_000.5);
      await turn();
    }
    expect(rehearsal.requests).toBe(before);
    rehearsal.close();
    expect(await played(rehearsal, 2_000, 10)).toBe(0);
  });

  it('leaves no file behind', async () => {
    const dir = scratchFolder();
    const { rehearsal } = await opened(dir);
    await played(rehearsal, 0, 10);
    expect(readdirSync(dir)).toEqual([]);
    rehearsal.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is over when something fails, says so once, and throws nothing', async () => {
    const { rehearsal, broken } = await opened();
    await played(rehearsal, 0, FIRST_PLAYS);
    const failure = new Error('planted');
    vi.spyOn(AgreeableVenue.prototype, 'answer').mockImplementation(() => {
      throw failure;
    });
    await played(rehearsal, FIRST_PLAYS, 20);
    expect(broken).toEqual([failure]);
    expect(await played(rehearsal, 2 * FIRST_PLAYS, 20)).toBe(0);
  });

  it('says where it cannot write', async () => {
    await expect(opened(join(scratchFolder(), 'missing'))).rejects.toThrow(/ENOENT/);
  });
});
