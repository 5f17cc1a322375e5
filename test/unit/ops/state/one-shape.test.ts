import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { assembleEngine } from '../../../../src/core/engine/assembly.js';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import type { Micros } from '../../../../src/domain/units.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { loadBotSettings, venueRulesSchema } from '../../../../src/settings/index.js';

const CONFIG = join(import.meta.dirname, '../../../../config/backtest.yaml');
/** More than a function is run before what it makes is made another way. */
const RUNS = 24;

setFlagsFromString('--allow-natives-syntax');
const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

test('what every step reads has one shape in all runs of a process, or compiled code would be thrown away', async () => {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await readByEveryStep());
  const [first, ...others] = runs;
  for (const other of others)
    for (const [name, made] of Object.entries(other))
      expect([name, haveSameShape(first![name]!, made)]).toStrictEqual([name, true]);
});

async function readByEveryStep(): Promise<Readonly<Record<string, object>>> {
  const { settings, source } = loadBotSettings(CONFIG, {}, []);
  const venue = venueRulesSchema.parse({});
  const options = await engineOptionsOf({ settings, source, venue, random: seededRandom(1), runId: 'test' });
  const { terms } = assembleEngine(options, 0 as Micros, new Map(), null);
  const { quoting, budget, settlement, instances } = options;
  const [marketTerms] = terms.values();
  const { parameters } = instances[0]!.instance;
  return { quoting, preClose: quoting.preClose, budget, settlement, marketTerms: marketTerms!, parameters };
}
