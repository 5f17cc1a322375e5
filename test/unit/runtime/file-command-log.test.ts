import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { micros } from '../../../src/domain/units.js';
import { CommandLogError, FileCommandLog } from '../../../src/runtime/file-command-log.js';

interface Word {
  readonly say: string;
}

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'command-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (configHash = 'abc') => FileCommandLog.open<Word>({ dir, configHash });
const record = (sequence: number) => ({
  sequence,
  at: micros(sequence * 10),
  command: { say: `word ${sequence}` },
});
const file = () => join(dir, 'commands.ndjson');

async function written(count: number): Promise<void> {
  const { log } = open();
  for (let sequence = 1; sequence <= count; sequence++) log.append(record(sequence));
  await log.close();
}

describe('the command log', () => {
  it('gives back what was appended, in order, and goes on from there', async () => {
    await written(3);
    const { log, records, tornBytes } = open();
    expect(records).toEqual([record(1), record(2), record(3)]);
    expect([log.lastSequence, tornBytes]).toEqual([3, 0]);
    log.append(record(4));
    await log.close();
    expect(open().records.length).toBe(4);
  });

  it.each([1, 7, 30])('cuts a record of which the last %i bytes are missing', async (missing) => {
    await written(3);
    truncateSync(file(), readFileSync(file()).length - missing);
    const { log, records, tornBytes } = open();
    expect(records).toEqual([record(1), record(2)]);
    expect(tornBytes).toBeGreaterThan(0);
    log.append(record(3));
    await log.close();
    expect(open().records).toEqual([record(1), record(2), record(3)]);
  });

  it('refuses a file with a changed record, naming file and line', async () => {
    await written(3);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('word 2', 'word 9'));
    expect(() => open()).toThrow(CommandLogError);
    expect(() => open()).toThrow(/commands\.ndjson, line 3: the line is damaged/);
  });

  it('refuses a file from which a line is missing', async () => {
    await written(3);
    const lines = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), lines.filter((_, index) => index !== 2).join('\n'));
    expect(() => open()).toThrow(/line 3/);
  });

  it('refuses to go on under another configuration', async () => {
    await written(1);
    expect(() => open('other')).toThrow(/another configuration/);
  });

  it('refuses a file that is none of its own', () => {
    appendFileSync(file(), 'hello\nworld\n');
    expect(() => open()).toThrow(/line 1: the line is damaged/);
  });
});
