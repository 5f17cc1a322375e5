import { Worker } from 'node:worker_threads';
import type { Logger } from '../../../core/ports/logger.js';
import type { ExchangeConfig } from '../../../exchange/contract.js';

export interface SnapshotsOptions {
  /** Begins the snapshot after a command that ended a file. */
  readonly start: (sequence: number) => SnapshotUnderWay;
  readonly logger: Logger;
  /** Of the last command in the newest snapshot; 0 without one. */
  readonly newest: number;
}

/** How the snapshots of a running exchange are going. */
export interface SnapshotFigures {
  /** Of the last command in the newest snapshot; 0 without one. */
  readonly newest: number;
  readonly made: number;
  readonly failed: number;
}

/** Makes one snapshot at a time. One that fails costs nothing: the commands stay, and the next one covers them, too. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  #newest: number;
  #made = 0;
  #failed = 0;
  #underWay: SnapshotUnderWay | null = null;
  /** The end of the latest file. */
  #wanted = 0;
  #isClosed = false;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#newest = options.newest;
  }

  get figures(): SnapshotFigures {
    return { newest: this.#newest, made: this.#made, failed: this.#failed };
  }

  /** A file of commands ended with this one. */
  want(sequence: number): void {
    this.#wanted = sequence;
    if (this.#underWay === null) this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#underWay?.stop();
  }

  #begin(): void {
    if (this.#isClosed || this.#wanted <= this.#newest) return;
    const sequence = this.#wanted;
    this.#underWay = this.#options.start(sequence);
    this.#underWay.made.then(
      () => this.#succeeded(sequence),
      (error: unknown) => this.#gaveUp(sequence, error),
    );
  }

  #succeeded(sequence: number): void {
    this.#underWay = null;
    this.#newest = sequence;
    this.#made += 1;
    this.#options.logger.info('a snapshot bounds the next start', { sequence });
    this.#begin();
  }

  /** The next try is at the next file's end: what filled the disk is likely still there. */
  #gaveUp(sequence: number, error: unknown): void {
    this.#underWay = null;
    if (this.#isClosed) return;
    this.#failed += 1;
    this.#options.logger.error('a snapshot failed; every command is kept, the next start takes longer', {
      err: error,
      sequence,
    });
  }
}

export interface SnapshotTask {
  readonly dir: string;
  readonly config: ExchangeConfig;
  /** Of the command after which the snapshot is; it ended a file. */
  readonly sequence: number;
}

/** A snapshot under way. */
export interface SnapshotUnderWay {
  /** Rejects with what went wrong; the folder is as good as before then. */
  readonly made: Promise<void>;
  /** Gives it up. */
  stop(): Promise<unknown>;
}

/** Makes a snapshot in a thread of its own, so that no request waits for it. */
export function startSnapshotThread(task: SnapshotTask): SnapshotUnderWay {
  const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), { workerData: task });
  const made = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`)),
    );
  });
  return { made, stop: () => worker.terminate() };
}
