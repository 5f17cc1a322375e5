import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ForgetfulJournal } from '../../../../src/runs/rehearsal/rehearsed-doors.js';
import { micros } from '../../../../src/domain/units.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const RECORD = { kind: 'run', runId: 'r', at: micros(0), configHash: 'h' } as const;

it('a journal that is over writes into no file that got its descriptor since', async () => {
  const dir = scratchFolder();
  const journal = new ForgetfulJournal(dir);
  journal.append(RECORD);
  await journal.close();
  const path = join(dir, 'another');
  writeFileSync(path, '');
  const another = openSync(path, 'r+');
  expect(() => journal.append(RECORD)).toThrow(/over/);
  await journal.close();
  expect(readFileSync(path, 'utf8')).toBe('');
  closeSync(another);
});

it('what a killed process left of one does not keep the next from being opened', async () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, `rehearsal-${process.pid}.tmp`), 'left');
  const journal = new ForgetfulJournal(dir);
  journal.append(RECORD);
  await journal.close();
  expect(readdirSync(dir)).toEqual([]);
});
