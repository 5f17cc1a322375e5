import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { checkInstances, withChoice } from '../../../../src/runs/strategies/instances.js';
import {
  checkBotSettings,
  SettingsError,
  SettingsSource,
  loadBotSettings,
} from '../../../../src/settings/index.js';
import { ROOT } from '../../../support/project/small-house.js';

/** A configuration in the folder `config/`, with these instances. */
const configuration = (instances: string): string => `currencyMode: play_money
venue: null
exchange:
  accounts: [{ id: 1, username: m, email: m@example.org, publicKey: p, privateKey: s, balances: { OOM: "1" } }]
  events: [{ id: 873, title: Who, markets: [{ id: 2231, title: A }, { id: 2232, title: B }] }]
events: [{ id: 873, markets: [{ id: 2231 }, { id: 2232 }] }]
instances:
${instances}`;

const check = async (instances: string) => {
  const source = SettingsSource.parse(configuration(instances), 'config/bot.yaml', {});
  return checkInstances(checkBotSettings(source).settings, source, () => 100);
};
const complaint = async (instances: string): Promise<string> => {
  const error: unknown = await check(instances).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SettingsError);
  return (error as SettingsError).message;
};

describe('the instances of a configuration', () => {
  it('are several uses of strategies, each with its markets, parameters and limits', async () => {
    const instances = await check(`
  - { name: a, strategy: fixed-spread, markets: [2231], params: { levels: 3 } }
  - { name: b, strategy: ../test/support/strategies/calm-quotes.ts, markets: [2232], limits: { maxLoss: 5 } }`);
    expect(
      instances.map(({ instance, markets }) => [instance.name, instance.strategy.name, markets]),
    ).toEqual([
      ['a', 'fixed-spread', ['2231']],
      ['b', 'calm-quotes', ['2232']],
    ]);
    expect(instances[0]?.instance.parameters).toMatchObject({ levels: 3, halfSpread: 0.02 });
    expect(instances[1]?.limits.maxLoss).toBe(5_000_000);
  });

  it('name the place and the nearest name of an unknown strategy', async () => {
    expect(await complaint('  - { name: a, strategy: fixedspread, markets: [2231] }')).toMatch(
      /^config\/bot\.yaml:8:26 instances\[0\]\.strategy: there is no strategy named fixedspread; did you mean fixed-spread\?/,
    );
  });

  it('name line and key of what is wrong within lists, records and maps', async () => {
    const message = await complaint(`
  - name: a
    strategy: ../test/support/strategies/grouped.ts
    markets: [2231]
    params:
      bands:
        - { margin: 2 }
        - margin: 3
          margn: 4
        - margin: 11
      limits:
        near: far
        mode: cal
      weights:
        2231: 12`);
    expect(message.split('\n')).toEqual([
      'config/bot.yaml:16:11 instances[0].params.bands[1].margn: unknown parameter; did you mean margin?',
      'config/bot.yaml:17:11 instances[0].params.bands[2].margin: expected a number from 0 to 10, found 11',
      'config/bot.yaml:19:9 instances[0].params.limits.near: expected a number from 0 to 10, found "far"',
      'config/bot.yaml:20:9 instances[0].params.limits.mode: expected one of calm, bold, found "cal"',
      'config/bot.yaml:22:9 instances[0].params.weights.2231: expected a number from 0 to 10, found 12',
    ]);
  });

  it('name the place of every parameter that is not accepted, of all instances', async () => {
    const message = await complaint(`
  - { name: a, strategy: fixed-spread, markets: [2231], params: { halfSpred: 0.1, levels: 99 } }
  - { name: b, strategy: inventory-skew, markets: [2232], params: { range: 10%, magic: 1 } }`);
    expect(message.split('\n')).toEqual([
      'config/bot.yaml:9:67 instances[0].params.halfSpred: unknown parameter; did you mean halfSpread?',
      'config/bot.yaml:9:83 instances[0].params.levels: expected an integer (count) from 1 to 10, found 99',
      expect.stringMatching(
        /10:81 instances\[1\]\.params\.magic: expected one of the parameters halfSpread, .*, found "magic"$/,
      ),
      'config/bot.yaml:10:69 instances[1].params.range: expected a number (shares) from 0.01 to 1000000000 in steps of 0.01, found "10%"',
    ]);
  });
});

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
