import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogFile } from '../../../../src/ops/telemetry/log-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

it('is turned over when it is full, goes on where it was, and keeps so many', () => {
  const path = join(scratchFolder(), 'logs', 'bot.log');
  const options = { path, maxBytes: 10, keep: 2 };
  const first = new LogFile(options);
  for (const line of ['one\n', 'two\n', 'three\n']) first.write(line);
  expect(readFileSync(path, 'utf8')).toBe('three\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('one\ntwo\n');
  const second = new LogFile(options);
  for (const line of ['four\n', 'fivefive\n', 'longer than the file\n']) second.write(line);
  expect(readFileSync(path, 'utf8')).toBe('longer than the file\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('fivefive\n');
  expect(readFileSync(`${path}.2`, 'utf8')).toBe('four\n');
  expect(existsSync(`${path}.3`)).toBe(false);
});
