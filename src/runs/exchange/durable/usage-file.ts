import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileUnsynced } from '../../../storage/files/whole-files.js';
import type { Logger } from '../../../core/ports/logger.js';
import type { RequestUsage, UsageStore } from '../../../exchange-server/index.js';

const NAME = 'requests.json';

/**
 * Counts of the rate limit as a file of the exchange's folder, replaced whole without waiting for the
 * disk: they are saved every second beside the requests, and a start that finds none of them whole says so.
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
      replaceFileUnsynced(this.#path, JSON.stringify(usage));
    } catch (error) {
      this.logger.warn('the counts of the rate limit were not saved', { err: error });
    }
  }
}
