import { closeSync, constants, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { processIdentity } from './lock-file.js';
import { makeFolder } from '../files/whole-files.js';

/** What a bot says of itself, several times a second. */
export interface Heartbeat {
  readonly pid: number;
  /** Tells the process from every other that ever had its number. */
  readonly identity: string;
  readonly host: string;
  readonly runId: string;
  /** The account that the venue knows the bot's keys by. */
  readonly account: string;
  /** Counts up while the event loop turns. */
  readonly beat: number;
  /** How the run ended; null while it goes on. */
  readonly ended: string | null;
}

/** Longer than any heartbeat: every one overwrites the one before whole. */
const WIDTH = 1_024;

/**
 * The heartbeat of one run. It is written in place over bytes that the file already has, so that a full disk does not
 * look like a dead bot; it tells nothing of the time, so that a clock that is set does not either.
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

  /** The last word: nothing follows it. @throws an error of the file system */
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

/** The file as it stands; null when there is none. @throws an error of the file system for any other reason */
export function readHeartbeatText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns null for what is no heartbeat, such as half a write */
export function parseHeartbeat(text: string): Heartbeat | null {
  try {
    const read = JSON.parse(text) as Heartbeat;
    return typeof read.pid === 'number' && typeof read.beat === 'number' ? read : null;
  } catch {
    return null;
  }
}

/** Whether the process that wrote it is surely gone; of another host nobody can tell. */
export const isGone = ({ pid, identity, host }: Heartbeat): boolean =>
  host === hostname() && processIdentity(pid) !== identity;

/** Keeps a heartbeat as it stands, if there is one. @throws an error of the file system */
export function copyHeartbeat(from: string, to: string): void {
  const text = readHeartbeatText(from);
  if (text !== null) writeFileSync(to, text, { mode: 0o600 });
}
