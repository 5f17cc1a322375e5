import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { engineOptionsOf } from '../../../src/runs/live/engine-options.js';
import { bundledVenueOf } from '../../../src/runs/exchange/exchange.js';
import type { Micros } from '../../../src/domain/units.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { NO_CAUTIONS, NO_WINDOWS } from '../../../src/core/risk/index.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { engineOptionsFrom, type EngineStart, engineStartOf } from '../../../src/storage/index.js';

const HOUSE = fileURLToPath(new URL('../../simulation/house.yaml', import.meta.url));

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

test('a tape from before what was spent, or by how much clocks differ, was kept says that nothing was, and they do not', async () => {
  const options = await madeOptions();
  const instances = options.instances.map(({ instance }) => instance);
  const {
    spending: _spending,
    callsBefore: _callsBefore,
    venueAhead: _venueAhead,
    ...bare
  } = startOf({
    ...options,
    spending: { at: 1 as Micros, tokens: 2, requests: [4], blockedUntil: 5 as Micros },
  });
  const again = engineOptionsFrom(bare as EngineStart, { instances, random });
  expect(again).toMatchObject({ spending: null, callsBefore: 1, venueAhead: 0 });
});

test('a tape from before some cautions, or all of them, were kept names fewer: nothing was latched', async () => {
  const options = await madeOptions();
  const instances = options.instances.map(({ instance }) => instance);
  const { cautions, windows: _windows, ...bare } = startOf(options);
  const { losses: _losses, ...fewer } = cautions;
  for (const start of [bare, { ...bare, cautions: fewer }])
    expect(engineOptionsFrom(start as EngineStart, { instances, random })).toMatchObject({
      cautions: NO_CAUTIONS,
      windows: NO_WINDOWS,
    });
});
