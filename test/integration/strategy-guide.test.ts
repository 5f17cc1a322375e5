/** The guide for writing a strategy, done as it says: its blocks are written to files, checked and run. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lineOf } from '../support/demo.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { ROOT } from '../support/small-house.js';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/write-a-strategy.md'), 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '');
const [strategy, stream] = blocksOf('ts');
const [configuration] = blocksOf('yaml');

let folder: string;
const run = (command: string, ...parameters: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, command), ...parameters], { cwd: folder, encoding: 'utf8' });
const oddsmith = (...parameters: readonly string[]) => run('dist/src/cli/main.js', ...parameters);

beforeEach(() => {
  folder = scratchFolder();
  writeFileSync(join(folder, 'my-strategy.ts'), strategy ?? '');
  writeFileSync(join(folder, 'my-bot.yaml'), configuration ?? '');
});

describe('the guide for writing a strategy', () => {
  it('has a strategy and a configuration that quote as they stand', () => {
    expect(oddsmith('config', 'check', 'my-bot.yaml')).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout } = oddsmith('run', 'my-bot.yaml', '--for', '6s', '--json');
    const summary = lineOf(stdout, 'summary');
    expect(summary.ordersPlaced).toBeGreaterThan(0);
    expect([status, summary.ordersOpen]).toEqual([0, 0]);
  });

  it('has a stream that can be loaded', () => {
    writeFileSync(join(folder, 'my-strategy.ts'), stream ?? '');
    writeFileSync(join(folder, 'my-bot.yaml'), (configuration ?? '').replace(/params: \{.*\}/, 'params: {}'));
    expect(oddsmith('config', 'check', 'my-bot.yaml')).toMatchObject({ status: 0, stderr: '' });
  });

  it('has types that hold', () => {
    writeFileSync(join(folder, 'stream.ts'), stream ?? '');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      noEmit: true,
      rootDir: '/',
      types: [],
      paths: { 'oddsmith/sdk': [join(ROOT, 'src/strategy/sdk.ts')] },
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
