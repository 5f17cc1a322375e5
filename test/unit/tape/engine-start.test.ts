import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { engineOptionsOf } from '../../../src/app/engine-options.js';
import { bundledVenueOf } from '../../../src/app/bundled-venue.js';
import type { Micros } from '../../../src/domain/units.js';
import { seededRandom } from '../../../src/runtime/seeded-random.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { engineOptionsFrom, type EngineStart, engineStartOf } from '../../../src/tape/index.js';

const HOUSE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));

test('all that an engine is made of comes back from a tape, but for what has a state of its own', async () => {
  const { settings, source } = loadBotSettings(HOUSE, {});
  const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
  const venue = bundledVenueOf(settings.exchange!, address);
  const random = seededRandom(3);
  const made = await engineOptionsOf({ settings, venue, source, runId: 'run-1', random });
  const options = { ...made, informationWindows: new Map([[1, [{ from: 1, to: 2 }]]]) as never };
  const text = JSON.stringify(engineStartOf(options, 5 as Micros, 3));
  const start = JSON.parse(text) as EngineStart;
  const instances = options.instances.map(({ instance }) => instance);
  expect(engineOptionsFrom(start, { instances, random })).toEqual(options);
  expect(start).toMatchObject({ startedAt: 5, engineSeed: 3 });
});
