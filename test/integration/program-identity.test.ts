/** Which program it is, as a build says it and as its sources do. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { identityOf, type ProgramParts, programIdentity, programVersion } from '../../src/runs/program.js';
import { importRecordings } from '../../src/cli/commands/tape.js';
import { surveyTape } from '../../src/storage/index.js';
import { linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { smallHouse } from '../support/project/small-house.js';
import { ran } from '../support/screen/told-command.js';

it('names the code beside the version, the same from the build and from the sources that it was made of', () => {
  const built = pathToFileURL(resolve('dist/src/runs/program.js')).href;
  const script = `import { programIdentity } from ${JSON.stringify(built)}; process.stdout.write(programIdentity());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(programIdentity()).toBe(stdout);
  expect(stdout).toMatch(new RegExp(`^${programVersion().replaceAll('.', '\\.')}\\+[0-9a-f]{12}$`));
});

it('is what a tape names that was made of recordings', async () => {
  const out = join(scratchFolder(), 'tape');
  await ran(() =>
    importRecordings([recordingOf([linesOfMarket(3001).book(0, [[0.5, 10]], [[0.6, 10]])])], { out }),
  );
  const { heads } = await surveyTape(out);
  expect(heads.map(({ program }) => program)).toEqual([programIdentity()]);
});

describe('the program of a build', () => {
  const built = (root: string): ProgramParts => ({ root, build: join(root, 'dist'), node: 'v20.20.2' });
  const build = (root: string): void => {
    const { status } = spawnSync(process.execPath, ['tools/build.mjs', '--force'], { cwd: root });
    expect(status).toBe(0);
  };

  it('is the one of its sources, and that of the same sources built again', () => {
    const root = smallHouse();
    build(root);
    const identity = identityOf(built(root));
    expect(identity).toMatch(/^[0-9a-f]{12}$/);
    expect(identityOf({ ...built(root), build: null })).toBe(identity);
    build(root);
    expect(identityOf(built(root))).toBe(identity);
  });

  it.each<[string, (root: string) => void]>([
    [
      'a line of it was changed by hand',
      (root) => appendFileSync(join(root, 'dist/src/core/mirror/touch.js'), '\n'),
    ],
    ['a file of it is missing', (root) => rmSync(join(root, 'dist/strategies/still.js'))],
    ['there is one more', (root) => writeFileSync(join(root, 'dist/src/more.js'), '')],
    ['nothing says what was made', (root) => rmSync(join(root, 'dist/.code.sha256'))],
  ])('is another one where %s, until it is built again', (_, change) => {
    const root = smallHouse();
    build(root);
    const before = identityOf(built(root));
    change(root);
    expect(identityOf(built(root))).not.toBe(before);
    build(root);
    expect(identityOf(built(root))).toBe(before);
  });

  it('is another one on another Node', () => {
    const root = smallHouse();
    const [one, other] = ['v20.20.2', 'v24.1.0'].map((node) => identityOf({ root, build: null, node }));
    expect(one).not.toBe(other);
  });
});

describe('the packages of a program', () => {
  /** A program that needs a package which needs another, which lies in the one that needs it or beside it. */
  function installed(farBelow: string, far: string, others: Readonly<Record<string, string>> = {}): string {
    const root = scratchFolder();
    const put = (folder: string, name: string, version: string, needs: readonly string[]): void => {
      mkdirSync(join(root, folder), { recursive: true });
      const dependencies = Object.fromEntries(needs.map((one) => [one, '1']));
      writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, version, dependencies }));
    };
    put('', 'oddsmith', '0.1.0', ['near']);
    put('node_modules/near', 'near', '1.0.0', ['far']);
    put(`${farBelow}node_modules/far`, 'far', far, ['near']);
    for (const [name, version] of Object.entries(others)) put(`node_modules/${name}`, name, version, []);
    return identityOf({ root, build: null, node: 'v20.20.2' });
  }

  it('count with those that they need, wherever they lie, and no others', () => {
    const identity = installed('', '1.0.0');
    expect(installed('node_modules/near/', '1.0.0')).toBe(identity);
    expect(installed('', '1.0.0', { unneeded: '1.0.0' })).toBe(identity);
    expect(installed('', '1.0.1')).not.toBe(identity);
    expect(installed('node_modules/near/', '1.0.1', { far: '1.0.0' })).toBe(installed('', '1.0.1'));
  });
});
