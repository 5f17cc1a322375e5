import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallHouse } from '../support/project/small-house.js';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(root: string, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((settle) => child.on('close', (code) => settle({ code, stdout, stderr })));
}

const build = (root: string, ...options: string[]): Promise<Run> => run(root, 'tools/build.mjs', ...options);
const BUILT: Run = { code: 0, stdout: '', stderr: 'building ...\n' };
const NOTHING_TO_DO: Run = { code: 0, stdout: '', stderr: '' };
const MAIN = 'dist/src/cli/main.js';

describe('the build', () => {
  it('runs when there is none, stays silent while nothing changed, and obeys --force', async () => {
    const root = smallHouse();
    expect(await build(root)).toEqual(BUILT);
    expect(await build(root)).toEqual(NOTHING_TO_DO);
    expect(await build(root, '--force')).toEqual(BUILT);
  });

  it('makes a command that runs and strategies that find the sdk', async () => {
    const root = smallHouse();
    await build(root);
    expect(statSync(join(root, MAIN)).mode & 0o111).toBe(0o111);
    expect(await run(root, MAIN)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(await run(root, 'dist/strategies/still.js')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('follows an edit that keeps size and time of the file', async () => {
    const root = smallHouse();
    await build(root);
    const path = join(root, 'strategies/still.ts');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('still = tick', 'still = tack').replace('tick }', 'tick as tack }'),
    );
    expect(await build(root)).toEqual(BUILT);
    expect(readFileSync(join(root, 'dist/strategies/still.js'), 'utf8')).toContain('still = tack');
  });

  it('removes the output of a deleted source and copies what is no source', async () => {
    const root = smallHouse({
      'src/dashboard/page.html': '<p>\n',
      'src/core/mirror/depth.ts': 'export const depth = 1;\n',
    });
    await build(root);
    rmSync(join(root, 'src/core/mirror/depth.ts'));
    expect(await build(root)).toEqual(BUILT);
    expect(existsSync(join(root, 'dist/src/core/mirror/depth.js'))).toBe(false);
    expect(readFileSync(join(root, 'dist/src/dashboard/page.html'), 'utf8')).toBe('<p>\n');
  });

  it('prints a type error, exits 1 and leaves the last good build in place', async () => {
    const root = smallHouse();
    await build(root);
    writeFileSync(join(root, 'src/core/mirror/touch.ts'), "export const touch: number = 'wide';\n");
    const { code, stdout, stderr } = await build(root);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/src\/core\/mirror\/touch\.ts.*TS2322/);
    expect(await run(root, MAIN)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(readdirSync(join(root, '.build'))).toEqual([]);
  });

  it('keeps a strategy that does not compile from nothing but itself, and says so again when it is loaded', async () => {
    const root = smallHouse({ 'strategies/mine.ts': "export const mine: number = 'wide';\n" });
    const { code, stderr } = await build(root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/mine\.ts\(1,14\).*TS2322/) });
    expect(await build(root)).toEqual(NOTHING_TO_DO);
    expect(await run(root, MAIN)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect((await run(root, 'dist/strategies/mine.js')).stderr).toMatch(
      /strategies\/mine\.ts\(1,14\): error TS2322/,
    );
    expect((await build(root, '--force')).code).toBe(1);
  });

  it('gives one whole build when several run at once, forced or not', async () => {
    const root = smallHouse();
    const runs = await Promise.all([
      build(root),
      build(root, '--force'),
      build(root),
      build(root, '--force'),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await run(root, MAIN)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(await build(root)).toEqual(NOTHING_TO_DO);
    expect(readdirSync(join(root, '.build'))).toEqual([]);
  });
});
