import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { amount, showAnew } from '../../../src/cli/commands/live.js';
import { GrowingFile } from '../../../src/cli/commands/logs.js';
import { LogFile } from '../../../src/ops/telemetry/log-file.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const CLEAR = '\u001B[H\u001B[2J';

it('shows as much as the terminal has room for, from the first line on, and says what is left', () => {
  const told = (count: number): readonly string[] => {
    let text = '';
    const write = (more: string): boolean => (text += more) !== '';
    const lines = Array.from({ length: count }, (_, at) => `line ${at} ${'x'.repeat(count * 3)}`);
    showAnew({ rows: 6, columns: 30, write }, lines);
    expect(text.startsWith(CLEAR)).toBe(true);
    expect(text.endsWith('\n')).toBe(true);
    return text.slice(CLEAR.length, -1).split('\n');
  };
  expect(told(5)).toEqual([0, 1, 2, 3, 4].map((at) => `line ${at} ${'x'.repeat(15)}`));
  const many = told(40);
  expect(many).toHaveLength(5);
  expect(many[0]).toMatch(/^line 0 x+…$/);
  expect(many[4]).toMatch(/^and 36 more: /);
  for (const line of many) expect(line.length).toBeLessThanOrEqual(30);
});

it('writes no amount as less than nothing that rounds to nothing', () => {
  expect([-0.004, -0, 0, -0.006].map(amount)).toEqual(['0.00', '0.00', '0.00', '-0.01']);
});

it('reads whole lines of a log, whatever is written at once, over the change to another file', () => {
  const path = join(scratchFolder(), 'bot.log');
  const log = new LogFile({ path, maxBytes: 40, keep: 2 });
  log.write('first\nsec');
  const file = new GrowingFile(path);
  onTestFinished(() => file.close());
  expect(file.lines()).toEqual(['first']);
  log.write('ond ä\n');
  expect(file.lines()).toEqual(['second ä']);
  log.write('last of the old file\n');
  log.write('first of the new file\n');
  expect(file.lines()).toEqual(['last of the old file', 'first of the new file']);
  appendFileSync(path, 'more\n');
  expect(file.lines()).toEqual(['more']);
  writeFileSync(path, 'anew\n');
  expect(file.lines()).toEqual(['anew']);
  expect(file.lines()).toEqual([]);
});
