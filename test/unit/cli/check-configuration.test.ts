import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../../src/cli/commands/config.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { ran } from '../../support/screen/told-command.js';

const VALID = `backtest: { recordings: [a] }
events: [{ id: 1, markets: [{ id: 11 }, { id: 12 }] }]
instances:
  - { name: a, strategy: fixed-spread, markets: [11], params: { shares: 5 } }
  - { name: b, strategy: inventory-skew, markets: [12], params: { range: 100 } }
`;

/** What is said of a file, line by line, without its name. */
async function told(text: string): Promise<readonly string[]> {
  const file = join(scratchFolder(), 'bot.yaml');
  writeFileSync(file, text);
  return (await ran(() => checkConfiguration(file))).text.trim().replaceAll(`${file}:`, '').split('\n');
}

describe('oddsmith config check', () => {
  const wrong = VALID.replace('shares: 5', 'shares: -5').replace('range: 100', 'ragne: 100');
  const ofParameters = [
    '4:65 instances[0].params.shares: expected a number (shares) from 0.01 to 1000000000 in steps of 0.01, found -5',
    '5:67 instances[1].params.ragne: unknown parameter; did you mean range?',
  ];

  it('tells what strategies do not accept together with what the file has wrong', async () => {
    expect(await told(`${wrong}sead: 5\n`)).toEqual([
      ...ofParameters,
      '6:1 sead: unknown key; did you mean seed?',
    ]);
    expect(await told(wrong.replace('markets: [12]', 'markets: [11, 13]'))).toEqual([
      ofParameters[0],
      '5:52 instances[1].markets[0]: market 11 is already quoted by a; one market, one instance',
      '5:56 instances[1].markets[1]: market 13 is not among the markets under events',
      '5:71 instances[1].params.ragne: unknown parameter; did you mean range?',
    ]);
  });

  it('goes on where a strategy cannot be found, or an instance is none', async () => {
    expect(await told(`${wrong.replace('fixed-spread', './nowhere.ts')}sead: 5\n`)).toEqual([
      expect.stringMatching(
        /^4:26 instances\[0\]\.strategy: the strategy file .*nowhere\.ts does not exist$/,
      ),
      ofParameters[1],
      '6:1 sead: unknown key; did you mean seed?',
    ]);
    expect(await told(`${VALID}  - 7\n  - { name: c, strategy: 5, params: 6, markets: [12] }\n`)).toEqual([
      expect.stringMatching(/^6:5 instances\[2\]: expected keys with values, found 7$/),
      expect.stringMatching(/^7:26 instances\[3\]\.strategy: expected text, found 5$/),
      expect.stringMatching(/^7:37 instances\[3\]\.params: expected keys with values, found 6$/),
    ]);
  });

  it('tells which path or value of a sweep is not accepted, where the file has it', async () => {
    const sweeping = (parameters: string) => told(`${VALID}sweep:\n  parameters:\n    ${parameters}\n`);
    expect(await sweeping('instances.a.params.shares: [5, 10]\n    instances.b.params.range: [50]')).toEqual([
      expect.stringContaining('valid'),
      expect.anything(),
    ]);
    expect(await sweeping('instances.c.params.shares: [5]\n    instances.b.params.ragne: [5]')).toEqual([
      '8:5 sweep.parameters.instances.c.params.shares: instances has no item c: expected a place from 0, or a name or id',
    ]);
    expect(await sweeping('instances.a.params.shares: [5]\n    instances.b.params.ragne: [5]')).toEqual([
      '9:5 sweep.parameters.instances.b.params.ragne: unknown parameter; did you mean range?',
    ]);
    expect(await sweeping('instances.a.params.shares: [5, -1]')).toEqual([
      expect.stringMatching(/^8:5 sweep\.parameters\..*shares: expected a number .* found -1$/),
    ]);
    expect(await sweeping('instances.a.markets.0: [12]')).toEqual([
      expect.stringMatching(
        /^8:5 sweep\.parameters: with instances\.a\.markets\.0=12: instances\[1\]\.markets\[0\]: market 12 is/,
      ),
    ]);
  });
});
