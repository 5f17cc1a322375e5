import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { namedRun } from '../../../src/cli/named-run.js';

function stateDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'oddsmith-named-'));
  mkdirSync(join(dir, 'runs', '20261123-174541-8be43c'), { recursive: true });
  mkdirSync(join(dir, 'tapes', 'weather'), { recursive: true });
  return dir;
}

it('a run is found by its id, a tape by its name', () => {
  const dir = stateDir();
  expect(namedRun('20261123-174541-8be43c', dir)).toBe(join(dir, 'runs', '20261123-174541-8be43c'));
  expect(namedRun('weather', dir)).toBe(join(dir, 'tapes', 'weather'));
});

it('a path is a path, and what is nowhere stays as it was written', () => {
  const dir = stateDir();
  const file = join(dir, 'weather');
  writeFileSync(file, '');
  expect(namedRun(file, dir)).toBe(file);
  expect(namedRun('runs/20261123-174541-8be43c', dir)).toBe('runs/20261123-174541-8be43c');
  expect(namedRun('nowhere', dir)).toBe('nowhere');
});
