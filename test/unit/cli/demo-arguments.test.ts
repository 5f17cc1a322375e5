import { join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import { runDemo } from '../../../src/cli/commands/demo.js';
import { runConfigurations } from '../../../src/cli/commands/run.js';
import { ROOT } from '../../support/project/small-house.js';
import { expectRefusal, ran } from '../../support/screen/told-command.js';

const DEMO = join(ROOT, 'config', 'demo.yaml');
const BACKTEST = join(ROOT, 'config', 'backtest.yaml');

describe('a demo', () => {
  it.each([
    [{ speed: 2 }, /^--speed is for a recording alone: add --recording/],
    [
      { strategy: 'nope' },
      /^--strategy nope: there is no strategy named nope; bundled are avellaneda-stoikov/,
    ],
    [{ strategy: 'fixedspread' }, /^--strategy fixedspread: .* did you mean fixed-spread\?/],
    [
      { strategy: './nowhere/mine.ts' },
      new RegExp(
        `^--strategy ./nowhere/mine.ts: the strategy file ${resolve('nowhere/mine.ts')} does not exist$`,
      ),
    ],
    [
      { strategy: 'fixed-spread', param: { halfSpred: '0.1', levels: '99' } },
      /^--param halfSpred: unknown parameter; did you mean halfSpread\? \(fixed-spread\)\n--param levels: expected an integer \(count\) from 1 to 10, found "99" \(fixed-spread\)$/,
    ],
    [
      { param: { levels: '2' } },
      /^--param levels: expected one of the parameters .*, found "levels" \(inventory-skew\)$/,
    ],
    [{ recording: 'nowhere', param: { levels: '99' } }, /^--param levels: expected an integer \(count\)/],
  ])('refuses %j and names what was typed', async (given, text) => {
    expectRefusal(await ran(() => runDemo({ json: false, config: DEMO, ...given })), text);
  });
});

describe('a file without a venue and an exchange', () => {
  it.each([
    ['run', () => runConfigurations([BACKTEST], { json: false, realMoney: false })],
    ['demo', () => runDemo({ json: false, config: BACKTEST })],
  ])('is sent from %s to a backtest', async (_name, command) => {
    expectRefusal(
      await ran(command),
      /has neither a venue nor an exchange .*: it is for oddsmith backtest \S+$/,
    );
  });
});
