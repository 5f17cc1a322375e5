import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../ports/logger.js';
import type { RequestUsage, UsageStore } from '../../../server/index.js';

const NAME = 'requests.json';

/**
 * Counts of the rate limit as a file of the exchange's folder, replaced whole. Not by `runtime/replaced-file.ts`, which waits
 * for the disk: they are saved every second beside the requests, and a start that finds none of them whole says so.
 */
export class UsageFile implements UsageStore {
  readonly #path: string;

  constructor(
    dir: string,
    private readonly logger: Logger,
  ) {
    this.#path = join(dir, NAME);
  }

  load(): RequestUsage {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as RequestUsage;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.logger.warn('the counts of the rate limit are lost', { err: error });
      return [];
    }
  }

  save(usage: RequestUsage): void {
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify(usage), { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.logger.warn('the counts of the rate limit were not saved', { err: error });
    }
  }
}
