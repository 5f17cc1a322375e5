/** `oddsmith new strategy` in an empty folder outside the project, as a person uses it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newStrategy } from '../../src/cli/commands/new.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

let folder: string;
const oddsmith = (...parameters: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'dist/src/cli/main.js'), ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });

beforeEach(() => {
  folder = scratchFolder();
});

describe('oddsmith new strategy', () => {
  it('writes files that are valid and quote on the bundled recording', () => {
    const { status, stdout } = oddsmith('new', 'strategy', 'my-idea', '--dir', 'mine');
    expect(status).toBe(0);
    expect(readdirSync(join(folder, 'mine')).toSorted()).toEqual([
      'my-idea.test.ts',
      'my-idea.ts',
      'my-idea.yaml',
    ]);
    expect(stdout).toContain('oddsmith backtest mine/my-idea.yaml');
    expect(oddsmith('config', 'check', 'mine/my-idea.yaml')).toMatchObject({ status: 0, stderr: '' });
    const backtest = oddsmith('backtest', 'mine/my-idea.yaml', '--json');
    const { scope } = JSON.parse(backtest.stdout) as { scope: { quoted: { anySide: number } } };
    expect(backtest.status).toBe(0);
    expect(scope.quoted.anySide).toBeGreaterThan(0.5);
  }, 180_000);

  it('overwrites nothing, and writes nothing then', () => {
    writeFileSync(join(folder, 'my-idea.yaml'), 'mine');
    expect(() => newStrategy('my-idea', { dir: folder })).toThrow(/my-idea\.yaml: already there/);
    expect(readFileSync(join(folder, 'my-idea.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'my-idea.ts'))).toBe(false);
  });

  it.each([
    ['My Idea', /"My Idea" is no name of a strategy; expected one such as my-strategy/],
    ['../idea', /"\.\.\/idea" is no name of a strategy/],
    ['glft', /glft is the name of a bundled strategy; choose another/],
  ])('refuses the name %s', (name, reason) => {
    expect(() => newStrategy(name, { dir: folder })).toThrow(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses the folder that is compiled with the program', () => {
    expect(() => newStrategy('my-idea', { dir: join(ROOT, 'strategies') })).toThrow(/one of your own/);
  });
});
