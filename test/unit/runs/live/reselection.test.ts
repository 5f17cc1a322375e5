import { expect, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EventId, eventId } from '../../../../src/domain/ids.js';
import { VenueUnreachableError } from '../../../../src/domain/errors.js';
import type { Micros } from '../../../../src/domain/units.js';
import { keptSelection, rememberSelection } from '../../../../src/ops/state/selection-file.js';
import { Listening, reselecting } from '../../../../src/runs/live/reselection.js';
import type { Wanted } from '../../../../src/runs/live/reload.js';
import { loadBotSettings, NOTHING_CHOSEN, ofShard, shardOfEvent } from '../../../../src/settings/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';

const FILE = fileURLToPath(new URL('../../../../config/local.yaml', import.meta.url));
const SHARDED = loadBotSettings(FILE, { ODDSMITH_PRIVATE_KEY: 'key' }, [
  'sharding={ of: 2, shard: 1 }',
]).settings;

it('begins once a file that is taken over selects markets, and rests while none does', async () => {
  const clock = new VirtualClock(0 as Micros);
  let everyMs: number | null = null;
  let asked = 0;
  const stop = reselecting({
    clock,
    logger: { info: () => undefined, warn: () => undefined },
    everyMs: () => everyMs,
    inTurn: (work) => work(),
    select: () => Promise.resolve({ settings: {}, source: {}, chosen: null } as never),
    take: () =>
      Promise.resolve({ problem: null, changes: [String((asked += 1))], refused: [], isApplied: true }),
  });
  const pass = async (): Promise<number> => {
    for (let second = 0; second < 30; second += 1) {
      clock.advanceTo((clock.now() + 1_000_000) as Micros);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return asked;
  };
  expect(await pass()).toBe(0);
  everyMs = 1_000;
  const begun = await pass();
  expect(begun).toBeGreaterThan(10);
  everyMs = null;
  expect(await pass()).toBeLessThanOrEqual(begun + 1);
  stop();
});

it('asks the venue again and again, takes over what it says, and leaves all as it is when it does not answer', async () => {
  const clock = new VirtualClock(0 as Micros);
  const told: string[] = [];
  let answers = true;
  const stop = reselecting({
    clock,
    logger: { info: (text) => void told.push(text), warn: (text) => void told.push(text) },
    everyMs: () => 1_000,
    inTurn: (work) => work(),
    select: () =>
      answers
        ? Promise.resolve({ settings: {}, source: {}, chosen: null } as never)
        : Promise.reject(new VenueUnreachableError('no answer')),
    take: () => Promise.resolve({ problem: null, changes: ['a joins'], refused: [], isApplied: true }),
  });
  const pass = async (): Promise<void> => {
    clock.advanceTo((clock.now() + 1_000_000) as Micros);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await pass();
  answers = false;
  await pass();
  stop();
  await pass();
  expect(told).toEqual(['markets of the venue were taken over', 'the markets stay as they are: no answer']);
});

it('hears the events of its shard alone', () => {
  const heard: string[] = [];
  const events = Array.from({ length: 20 }, (_, id) => ({ id: eventId(id + 1), markets: [] }));
  const stated = { settings: { ...SHARDED, events: events as never } } as never;
  const listening = new Listening({
    clock: new VirtualClock(0 as Micros),
    feed: { follow: (ids) => void heard.push(...ids) },
    inUse: () => ({ settings: ofShard((stated as Wanted).settings), stated }),
    view: () => ({ markets: [] }),
  });
  listening.changed();
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(20);
  expect(heard.map((id) => shardOfEvent(id as EventId, 2))).toEqual(heard.map(() => 1));
});

it('warns where the choice cannot be written down, and goes on', () => {
  const told: string[] = [];
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, '');
  const selection = join(file, 'selection.json');
  rememberSelection({ selection }, NOTHING_CHOSEN, { warn: (text) => void told.push(text) });
  expect(told).toEqual(['the markets of the run could not be written down']);
  expect(keptSelection({ selection })).toEqual(NOTHING_CHOSEN);
});
