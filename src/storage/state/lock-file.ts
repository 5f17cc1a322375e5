import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { execFileSync } from 'node:child_process';
import { cannotWrite, EXIT, OddsmithError } from '../../domain/errors.js';
import { makeFolder } from '../files/whole-files.js';
import { jsonObject } from '../log/segment.js';

/** Another instance holds the lock, or it cannot be told whether one does. */
export class LockHeldError extends OddsmithError {
  readonly code = 'ODDSMITH_LOCK_HELD';
  readonly exit = EXIT.usage;
}

/** Held until released or until the process is gone. */
export interface Lock {
  release(): void;
}

/** Who holds a lock. `identity` distinguishes the holder from a later process with the same number. */
interface Holder {
  readonly pid: number;
  readonly identity: string;
  readonly host: string;
  readonly what: string;
}

/**
 * Takes the lock at a path, or takes it over from a process that is dead.
 * @param what what is locked, for the message to whoever comes second
 * @throws LockHeldError when a live process holds it, or one on another host that cannot be looked at
 */
export function acquireLock(path: string, what: string): Lock {
  makeFolder(dirname(path));
  const claim = writeClaim(path, what);
  try {
    while (!linked(claim.path, path)) takeOver(path, claim.path, what);
  } finally {
    rmSync(claim.path, { force: true });
  }
  return { release: () => release(path, claim.text) };
}

/**
 * Keeps other processes from a result until it is released.
 * @throws LockHeldError when one writes it, UsageError when the lock cannot be written
 */
export function lockResult(path: string, what: string): Lock {
  try {
    return acquireLock(path, what);
  } catch (error) {
    throw error instanceof OddsmithError ? error : cannotWrite(path, error);
  }
}

/** @throws LockHeldError as {@link acquireLock} does, without taking it */
export function requireFree(path: string, what: string): void {
  const text = readText(path);
  if (text !== null) requireDead(path, text, what);
}

function writeClaim(path: string, what: string): { path: string; text: string } {
  const identity = processIdentity(process.pid) ?? '';
  const holder: Holder = { pid: process.pid, identity, host: hostname(), what };
  const text = JSON.stringify({ ...holder, nonce: randomBytes(8).toString('hex') });
  const claimPath = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(claimPath, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    // A full disk takes the name and not the text.
    rmSync(claimPath, { force: true });
    throw error;
  }
  return { path: claimPath, text };
}

/** A hard link appears whole or not at all, and only one of several contenders can make it. */
function linked(claim: string, path: string): boolean {
  try {
    linkSync(claim, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readText(path) === readText(claim);
    throw error;
  }
}

/**
 * Replaces a dead holder's lock. Only one contender may do so at a time: the one that makes a file named after the dead
 * holder's text. Without it a slow contender could throw out the live successor. A contender that died while it held
 * that file is replaced in the same way.
 */
function takeOver(path: string, claim: string, what: string): void {
  const text = readText(path);
  if (text === null) return;
  requireDead(path, text, what);
  const right = `${path}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  while (!linked(claim, right)) takeOver(right, claim, what);
  try {
    if (readText(path) === text) renameSync(copyOf(claim), path);
  } finally {
    unlinkSync(right);
  }
}

function copyOf(claim: string): string {
  const copy = `${claim}.copy`;
  linkSync(claim, copy);
  return copy;
}

function requireDead(path: string, text: string, what: string): void {
  const holder = parsed(text);
  if (holder === null || holder.host !== hostname()) throw unclear(path, what);
  if (processIdentity(holder.pid) !== holder.identity) return;
  throw new LockHeldError(`${what}: process ${holder.pid} already runs it (${path}). Stop it first.`);
}

const unclear = (path: string, what: string): LockHeldError =>
  new LockHeldError(
    `${what}: ${path} is held by another host or another start. If no other instance runs, remove this file.`,
  );

function parsed(text: string): Holder | null {
  const { pid, identity, host, what } = jsonObject(text) ?? {};
  if (typeof pid !== 'number' || typeof identity !== 'string' || typeof host !== 'string') return null;
  return { pid, identity, host, what: String(what) };
}

function release(path: string, text: string): void {
  if (readText(path) === text) unlinkSync(path);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Distinguishes a process from every other that had its number: when it started, and in which boot. Null when no such
 * process is alive.
 */
export const processIdentity = (pid: number): string | null =>
  process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);

/** Field 22 of `/proc/<pid>/stat` counts from the boot; the name in field 2 may contain spaces and brackets. */
function linuxIdentity(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = state === 'Z' || state === 'X';
  return isDead ? null : `${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${fields[18] ?? ''}`;
}

function psIdentity(pid: number): string | null {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return started.trim() || null;
  } catch {
    // ps ends with a failure when there is no such process.
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
