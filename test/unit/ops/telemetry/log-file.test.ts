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

it('loses nothing where two processes write to it and one turns it over', () => {
  const path = join(scratchFolder(), 'bot.log');
  const options = { path, maxBytes: 10, keep: 2 };
  const [one, other] = [new LogFile(options), new LogFile(options)];
  one.write('one\n');
  other.write('two\n');
  one.write('threethree\n');
  other.write('fourfour\n');
  one.write('five\n');
  other.write('six\n');
  const files = [`${path}.2`, `${path}.1`, path].map((name) =>
    existsSync(name) ? readFileSync(name, 'utf8') : '',
  );
  expect(files.join('').trim().split('\n').toSorted()).toEqual(
    ['one', 'two', 'threethree', 'fourfour', 'five', 'six'].toSorted(),
  );
});
