import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import { bundledVenueOf } from '../../../../src/runs/exchange/exchange.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { EngineOptions } from '../../../../src/core/engine/options.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { engineOptionsFrom, type EngineStart, engineStartOf } from '../../../../src/storage/index.js';

const HOUSE = fileURLToPath(new URL('../../../simulation/house.yaml', import.meta.url));

const random = seededRandom(3);

async function madeOptions(): Promise<EngineOptions> {
  const { settings, source } = loadBotSettings(HOUSE, {});
  const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
  const venue = bundledVenueOf(settings.exchange!, address);
  return engineOptionsOf({ settings, venue, source, runId: 'run-1', random });
}

/** As a tape gives it back. */
const startOf = (options: EngineOptions): EngineStart =>
  JSON.parse(JSON.stringify(engineStartOf(options, 5 as Micros, 3))) as EngineStart;

test('all that an engine is made of comes back from a tape, but for what has a state of its own', async () => {
  const made = await madeOptions();
  const options = { ...made, informationWindows: new Map([[1, [{ from: 1, to: 2 }]]]) as never };
  const start = startOf(options);
  const instances = options.instances.map(({ instance }) => instance);
  expect(engineOptionsFrom(start, { instances, random })).toEqual(options);
  expect(start).toMatchObject({ startedAt: 5, engineSeed: 3 });
});
