/** Keeps on disk which strategy instances a fault stopped. `oddsmith resume` removes the file. */
import { existsSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '../../core/ports/logger.js';
import { FolderWatch, replaceFile } from '../../storage/files/whole-files.js';
import type { StoppedInstance } from '../../core/strategy/fault.js';
import { textOf } from './risk-file.js';
import { RetriedWrite } from './retried-write.js';

const STOPPED = z.array(z.object({ instance: z.string(), strategy: z.string(), fault: z.string() }));

/**
 * Removes the file for a person. A running bot notices that it is gone and resumes.
 * @returns what was stopped, in words; nothing without a file
 * @throws an error of the file system
 */
export function resumeStopped(path: string): readonly string[] {
  const text = textOf(path);
  rmSync(path, { force: true });
  if (text === null) return [];
  try {
    return STOPPED.parse(JSON.parse(text)).map(
      ({ instance, fault }) => `strategy instance ${instance}, stopped: ${fault}`,
    );
  } catch {
    return [path];
  }
}

export interface StoppedFileOptions {
  readonly path: string;
  readonly logger: Pick<Logger, 'error'>;
  /** A person removed the file: stopped instances go on. */
  readonly onResumed: () => void;
}

const NOTHING = '[]';

/**
 * Keeps the file equal to the stopped instances. It exists while there are any. It is no latch: a new run starts every
 * instance, and a run removes its file at the end.
 */
export class StoppedFile {
  #written = NOTHING;
  readonly #sight: FolderWatch;
  readonly #failures: RetriedWrite;

  /** Removes the file of a killed run. @throws an error of the file system */
  constructor(private readonly options: StoppedFileOptions) {
    const { path, logger } = options;
    rmSync(path, { force: true });
    this.#sight = new FolderWatch(path);
    const what =
      'which strategy instances are stopped cannot be written down; oddsmith resume does not reach them';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
  }

  /** Called with every beat, and at once when an instance stops. A failed write is reported once and tried again. */
  review(stopped: readonly StoppedInstance[]): void {
    const { path, onResumed } = this.options;
    if (this.#written !== NOTHING && !existsSync(path)) {
      this.#written = NOTHING;
      if (stopped.length > 0 && this.#sight.isSame) return onResumed();
    }
    const text = JSON.stringify(stopped);
    if (text !== this.#written) this.#write(text);
  }

  /** Removes the file at the end of the run. */
  close(): void {
    if (this.#written !== NOTHING) rmSync(this.options.path, { force: true });
    this.#written = NOTHING;
  }

  #write(text: string): void {
    const { path } = this.options;
    const isWritten = this.#failures.attempt(() => {
      if (text === NOTHING) rmSync(path, { force: true });
      else replaceFile(path, text);
    });
    if (!isWritten) return;
    this.#written = text;
    this.#sight.note();
  }
}
