import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copyHeartbeat,
  HeartbeatFile,
  isGone,
  parseHeartbeat,
  readHeartbeatText,
} from '../../../../src/storage/state/heartbeat-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const RUN = { runId: 'run-1', account: '7' };
const heartbeatPath = (): string => join(scratchFolder(), 'control', 'heartbeat.json');
const begin = (path: string): HeartbeatFile => new HeartbeatFile(path, RUN);
const heartbeatAt = (path: string) => parseHeartbeat(readHeartbeatText(path) ?? '');

describe('a heartbeat', () => {
  it('says who beats, for which account, and counts up', () => {
    const path = heartbeatPath();
    const file = begin(path);
    file.beat();
    expect(heartbeatAt(path)).toMatchObject({ ...RUN, pid: process.pid, beat: 2, ended: null });
  });

  it('overwrites itself in place: it needs no room that it does not have', () => {
    const path = heartbeatPath();
    const file = begin(path);
    const { ino, size } = statSync(path);
    for (let beat = 0; beat < 100; beat++) file.beat();
    expect(statSync(path)).toMatchObject({ ino, size });
  });

  it('has a last word', () => {
    const path = heartbeatPath();
    begin(path).end('clean');
    expect(heartbeatAt(path)).toMatchObject({ ended: 'clean' });
  });

  it('is none where there is no file, or half of one', () => {
    const path = heartbeatPath();
    expect(readHeartbeatText(path)).toBeNull();
    begin(path);
    expect(parseHeartbeat(readFileSync(path, 'utf8').slice(0, 30))).toBeNull();
    expect(parseHeartbeat('{}')).toBeNull();
  });

  it('knows a process that is gone from one that lives, and nothing of another host', () => {
    const path = heartbeatPath();
    begin(path);
    const own = heartbeatAt(path)!;
    expect(isGone(own)).toBe(false);
    expect(isGone({ ...own, pid: spawnSync(process.execPath, ['-e', '']).pid })).toBe(true);
    expect(isGone({ ...own, identity: 'another start' })).toBe(true);
    expect(isGone({ ...own, identity: 'another start', host: `not-${hostname()}` })).toBe(false);
  });

  it('is copied as it stands, if there is one', () => {
    const path = heartbeatPath();
    const copy = join(scratchFolder(), 'copy.json');
    copyHeartbeat(path, copy);
    expect(readHeartbeatText(copy)).toBeNull();
    begin(path);
    writeFileSync(copy, 'older');
    copyHeartbeat(path, copy);
    expect(readHeartbeatText(copy)).toBe(readHeartbeatText(path));
  });
});
