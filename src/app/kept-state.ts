import type { Engine } from '../engine/engine.js';
import type { EngineOptions } from '../engine/options.js';
import type { Logger } from '../ports/logger.js';
import { NO_CAUTIONS } from '../risk/index.js';
import { CautionFile, readCautions } from './caution-file.js';
import { EndedFile, readEnded } from './ended-file.js';
import { readSpending, SpendingFile } from './spending-file.js';
import type { StatePaths } from './state-paths.js';
import type { WindowFile } from './window-file.js';

type KeptPaths = Pick<StatePaths, 'cautions' | 'ended' | 'spending'>;

/** What a run has to know of the one before. @throws CautionsUnreadableError for a file that is damaged */
export const readKept = (paths: KeptPaths): Pick<EngineOptions, 'cautions' | 'ended' | 'spending'> => ({
  cautions: readCautions(paths.cautions),
  ended: readEnded(paths.ended),
  spending: readSpending(paths.spending),
});

export interface KeptStateOptions {
  readonly paths: KeptPaths;
  readonly logger: Logger;
  /** What the files hold now. */
  readonly found: Pick<EngineOptions, 'cautions' | 'ended'>;
  readonly windows: WindowFile;
  /** A person removed what guards latched. */
  readonly onForgotten: () => void;
}

/** What of an engine outlives its process, kept up to date on the disk. */
export class KeptState {
  readonly #cautions: CautionFile;
  readonly #ended: EndedFile;
  readonly #spending: SpendingFile;
  readonly #windows: WindowFile;

  /** @throws an error of the file system */
  constructor({ paths, logger, found, windows, onForgotten }: KeptStateOptions) {
    const { cautions, ended } = found;
    if (cautions !== NO_CAUTIONS)
      logger.warn('what guards latched in the run before is taken over', { ...cautions });
    this.#cautions = new CautionFile({ path: paths.cautions, logger, found: cautions, onForgotten });
    this.#ended = new EndedFile(paths.ended, logger, ended);
    this.#spending = new SpendingFile(paths.spending, logger);
    this.#windows = windows;
    windows.review();
  }

  /** Called with every beat, and at once when a guard spoke. */
  review({ cautions, ended, spending }: Pick<Engine, 'cautions' | 'ended' | 'spending'>): void {
    this.#cautions.review(cautions);
    this.#ended.review(ended);
    this.#spending.review(spending);
    this.#windows.review();
  }

  close(): void {
    this.#spending.close();
    this.#windows.close();
  }
}
