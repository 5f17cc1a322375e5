/** Strategy files as the built program loads them: no test runner compiles or resolves anything on the way. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const DIST = resolve('dist/src');
const TYPED = `
import { defineStrategy, NO_QUOTES, param } from 'oddsmith/sdk';
import { DEPTH } from './depth.js';
const depth: number = DEPTH;
export default defineStrategy({
  name: 'typed', params: { depth: param.count({ default: depth, help: 'levels' }) }, quote: () => NO_QUOTES,
});`;
const DEPTH = 'export const DEPTH: number = 4;';
const PLAIN = `
import { defineStrategy, NO_QUOTES } from 'oddsmith/sdk';
export default defineStrategy({ name: 'plain', params: {}, quote: () => NO_QUOTES });`;
const STREAM = `
import { debounceTime, defineStreamStrategy, map, NO_QUOTES } from 'oddsmith/sdk';
export default defineStreamStrategy({
  name: 'calm', params: {},
  streams: ({ contexts, scheduler }) => contexts.pipe(
    debounceTime(10, scheduler), map(({ market }) => ({ marketId: market.id, ladder: NO_QUOTES }))),
});`;

/** Writes the files into a folder outside of the project and loads one from a process of its own. */
function load(files: Readonly<Record<string, string>>, name: string): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'elsewhere'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const script = `
    import { loadStrategy } from ${JSON.stringify(pathToFileURL(join(DIST, 'runs/strategies/strategies.js')).href)};
    import { StrategyInstance } from ${JSON.stringify(pathToFileURL(join(DIST, 'core/strategy/instance.js')).href)};
    try {
      const strategy = await loadStrategy(${JSON.stringify(`./${name}`)}, ${JSON.stringify(join(folder, 'bot.yaml'))});
      const instance = new StrategyInstance({ name: 'i', strategy, parameters: {}, tickUnits: new Map([['1', 100]]) });
      const first = instance.decide({ market: { id: '1' }, nowMs: 1000 });
      const later = instance.advance(1010);
      console.log(JSON.stringify([strategy.name, Object.keys(strategy.params), first, later]));
    } catch (error) {
      console.log(error.constructor.name + ': ' + error.message);
    }`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(folder, 'elsewhere'),
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  return run.stdout.trim();
}

const NOTHING = { ok: true, intents: [] };
const EMPTY = { ok: true, intents: [{ marketId: '1', bids: [], asks: [] }] };

describe('a strategy file outside of the project', () => {
  it('may be TypeScript, with a package.json beside it or without', () => {
    const expected = JSON.stringify(['typed', ['depth'], EMPTY, NOTHING]);
    expect(load({ 'mine.ts': TYPED, 'depth.ts': DEPTH }, 'mine.ts')).toBe(expected);
    const asPackage = { 'package.json': '{"type":"module"}', 'mine.mts': TYPED, 'depth.ts': DEPTH };
    expect(load(asPackage, 'mine.mts')).toBe(expected);
  });

  it('may be loaded by several at once, as the scenarios of a backtest do', () => {
    const folder = scratchFolder();
    for (const [file, text] of Object.entries({ 'mine.ts': TYPED, 'depth.ts': DEPTH, 'bad.ts': '(((' }))
      writeFileSync(join(folder, file), text);
    const script = `
      import { loadStrategy } from ${JSON.stringify(pathToFileURL(join(DIST, 'runs/strategies/strategies.js')).href)};
      const load = (name) => loadStrategy(name, ${JSON.stringify(join(folder, 'bot.yaml'))});
      const loads = ['./mine.ts', './bad.ts', './mine.ts', './mine.ts'].map(load);
      console.log(JSON.stringify((await Promise.allSettled(loads)).map(({ status, reason }) => reason?.message ?? status)));`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(run.stdout)).toEqual([
      'fulfilled',
      expect.stringMatching(/bad\.ts cannot be loaded/),
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('may be JavaScript', () => {
    const expected = JSON.stringify(['plain', [], EMPTY, NOTHING]);
    expect(load({ 'mine.mjs': PLAIN }, 'mine.mjs')).toBe(expected);
    expect(load({ 'package.json': '{"type":"module"}', 'mine.js': PLAIN }, 'mine.js')).toBe(expected);
  });

  it('may think in streams, on the clock of the engine', () => {
    expect(load({ 'mine.ts': STREAM }, 'mine.ts')).toBe(JSON.stringify(['calm', [], NOTHING, EMPTY]));
  });

  it.each([
    ['does not parse', 'export default (((', /cannot be loaded: Transform failed/],
    ['throws while it is loaded', "throw new Error('boom');", /cannot be loaded: boom$/],
    ['imports what is not there', "import 'not-there';", /cannot be loaded: Cannot find package 'not-there'/],
    [
      'imports the program',
      "import 'oddsmith';",
      /: strategies import 'oddsmith\/sdk' and 'oddsmith\/strategies\/<name>', not 'oddsmith'$/,
    ],
    [
      'mistypes it',
      "import 'oddsmith/skd';",
      /: strategies import 'oddsmith\/sdk' and 'oddsmith\/strategies\/<name>', not 'oddsmith\/skd'$/,
    ],
    ['exports no strategy', 'export default { nme: 1 };', /expected a kebab-case name, found nothing$/],
    ['exports nothing', 'const x = 1;', /expected a default export made by defineStrategy/],
  ])('that %s is a mistake of its author, told in a sentence', (_what, text, expected) => {
    const told = load({ 'mine.ts': text }, 'mine.ts');
    expect(told).toMatch(/^UsageError: .*mine\.ts/);
    expect(told).toMatch(expected);
  });
});
