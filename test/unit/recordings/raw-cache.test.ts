/** Raw recordings where recordings are expected: imported once, together, and kept. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { importRemarks, readableRecordings } from '../../../src/recordings/index.js';
import { openTogether } from '../../../src/storage/index.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const frame = (type: string, msg: object) =>
  JSON.stringify({
    recv_ms: 1_700_000_000_000,
    event: { type, sid: 1, msg: { market_ticker: 'KXA-T1', ...msg } },
  });
const SNAPSHOT = frame('orderbook_snapshot', { yes: [[40, 10]], no: [[55, 20]] });
const CHANGE = frame('orderbook_delta', { price: 55, delta: -5, side: 'no', ts_ms: 1_700_000_000_500 });
const NEUTRAL = '{"t":5,"type":"book","event":1,"market":11,"bid":[[0.4,10]],"ask":[[0.6,10]]}\n';

describe('raw recordings in place of others', () => {
  it('are imported together, whether they are files, folders or patterns, and kept', async () => {
    const folder = scratchFolder();
    const state = join(folder, 'state');
    mkdirSync(join(folder, 'raw'));
    writeFileSync(join(folder, 'raw', '1.json'), `${SNAPSHOT}\n`);
    writeFileSync(join(folder, 'raw', '2.json'), `${CHANGE}\n`);
    const [first, ...others] = await readableRecordings([join(folder, 'raw')], state);
    expect(others).toEqual([]);
    const [source] = await openTogether([first!]);
    expect(source).toMatchObject({ rows: 3, books: 2 });
    const { mtimeMs } = statSync(first!);
    expect(await readableRecordings([join(folder, 'raw', '*.json')], state)).toEqual([first]);
    expect(statSync(first!).mtimeMs).toBe(mtimeMs);
  });

  it('leave other recordings where they are', async () => {
    const folder = scratchFolder();
    const state = join(folder, 'state');
    const [neutral, raw] = ['a.ndjson', 'b.json'].map((name) => join(folder, name));
    writeFileSync(neutral!, NEUTRAL);
    writeFileSync(raw!, `${SNAPSHOT}\n`);
    expect(await readableRecordings([neutral!], state)).toEqual([neutral]);
    await expect(readableRecordings([neutral!, join(folder, 'none')], state)).rejects.toThrow(
      'none: there is no such file or folder',
    );
    expect(existsSync(state)).toBe(false);
    const found = await readableRecordings([neutral!, raw!], state);
    expect(found[0]).toBe(neutral);
    expect(found[1]).toMatch(/cache\/recordings\/[0-9a-f]{16}\/[^/]+\/kxa-t1\.ndjson\.gz$/);
  });

  it('keep what their import said', async () => {
    const folder = scratchFolder();
    const crossed = frame('orderbook_snapshot', {
      market_ticker: 'KXB-T1',
      yes: [[60, 10]],
      no: [[55, 20]],
    });
    writeFileSync(join(folder, 'raw.json'), `${SNAPSHOT}\n${CHANGE}\n${crossed}\n`);
    const state = join(folder, 'state');
    for (let time = 0; time < 2; time++) {
      const found = await readableRecordings([join(folder, 'raw.json')], state);
      expect(importRemarks(found)).toEqual([expect.stringMatching(/^left out: .*KXB-T1/)]);
    }
    expect(importRemarks([join(folder, 'other.ndjson')])).toEqual([]);
  });

  it('leave nothing behind when one of them is refused, or while the process ends', async () => {
    const folder = scratchFolder();
    const state = join(folder, 'state');
    const raw = join(folder, 'raw.json');
    const below = join(state, 'cache', 'recordings');
    writeFileSync(raw, `${CHANGE}\n`);
    await expect(readableRecordings([raw], state)).rejects.toThrow('raw.json:1: ');
    expect(readdirSync(below)).toEqual([]);
    writeFileSync(raw, `${SNAPSHOT}\n`);
    const before = process.listeners('exit');
    const importing = readableRecordings([raw], state);
    await vi.waitUntil(() => readdirSync(below).length > 0, { interval: 1 });
    const [clear] = process.listeners('exit').filter((one) => !before.includes(one));
    clear!(130);
    expect(readdirSync(below)).toEqual([]);
    await importing.catch(() => undefined);
    expect(process.listeners('exit')).toEqual(before);
  });

  it('lie in a folder named like the one that holds them, which tells what they are about', async () => {
    const folder = scratchFolder();
    const write = (name: string, text: string) => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const aboutOf = async (...files: string[]) =>
      (await readableRecordings(files, join(folder, 'state'))).map((file) => basename(dirname(file)));
    const [one, two] = [write('gold/day-1/a.json', SNAPSHOT), write('gold/day-2/b.json', CHANGE)];
    expect(await aboutOf(one)).toEqual(['day-1']);
    expect(await aboutOf(one, two)).toEqual(['gold']);
  });

  it('take a folder of recordings for what is in it, and the folder of a tape or a run for one', async () => {
    const folder = scratchFolder();
    const found = (...paths: string[]) => readableRecordings(paths, join(folder, 'state'));
    for (const name of ['own/b.ndjson', 'own/a.ndjson', 'tape/000001.ndjson', 'run/notes.ndjson']) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), NEUTRAL);
    }
    writeFileSync(join(folder, 'tape', '000001.ndjson.gz'), gzipSync(NEUTRAL));
    writeFileSync(join(folder, 'own', 'markets.json'), '[]');
    writeFileSync(join(folder, 'run', 'run.json'), '{}');
    const [own, tape, run] = ['own', 'tape', 'run'].map((name) => join(folder, name));
    expect(await found(own!, tape!, run!)).toEqual([
      join(own!, 'a.ndjson'),
      join(own!, 'b.ndjson'),
      tape,
      run,
    ]);
    mkdirSync(join(folder, 'empty'));
    await expect(found(join(folder, 'empty'))).rejects.toThrow(
      'empty: is an empty folder; it holds no tape and no recording',
    );
  });
});
