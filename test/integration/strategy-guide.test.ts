/** The guide for writing a strategy, done as it says: its blocks are written to files, checked and run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { strategyFiles } from '../../src/cli/commands/new.js';
import { contextFields, withContextTables } from '../support/project/context-tables.js';
import { lineOf } from '../support/screen/demo.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const PAGE = join(ROOT, 'docs/guides/write-a-strategy.md');
const GUIDE = readFileSync(PAGE, 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '');
const [strategy, composed, measured, modifier, event, tested, stream] = blocksOf('ts');
const [configuration, modelInstance] = blocksOf('yaml');

let folder: string;
const run = (command: string, ...parameters: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, command), ...parameters], { cwd: folder, encoding: 'utf8' });
const oddsmith = (...parameters: readonly string[]) => run('dist/src/cli/main.js', ...parameters);

beforeEach(() => {
  folder = scratchFolder();
  writeFileSync(join(folder, 'my-strategy.ts'), strategy ?? '');
  writeFileSync(join(folder, 'my-strategy.yaml'), configuration ?? '');
});

describe('the guide for writing a strategy', () => {
  it('shows the files that oddsmith new strategy writes', () => {
    const written = strategyFiles('my-strategy', 'config/recordings/synthetic-rain.ndjson.gz');
    expect(Object.fromEntries(written)).toEqual({
      'my-strategy.ts': strategy,
      'my-strategy.test.ts': tested,
      'my-strategy.yaml': configuration,
    });
  });

  it('has a strategy and a configuration that quote as they stand', () => {
    expect(oddsmith('config', 'check', 'my-strategy.yaml')).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout } = oddsmith('run', 'my-strategy.yaml', '--for', '6s', '--json');
    const summary = lineOf(stdout, 'summary');
    expect(summary.ordersPlaced).toBeGreaterThan(0);
    expect([status, summary.ordersOpen]).toEqual([0, 0]);
  });

  it('has a strategy of a bundled one that can be loaded', () => {
    writeFileSync(join(folder, 'my-strategy.ts'), composed ?? '');
    writeFileSync(
      join(folder, 'my-strategy.yaml'),
      (configuration ?? '').replace(/params: \{.*\}/, 'params: { askFactor: 0.3, shares: 20 }'),
    );
    expect(oddsmith('config', 'check', 'my-strategy.yaml')).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['a stream', stream],
    ['an event strategy', event],
    ['a strategy with signals', measured],
  ])('has %s that can be loaded', (_, code) => {
    writeFileSync(join(folder, 'my-strategy.ts'), code ?? '');
    writeFileSync(
      join(folder, 'my-strategy.yaml'),
      (configuration ?? '').replace(/params: \{.*\}/, 'params: {}'),
    );
    expect(oddsmith('config', 'check', 'my-strategy.yaml')).toMatchObject({ status: 0, stderr: '' });
  });

  it('has a modifier that a file may lay over its strategy', () => {
    writeFileSync(join(folder, 'half-when-wide.ts'), modifier ?? '');
    const file = (configuration ?? '').replace(
      / {4}limits:/,
      '    modifiers: [{ modifier: ./half-when-wide.ts, params: { spread: 0.05 } }, { modifier: toxicity }]\n    limits:',
    );
    writeFileSync(join(folder, 'my-strategy.yaml'), `${file}\ntape: { record: true }\n`);
    expect(oddsmith('config', 'check', 'my-strategy.yaml')).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout } = oddsmith('run', 'my-strategy.yaml', '--for', '5s', '--json');
    const { ordersPlaced, report } = lineOf(stdout, 'summary');
    expect([status, ordersPlaced > 0]).toEqual([0, true]);
    // The tape names the modifiers and their parameters, so the run can be replayed.
    expect(oddsmith('parity', dirname(report))).toMatchObject({ status: 0 });
    writeFileSync(
      join(folder, 'my-strategy.yaml'),
      file.replace('spread: 0.05', 'spred: 0.05').replace('toxicity', 'toxicty'),
    );
    const { stderr } = oddsmith('config', 'check', 'my-strategy.yaml');
    expect(stderr).toMatch(/modifiers\[0\]\.params\.spred: unknown parameter; did you mean spread\?/);
    expect(stderr).toMatch(
      /modifiers\[1\]\.modifier: there is no modifier named toxicty; did you mean toxicity\?/,
    );
  });

  it('has a test that passes in a project of its own', () => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'oddsmith'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'my-strategy.test.ts'), tested ?? '');
    const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
    const told = spawnSync(process.execPath, ['--import', tsx, '--test', 'my-strategy.test.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(told).toMatchObject({ status: 0, stdout: expect.stringMatching(/pass 1\b/) });
  });

  it('has a model that takes what calibrate prints, pasted', () => {
    const recording = join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz');
    const printed = oddsmith('calibrate', recording).stdout;
    const [block = ''] = /^params:\n(?: {2}.*\n)+/m.exec(printed) ?? [];
    const [own = ''] = / {4}params:\n(?: {6}.*\n)+/.exec(modelInstance ?? '') ?? [];
    expect(own).toMatch(/a: .*\n.*k: .*\n.*sigma: /);
    const instance = (modelInstance ?? '').replace(own, block.replace(/^/gm, '    ').trimEnd() + '\n');
    const file = (configuration ?? '').replace(/instances:\n(?: {2}.*\n)+/, instance);
    writeFileSync(join(folder, 'my-strategy.yaml'), file);
    expect(oddsmith('config', 'check', 'my-strategy.yaml')).toMatchObject({ status: 0, stderr: '' });
  });

  it('states every field of a context as the types have it (vitest -u writes the tables anew)', async () => {
    await expect(await withContextTables(GUIDE)).toMatchFileSnapshot(PAGE);
  });

  it('leaves no field of a context without a meaning', () => {
    expect(contextFields().length).toBeGreaterThan(40);
    expect(contextFields().filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  it('has types that hold', () => {
    writeFileSync(join(folder, 'stream.ts'), stream ?? '');
    writeFileSync(join(folder, 'composed.ts'), composed ?? '');
    writeFileSync(join(folder, 'measured.ts'), measured ?? '');
    writeFileSync(join(folder, 'half-when-wide.ts'), modifier ?? '');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      noEmit: true,
      rootDir: '/',
      types: [],
      paths: {
        'oddsmith/sdk': [join(ROOT, 'src/core/strategy/sdk.ts')],
        'oddsmith/strategies/*': [join(ROOT, 'strategies/*.ts')],
      },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    );
    expect(run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')).toMatchObject({
      status: 0,
      stdout: '',
    });
  });
});
