import { join } from 'node:path';
import { describe, it } from 'vitest';
import { runDemo } from '../../../src/cli/commands/demo.js';
import { runConfiguration } from '../../../src/cli/commands/run.js';
import { ROOT } from '../../support/small-house.js';
import { expectRefusal, ran } from '../../support/told-command.js';

const BACKTEST = join(ROOT, 'config', 'backtest.yaml');

describe('a demo without a recording', () => {
  it.each([
    [
      { strategy: 'nope', param: { bogus: '1' } },
      /^--strategy, --param are for a recording alone: add --recording/,
    ],
    [{ speed: 2 }, /^--speed is for a recording alone: add --recording/],
  ])('refuses %j, which would do nothing', async (given, text) => {
    expectRefusal(await ran(() => runDemo({ json: false, ...given })), text);
  });
});

describe('a file without a venue and an exchange', () => {
  it.each([
    ['run', () => runConfiguration(BACKTEST, { json: false, realMoney: false })],
    ['demo', () => runDemo({ json: false, config: BACKTEST })],
  ])('is sent from %s to a backtest', async (_name, command) => {
    expectRefusal(
      await ran(command),
      /has neither a venue nor an exchange .*: it is for oddsmith backtest \S+$/,
    );
  });
});
