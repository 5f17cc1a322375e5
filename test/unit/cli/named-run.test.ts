import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { namedRun } from '../../../src/cli/named-run.js';
import { buildProgram } from '../../../src/cli/program.js';
import { UsageError } from '../../../src/domain/errors.js';

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

it('a path is a path', () => {
  const dir = stateDir();
  const file = join(dir, 'weather');
  writeFileSync(file, '');
  expect(namedRun(file, dir)).toBe(file);
});

const NOWHERE =
  'there is no run or tape at nowhere; a run is named by its id, or by its folder where that is not .oddsmith/runs/<run id>';

it('what is nowhere is refused with how a run is named', () => {
  const dir = stateDir();
  expect(() => namedRun('nowhere', dir)).toThrow(new UsageError(NOWHERE));
  expect(() => namedRun('runs/20261123-174541-8be43c', dir)).toThrow(/^there is no run or tape at runs\//);
});

it.each([
  'report nowhere',
  'report . --against nowhere',
  'explain nowhere',
  'parity nowhere',
  'shadow nowhere',
  'calibrate nowhere',
  'tape info nowhere',
  'tape verify nowhere',
  'tape cut nowhere --out x',
  'tape merge . nowhere --out x',
  'tape export nowhere --out x',
])('oddsmith %s says so in the same words', async (line) => {
  const program = buildProgram(() => undefined);
  await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toThrow(
    new UsageError(NOWHERE),
  );
});
