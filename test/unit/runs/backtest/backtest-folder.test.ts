import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import {
  abandonBacktest,
  DecisionLog,
  openBacktestFolder,
} from '../../../../src/runs/backtest/backtest-folder.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

describe('the decisions of a scenario', () => {
  it('stand under their name once all of them are written; until then those of the run before do', async () => {
    const file = join(scratchFolder(), 'decisions-expected.ndjson.gz');
    writeFileSync(file, 'before');
    const log = new DecisionLog(file);
    log.decided('{"in":1}');
    log.decided('{"in":2}');
    await vi.waitFor(() => expect(existsSync(`${file}.new`)).toBe(true));
    expect(readFileSync(file, 'utf8')).toBe('before');
    await log.close();
    expect(gunzipSync(readFileSync(file)).toString()).toBe('{"in":1}\n{"in":2}\n');
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('that cannot be written are refused with their file', async () => {
    const log = new DecisionLog(join(scratchFolder(), 'nowhere', 'decisions.ndjson.gz'));
    log.decided('{"in":1}');
    await expect(log.close()).rejects.toThrow(/decisions\.ndjson\.gz.* cannot be written \(ENOENT\)$/);
  });
});

describe('the folder of a run', () => {
  it('is written by one at a time: who comes second is told, and takes nothing away', () => {
    const out = scratchFolder();
    const first = openBacktestFolder(out, 'bt-1');
    expect(() => openBacktestFolder(out, 'bt-1')).toThrow(
      `the backtest bt-1: process ${process.pid} already runs it (${join(out, 'bt-1', 'run.lock')})`,
    );
    expect(readdirSync(join(out, 'bt-1'))).toEqual(['run.lock']);
    first.lock.release();
    expect(openBacktestFolder(out, 'bt-1')).toMatchObject({ isNew: false });
  });

  it('goes where nothing was finished in it', () => {
    const out = scratchFolder();
    const folder = openBacktestFolder(out, 'bt-1');
    abandonBacktest(folder);
    folder.lock.release();
    expect(readdirSync(out)).toEqual([]);
  });

  it('whose process was killed is taken over', () => {
    const out = scratchFolder();
    mkdirSync(join(out, 'bt-1'));
    const dead = { pid: process.pid, identity: 'before', host: hostname(), what: 'the backtest bt-1' };
    writeFileSync(join(out, 'bt-1', 'run.lock'), JSON.stringify(dead));
    const { lock } = openBacktestFolder(out, 'bt-1');
    lock.release();
    expect(readdirSync(join(out, 'bt-1'))).toEqual([]);
  });
});
