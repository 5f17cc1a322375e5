import { closeSync, constants, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { processIdentity } from './lock-file.js';
import { makeFolder } from '../files/whole-files.js';

/** What a bot writes about itself several times a second. */
export interface Heartbeat {
  readonly pid: number;
  /** Distinguishes the process from every other that had its number. */
  readonly identity: string;
  readonly host: string;
  readonly runId: string;
  /** The account of the bot's keys. */
  readonly account: string;
  /** Counts up while the event loop turns. */
  readonly beat: number;
  /** How the run ended; null while it goes on. */
  readonly ended: string | null;
}

/** Longer than any heartbeat, so that each overwrites the one before completely. */
const WIDTH = 1_024;

/**
 * The heartbeat of one run. It overwrites bytes that the file already has, so that a full disk does not look like a dead
 * bot. It contains no time, so that setting the clock does not either.
 */
export class HeartbeatFile {
  readonly #file: number;
  #last: Heartbeat;

  /** Writes the first beat. @throws an error of the file system when that is not possible */
  constructor(path: string, run: Pick<Heartbeat, 'runId' | 'account'>) {
    makeFolder(dirname(path));
    const { pid } = process;
    const identity = processIdentity(pid) ?? '';
    this.#last = { pid, identity, host: hostname(), ...run, beat: 0, ended: null };
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.beat();
  }

  /** @throws an error of the file system */
  beat(): void {
    this.#write({ ...this.#last, beat: this.#last.beat + 1 });
  }

  /** The last beat. @throws an error of the file system */
  end(outcome: string): void {
    try {
      this.#write({ ...this.#last, ended: outcome });
      fsyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }

  #write(heartbeat: Heartbeat): void {
    writeSync(this.#file, JSON.stringify(heartbeat).padEnd(WIDTH), 0);
    this.#last = heartbeat;
  }
}

/** @returns null when there is no file. @throws an error of the file system for any other reason */
export function readHeartbeatText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns null for anything but a heartbeat, such as half a write */
export function parseHeartbeat(text: string): Heartbeat | null {
  try {
    const read = JSON.parse(text) as Heartbeat;
    return typeof read.pid === 'number' && typeof read.beat === 'number' ? read : null;
  } catch {
    return null;
  }
}

/** Whether the process that wrote it is gone for certain; never for one of another host. */
export const isGone = ({ pid, identity, host }: Heartbeat): boolean =>
  host === hostname() && processIdentity(pid) !== identity;

/** Copies a heartbeat, if there is one. @throws an error of the file system */
export function copyHeartbeat(from: string, to: string): void {
  const text = readHeartbeatText(from);
  if (text !== null) writeFileSync(to, text, { mode: 0o600 });
}
