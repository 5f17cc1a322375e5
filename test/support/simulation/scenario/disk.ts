/** What outlives a process of the bot, as far as a world does not keep it itself: the real files. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KeptState, readKept } from '../../../../src/ops/state/kept-state.js';
import { forgetWindows, WindowFile } from '../../../../src/ops/state/window-file.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { Clock } from '../../../../src/core/ports/clock.js';
import { fillsCountMs, lossStepsOf } from '../../../../src/core/risk/index.js';
import { acquireLock, type Lock } from '../../../../src/storage/state/lock-file.js';
import type { BotSettings } from '../../../../src/settings/index.js';
import { SILENT } from '../../process/silent-logger.js';
import type { SimulatedBot } from '../simulated-bot.js';

/** What a run has to know of the one before. */
type Kept = ReturnType<typeof readKept>;

/** A bot writes down once a second what may have changed. */
const BEAT = 1_000_000;

export interface DiskOptions {
  /** May hold what an earlier life left, which counts for nothing. */
  readonly folder: string;
  /** Whether it keeps what guards latched, what has ended, and what requests have used. */
  readonly isWhole: boolean;
}

export class Disk {
  readonly #lockPath: string;
  readonly #windowPath: string;
  readonly #paths: Parameters<typeof readKept>[0];
  readonly #isWhole: boolean;
  #windows: WindowFile | null = null;
  #steps = lossStepsOf([]);
  #kept: KeptState | null = null;

  constructor({ folder, isWhole }: DiskOptions) {
    this.#lockPath = join(folder, 'lock');
    this.#windowPath = join(folder, 'windows.ndjson');
    const [riskState, ended, spending] = ['riskState', 'ended', 'spending'].map((name) =>
      join(folder, `${name}.json`),
    ) as [string, string, string];
    this.#paths = { riskState, ended, spending };
    this.#isWhole = isWhole;
    forgetWindows(this.#windowPath);
    for (const path of [riskState, ended, spending]) rmSync(path, { force: true });
  }

  /** @throws LockHeldError while a bot runs */
  lock(): Lock {
    return acquireLock(this.#lockPath, 'the account of the simulation');
  }

  /** What the guards of the next process know of the ones before, and where they write down what they count. */
  windows({ instances }: BotSettings, clock: Pick<Clock, 'now'>): WindowFile {
    this.close();
    const limits = instances.map((instance) => instance.limits);
    this.#steps = lossStepsOf(limits);
    const keepMs = fillsCountMs(limits);
    this.#windows = new WindowFile({ path: this.#windowPath, clock, logger: SILENT, keepMs });
    this.#windows.review();
    return this.#windows;
  }

  /** What processes before wrote down besides; nothing where that is not kept. */
  kept(): Partial<Kept> {
    return this.#isWhole && this.#windows !== null ? readKept(this.#paths, this.#windows) : {};
  }

  /** Keeps it up to date for as long as the process runs. @param found what it began with */
  keep(bot: SimulatedBot, { riskState, ended }: Partial<Kept>): void {
    const windows = this.#windows;
    if (riskState === undefined || ended === undefined || windows === null) return;
    const found = { riskState, ended };
    const [paths, steps] = [this.#paths, this.#steps];
    const state = new KeptState({ paths, logger: SILENT, found, windows, steps, onForgotten });
    this.#kept = state;
    const { clock } = bot.host;
    const beat = (): void => {
      if (this.#kept !== state) return;
      state.review(bot.engine);
      clock.at((clock.now() + BEAT) as Micros, beat);
    };
    beat();
  }

  close(): void {
    if (this.#kept === null) this.#windows?.close();
    this.#kept?.close();
    this.#kept = null;
    this.#windows = null;
  }
}

/** Nobody takes a file away here. */
const onForgotten = (): void => undefined;
