import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockHeldError, acquireLock, processIdentity } from '../../../../src/storage/state/lock-file.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const WHAT = 'account 1 on https://venue.example, play_money';

const lockPath = (): string => join(scratchFolder(), 'locks', 'account-1.lock');

/** A process of another number that lives until the test ends. */
function otherProcess(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

/** A number that was a process's and is nobody's now. */
const deadProcess = (): number => spawnSync(process.execPath, ['-e', '']).pid;

/** Puts a lock there as another process would have. */
function lockOf(path: string, holder: { pid: number; identity: string; host?: string }): void {
  acquireLock(path, WHAT).release();
  writeFileSync(path, JSON.stringify({ host: hostname(), what: WHAT, nonce: '1', ...holder }));
}

/** Where whoever takes a lock over from its dead holder holds the right to do so. */
const rightAfter = (path: string): string =>
  `${path}.after-${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)}`;

/** Tries for the lock in a process of its own. @returns what it says; it then holds on until the test ends */
async function contender(path: string): Promise<string> {
  const script = fileURLToPath(new URL('../../../support/disk/lock-contender.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, path]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  return answer.toString();
}

describe('a lock file', () => {
  it('refuses a second instance and names the first', () => {
    const path = lockPath();
    const pid = otherProcess();
    lockOf(path, { pid, identity: processIdentity(pid) ?? '' });
    expect(() => acquireLock(path, WHAT)).toThrow(LockHeldError);
    expect(() => acquireLock(path, WHAT)).toThrow(`${WHAT}: process ${pid} already runs it`);
  });

  it('refuses the same process twice', () => {
    const path = lockPath();
    acquireLock(path, WHAT);
    expect(() => acquireLock(path, WHAT)).toThrow(LockHeldError);
  });

  it('is free after its release, and leaves nothing behind', () => {
    const path = lockPath();
    const lock = acquireLock(path, WHAT);
    lock.release();
    lock.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
    acquireLock(path, WHAT).release();
  });

  it('is taken over from a dead process', () => {
    const path = lockPath();
    lockOf(path, { pid: deadProcess(), identity: 'boot/1' });
    acquireLock(path, WHAT);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    expect(readdirSync(join(path, '..'))).toHaveLength(1);
  });

  it.each([1, 2])('is taken over although %i others died at it while they took it over', (others) => {
    const path = lockPath();
    let place = path;
    for (let dead = 0; dead <= others; dead++) {
      lockOf(place, { pid: deadProcess(), identity: `boot/${dead}` });
      place = rightAfter(place);
    }
    acquireLock(path, WHAT);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    expect(readdirSync(join(path, '..'))).toHaveLength(1);
  });

  it('is left to another that is taking it over', () => {
    const path = lockPath();
    lockOf(path, { pid: deadProcess(), identity: 'boot/1' });
    const pid = otherProcess();
    lockOf(rightAfter(path), { pid, identity: processIdentity(pid) ?? '' });
    expect(() => acquireLock(path, WHAT)).toThrow(LockHeldError);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ identity: 'boot/1' });
  });

  it('is taken over when its number now belongs to another process', () => {
    const path = lockPath();
    lockOf(path, { pid: otherProcess(), identity: 'another boot/123' });
    acquireLock(path, WHAT);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('goes to one of several that start at once over a dead holder', async () => {
    const path = lockPath();
    lockOf(path, { pid: deadProcess(), identity: 'boot/1' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => contender(path)));
    expect(answers.toSorted()).toEqual(['held', 'refused', 'refused', 'refused']);
  });

  it.each(['', 'not json', '{"pid":"1"}', 'null'])(
    'is left alone when it cannot be understood: %j',
    (text) => {
      const path = lockPath();
      acquireLock(path, WHAT).release();
      writeFileSync(path, text);
      expect(() => acquireLock(path, WHAT)).toThrow(/remove this file/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('is left alone when its holder runs on another host', () => {
    const path = lockPath();
    lockOf(path, { pid: 1, identity: 'x', host: 'elsewhere' });
    expect(() => acquireLock(path, WHAT)).toThrow(/another host/);
  });

  it('is not removed by the release of one that lost it', () => {
    const path = lockPath();
    const lock = acquireLock(path, WHAT);
    writeFileSync(path, 'a successor');
    lock.release();
    expect(readFileSync(path, 'utf8')).toBe('a successor');
  });
});

describe('the identity of a process', () => {
  it('is the same as long as it lives, differs between processes, and is null once it is gone', () => {
    const other = otherProcess();
    expect(processIdentity(process.pid)).toBe(processIdentity(process.pid));
    expect(processIdentity(other)).not.toBeNull();
    expect(processIdentity(deadProcess())).toBeNull();
  });
});
