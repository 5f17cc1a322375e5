import { createWriteStream, renameSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { cannotWrite } from '../../domain/errors.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';

/** Every decision of a scenario, a line each with the hash of the one before: the same run, the same bytes. */
export class DecisionLog implements Pick<EngineObserver, 'decided'> {
  private readonly gzip: Gzip = createGzip();
  private readonly written: Promise<void>;
  private isFull = false;

  /** @param file gzipped NDJSON, in place of one that is there once it is whole: a run that is ended leaves that one */
  constructor(private readonly file: string) {
    const target = createWriteStream(unfinished(file), { mode: 0o600 });
    this.written = finished(this.gzip.pipe(target)).catch((error: unknown) => {
      throw cannotWrite(file, error);
    });
    this.written.catch(() => undefined);
  }

  decided(line: string): void {
    this.isFull = !this.gzip.write(`${line}\n`);
  }

  /** Lets what is waiting reach the disk, so that memory does not grow. */
  async drain(): Promise<void> {
    if (!this.isFull) return;
    this.isFull = false;
    await Promise.race([new Promise((resolve) => this.gzip.once('drain', resolve)), this.written]);
  }

  /** @throws UsageError when it could not be written */
  async close(): Promise<void> {
    this.gzip.end();
    await this.written;
    renameSync(unfinished(this.file), this.file);
  }
}

/** What it is called until it is whole. */
export const unfinished = (file: string): string => `${file}.new`;
