/** What outlives a process of the bot, as far as a world does not keep it itself: the real files. */
import { join } from 'node:path';
import { forgetWindows, WindowFile } from '../../../../src/app/window-file.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { fillsCountMs } from '../../../../src/risk/index.js';
import { acquireLock, type Lock } from '../../../../src/runtime/lock-file.js';
import type { BotSettings } from '../../../../src/settings/index.js';
import { SILENT } from '../../silent-logger.js';

export class Disk {
  readonly #lockPath: string;
  readonly #windowPath: string;
  #windows: WindowFile | null = null;

  /** @param folder may hold what an earlier life left, which counts for nothing */
  constructor(folder: string) {
    this.#lockPath = join(folder, 'lock');
    this.#windowPath = join(folder, 'windows.ndjson');
    forgetWindows(this.#windowPath);
  }

  /** @throws LockHeldError while a bot runs */
  lock(): Lock {
    return acquireLock(this.#lockPath, 'the account of the simulation');
  }

  /** What the guards of the next process know of the ones before, and where they write down what they count. */
  windows({ instances }: BotSettings, clock: Pick<Clock, 'now'>): WindowFile {
    this.close();
    const keepMs = fillsCountMs(instances.map(({ limits }) => limits));
    this.#windows = new WindowFile({ path: this.#windowPath, clock, logger: SILENT, keepMs });
    this.#windows.review();
    return this.#windows;
  }

  close(): void {
    this.#windows?.close();
    this.#windows = null;
  }
}
