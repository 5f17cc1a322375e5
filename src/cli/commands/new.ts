/** `oddsmith new strategy`: a strategy, its test and a file to try it with, for a person to go on from. */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { isStrategyName } from '../../core/strategy/registry.js';
import { bundledStrategies } from '../../runs/strategies/strategies.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { print } from '../output.js';

export interface NewStrategyArguments {
  /** The working directory when left out; made when missing. */
  readonly dir?: string;
}

const PACKAGE = dirname(createRequire(import.meta.url).resolve('oddsmith/package.json'));
const RECORDING = join(PACKAGE, 'config/recordings/synthetic-rain.ndjson.gz');

/** @throws UsageError for a name that cannot be one, a file that is there, or a folder that takes none */
export function newStrategy(name: string, { dir = '.' }: NewStrategyArguments): ExitCode {
  refuseName(name);
  const folder = resolve(dir);
  if (`${folder}/`.startsWith(`${join(PACKAGE, 'strategies')}/`))
    throw new UsageError(`--dir ${dir}: this folder is compiled with the program; name one of your own`);
  const files = strategyFiles(name, relative(folder, RECORDING));
  const there = [...files.keys()].filter((file) => existsSync(join(folder, file)));
  if (there.length > 0)
    throw new UsageError(
      `${there.map((file) => join(folder, file)).join(', ')}: already there; nothing was written. Choose another name or --dir`,
    );
  makeFolder(folder);
  for (const [file, text] of files) writeFileSync(join(folder, file), text, { flag: 'wx' });
  print(...[...files.keys()].map((file) => `wrote ${join(folder, file)}`), ...nextSteps(name, folder));
  return EXIT.clean;
}

function refuseName(name: string): void {
  if (!isStrategyName(name))
    throw new UsageError(
      `${JSON.stringify(name)} is no name of a strategy; expected one such as my-strategy`,
    );
  if (bundledStrategies().includes(name))
    throw new UsageError(`${name} is the name of a bundled strategy; choose another`);
}

function nextSteps(name: string, folder: string): readonly string[] {
  const here = relative(process.cwd(), folder);
  const file = (ending: string): string => join(here, `${name}${ending}`);
  return [
    'try it:',
    `  npx oddsmith config check ${file('.yaml')}`,
    `  npx oddsmith backtest ${file('.yaml')}`,
    `  npx oddsmith run ${file('.yaml')} --for 1m`,
    `  node --import tsx --test ${file('.test.ts')}`,
  ];
}

/** Texts by the name of their file. @param recording its path from the folder of the files */
export const strategyFiles = (name: string, recording: string): ReadonlyMap<string, string> =>
  new Map([
    [`${name}.ts`, strategyText(name)],
    [`${name}.test.ts`, testText(name)],
    [`${name}.yaml`, configurationText(name, recording)],
  ]);

const strategyText = (name: string): string => `\
import { defineStrategy, NO_QUOTES, param, passiveAsk, passiveBid, quoteAt } from 'oddsmith/sdk';

/** Quotes both sides, wider after every change of its fair value, and calms down again. */
export default defineStrategy({
  name: '${name}',
  params: {
    halfSpread: param.probability({
      default: 0.01,
      min: 0.001,
      max: 0.2,
      help: 'distance from fair when calm',
    }),
    nervousness: param.ratio({
      default: 2,
      min: 0,
      max: 20,
      help: 'spread added per unit of recent movement',
    }),
    shares: param.shares({ default: 10, min: 1, help: 'shares on each side' }),
    maxInventory: param.shares({ default: 100, help: 'net shares at which a side stops' }),
  },
  initialState: { fair: 0, movement: 0 },
  quote(context) {
    const { fair, inventory, params, state } = context;
    if (fair === null) return NO_QUOTES;
    const change = state.fair === 0 ? 0 : Math.abs(fair.p - state.fair);
    const movement = 0.9 * state.movement + change;
    const distance = params.halfSpread + params.nervousness * movement;
    const bid = passiveBid(fair.p - distance, context);
    const ask = passiveAsk(fair.p + distance, context);
    const buys = bid !== null && inventory.net < params.maxInventory;
    const sells = ask !== null && inventory.net > -params.maxInventory;
    return {
      bids: buys ? [quoteAt(bid, params.shares, { fair: fair.p, spread: -distance })] : [],
      asks: sells ? [quoteAt(ask, params.shares, { fair: fair.p, spread: distance })] : [],
      state: { fair: fair.p, movement },
    };
  },
});
`;

const testText = (name: string): string => `\
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf, contextOf, inventoryOf } from 'oddsmith/sdk/testing';
import strategy from './${name}.ts';

test('it stops buying at the bound', () => {
  const context = contextOf(strategy, {
    params: { halfSpread: '0.02', maxInventory: 50 },
    book: bookOf(0.48, 0.53),
    inventory: inventoryOf(50),
    state: { fair: 0.5, movement: 0 },
  });
  const { bids, asks } = strategy.quote(context);
  assert.deepEqual([bids.length, asks[0]?.price], [0, 0.52]);
});
`;

const configurationText = (name: string, recording: string): string => `\
events:
  - id: 1
    markets: [{ id: 11 }]

instances:
  - name: mine
    strategy: ./${name}.ts
    markets: [11]
    params: { halfSpread: '0.015', shares: 20 }
    limits: { maxPositionShares: 300, maxEventLoss: 200, maxLoss: 50 }

exchange:
  accounts:
    - { id: 1, username: me, email: me@mail.org, publicKey: p1, privateKey: s1, balances: { OOM: '1000' } }
    - { id: 2, username: rival, email: r@mail.org, publicKey: p2, privateKey: s2, balances: { OOM: '50000' } }
    - { id: 3, username: crowd, email: c@mail.org, publicKey: p3, privateKey: s3, balances: { OOM: '50000' } }
  events:
    - id: 1
      title: Will it work?
      markets: [{ id: 11, title: 'Yes' }]
  participants:
    - { kind: maker, account: 2, markets: [11], halfSpread: '0.04', sizeMin: '20', sizeMax: '50' }
    - { kind: noise, account: 3, markets: [11], ratePerS: 3, sizeMin: '1', sizeMax: '10' }

backtest:
  recordings: [${/^[\w./-]+$/.test(recording) ? recording : JSON.stringify(recording)}]
  markets: recorded
`;
