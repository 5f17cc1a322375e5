import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FinishedJobs } from '../../../../src/runs/sweep/run-sweep.js';
import { UsageError } from '../../../../src/domain/errors.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const job = (letter: string, profit: number) => ({
  key: letter.repeat(64),
  profits: [profit, profit, profit],
  fills: [1, 2, 3],
  stops: [['drawdown-limit'], [], []],
  faults: [[], ['strategy instance rain was stopped: boom'], []],
});

function written(file: string, ...jobs: readonly ReturnType<typeof job>[]): void {
  const finished = FinishedJobs.open(file);
  for (const one of jobs) finished.add(one);
  finished.close();
}

describe('finished jobs', () => {
  it('are there when the file is opened again', () => {
    const file = join(scratchFolder(), 'deep', 'jobs.ndjson');
    written(file, job('a', 0.1), job('b', -2));
    const again = FinishedJobs.open(file);
    expect(again.get('a'.repeat(64))).toEqual(job('a', 0.1));
    expect(again.get('c'.repeat(64))).toBeUndefined();
    again.close();
  });

  it('are written once each', () => {
    const file = join(scratchFolder(), 'jobs.ndjson');
    written(file, job('a', 1), job('a', 2));
    written(file, job('a', 3), job('b', 4));
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual([
      JSON.stringify(job('a', 1)),
      JSON.stringify(job('b', 4)),
    ]);
  });

  it('go on behind the last whole line when the last one was cut off by a kill', () => {
    const file = join(scratchFolder(), 'jobs.ndjson');
    written(file, job('a', 1));
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, JSON.stringify(job('b', 2)).slice(0, 80));
    written(file, job('c', 3));
    expect(readFileSync(file, 'utf8')).toBe(`${whole}${JSON.stringify(job('c', 3))}\n`);
  });

  it('name the line that is none', () => {
    const file = join(scratchFolder(), 'jobs.ndjson');
    writeFileSync(file, `${JSON.stringify(job('a', 1))}\n{"key":"short"}\n`);
    expect(() => FinishedJobs.open(file)).toThrow(UsageError);
    expect(() => FinishedJobs.open(file)).toThrow(/jobs\.ndjson:2: no finished job/);
  });
});
