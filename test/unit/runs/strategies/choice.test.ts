import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withChoice } from '../../../../src/runs/strategies/choice.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { ROOT } from '../../../support/project/small-house.js';

const DEMO = loadBotSettings(join(ROOT, 'config', 'demo.yaml'), {});
const MINE = 'test/support/strategies/calm-quotes.ts';

const chosen = async (strategy: string | null, parameters: Readonly<Record<string, string>> = {}) =>
  (await withChoice(DEMO, { strategy, parameters })).instances.map((one) => [
    one.name,
    one.strategy,
    one.params,
  ]);

describe('a strategy of the command line', () => {
  it('quotes for every instance of the file, with its own parameters, from the working directory', async () => {
    expect(await chosen(`./${MINE}`)).toEqual([
      ['rain', join(process.cwd(), MINE), {}],
      ['cup', join(process.cwd(), MINE), {}],
    ]);
    expect(await chosen('fixed-spread', { levels: '3' })).toEqual([
      ['rain', 'fixed-spread', { levels: '3' }],
      ['cup', 'fixed-spread', { levels: '3' }],
    ]);
  });

  it('left out, parameters come on top of those of the file', async () => {
    expect(await chosen(null, { shares: '5' })).toEqual([
      ['rain', 'fixed-spread', { ...DEMO.settings.instances[0]!.params, shares: '5' }],
      ['cup', 'inventory-skew', { ...DEMO.settings.instances[1]!.params, shares: '5' }],
    ]);
    expect(await withChoice(DEMO, { strategy: null, parameters: {} })).toEqual(DEMO.settings);
  });
});
