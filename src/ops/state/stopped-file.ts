/** Which strategy instances a fault stopped, on the disk while their bot runs: there a person resumes from outside. */
import { existsSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '../../core/ports/logger.js';
import { FolderWatch, replaceFile } from '../../storage/files/whole-files.js';
import type { StoppedInstance } from '../../core/strategy/fault.js';
import { textOf } from './risk-file.js';
import { RetriedWrite } from './retried-write.js';

const STOPPED = z.array(z.object({ instance: z.string(), strategy: z.string(), fault: z.string() }));

/**
 * A person resumes: a bot that runs notices that the file is gone.
 * @returns what was stopped, in words; nothing where there is no file
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
  /** A person removed the file: what is stopped goes on. */
  readonly onResumed: () => void;
}

const NOTHING = '[]';

/**
 * Keeps the file equal to what is stopped; it is there while that is anything. It is no latch: a run begins with every
 * instance anew, and takes what it wrote away when it ends.
 */
export class StoppedFile {
  #written = NOTHING;
  readonly #sight: FolderWatch;
  readonly #failures: RetriedWrite;

  /** Takes away what a run that was killed left. @throws an error of the file system */
  constructor(private readonly options: StoppedFileOptions) {
    const { path, logger } = options;
    rmSync(path, { force: true });
    this.#sight = new FolderWatch(path);
    const what =
      'which strategy instances are stopped cannot be written down; oddsmith resume does not reach them';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
  }

  /** Called with every beat, and at once when an instance stops. A disk that is full is said once and tried again. */
  review(stopped: readonly StoppedInstance[]): void {
    const { path, onResumed } = this.options;
    if (this.#written !== NOTHING && !existsSync(path)) {
      this.#written = NOTHING;
      if (stopped.length > 0 && this.#sight.isSame) return onResumed();
    }
    const text = JSON.stringify(stopped);
    if (text !== this.#written) this.#write(text);
  }

  /** The run is over. */
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
