/** Keeps used requests on disk, because a restarted bot uses the same key and allowance. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Micros } from '../../domain/units.js';
import { silenced, silenceLeft, type Spending } from '../../core/execution/sending/budget.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { RetriedWrite } from './retried-write.js';
import { makeFolder } from '../../storage/files/whole-files.js';

const MICROS = z.int().transform((at) => at as Micros);
const SPENDING = z.object({
  at: MICROS,
  tokens: z.number(),
  requests: z.array(z.int().min(0)),
  blockedUntil: MICROS.default(0 as Micros),
});

/** Reads what the earlier run used; null without a file. A damaged file counts as none, which costs a 429 at most. */
export function readSpending(path: string): Spending | null {
  try {
    return SPENDING.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Longer than any text of the file, so that each text overwrites the one before whole. */
const WIDTH = 2_048;

/** Overwrites the file in place, so that it needs no room on a full disk. */
export class SpendingFile {
  readonly #file: number;
  #written = '';
  readonly #failures: RetriedWrite;

  /** @throws an error of the file system */
  constructor(path: string, logger: Logger) {
    const what = 'what was used of the request allowances cannot be written down; a restart would forget it';
    this.#failures = new RetriedWrite((error) => logger.warn(what, { path, err: error }));
    makeFolder(dirname(path));
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Called with every beat. */
  review(spending: Spending): void {
    const text = JSON.stringify(spending).padEnd(WIDTH);
    if (text === this.#written) return;
    if (this.#failures.attempt(() => void writeSync(this.#file, text, 0))) this.#written = text;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A pause that the venue asked of an earlier run, or of the first request of this one. */
export class KeptSilence {
  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly logger: Logger,
  ) {}

  /** Milliseconds to wait; 0: requests may leave. After a clock was set back it counts from now, or it would never end. */
  leftMs(): number {
    const before = readSpending(this.path);
    const now = this.clock.now();
    const leftMs = before === null ? 0 : silenceLeft(before, now) / 1_000;
    if (before !== null && before.at > now && leftMs > 0) this.begin(leftMs);
    return leftMs;
  }

  /** Notes a pause that the venue asked for before the engine existed. */
  begin(ms: number): void {
    const at = this.clock.now();
    const spending = silenced(readSpending(this.path), at, (at + ms * 1_000) as Micros);
    const file = new SpendingFile(this.path, this.logger);
    file.review(spending);
    file.close();
  }
}
