import { rmSync } from 'node:fs';
import { z } from 'zod';
import type { Engine } from '../../core/engine/engine.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Logger } from '../../core/ports/logger.js';
import { type RiskState, type LossSteps, NO_RISK_STATE } from '../../core/risk/index.js';
import { RiskFile, readRiskState, describeRiskState, StateUnreadableError, textOf } from './risk-file.js';
import { readSpending, SpendingFile } from './spending-file.js';
import type { StatePaths } from './account-folder.js';
import type { WindowFile } from './window-file.js';
import { marketId } from '../../domain/ids.js';
import { RESOLUTIONS } from '../../domain/vocabulary.js';
import type { EndedMarket } from '../../core/engine/guarding/reversals.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { RetriedWrite } from './retried-write.js';

type KeptPaths = Pick<StatePaths, 'riskState' | 'ended' | 'spending'>;

/** Reads the state that an earlier run left. @throws StateUnreadableError for a damaged file */
export const readKept = (
  paths: KeptPaths,
  windows: Pick<WindowFile, 'lossesSince'>,
): Pick<EngineOptions, 'riskState' | 'ended' | 'spending'> => ({
  riskState: exactly(readRiskState(paths.riskState), windows),
  ended: readEnded(paths.ended),
  spending: readSpending(paths.spending),
});

function exactly(riskState: RiskState, windows: Pick<WindowFile, 'lossesSince'>): RiskState {
  const losses = windows.lossesSince(riskState.losses);
  return losses === riskState.losses ? riskState : { ...riskState, losses };
}

export interface KeptStateOptions {
  readonly paths: KeptPaths;
  readonly logger: Logger;
  /** State at the start: {@link readKept}. */
  readonly found: Pick<EngineOptions, 'riskState' | 'ended'>;
  readonly windows: WindowFile;
  /** Losses are synced to disk after a change of this size. */
  readonly steps: LossSteps;
  /** A person removed the latches of the guards. */
  readonly onForgotten: () => void;
}

/**
 * Keeps the state that outlives a process up to date on disk. Losses are written with every beat. A killed process forgets
 * the losses since its last beat. A power failure forgets at most a hundredth of the limit.
 */
export class KeptState {
  readonly #riskState: RiskFile;
  readonly #ended: EndedFile;
  readonly #spending: SpendingFile;
  readonly #windows: WindowFile;
  /** Losses that were written to the windows last. */
  #lossesTold: string;

  /** @throws an error of the file system */
  constructor({ paths, logger, found, windows, steps, onForgotten }: KeptStateOptions) {
    const { riskState, ended } = found;
    if (riskState !== NO_RISK_STATE)
      logger.warn('what guards latched in the run before is taken over', describeRiskState(riskState));
    const written = readRiskState(paths.riskState);
    this.#riskState = new RiskFile({ path: paths.riskState, logger, found: written, steps, onForgotten });
    this.#lossesTold = JSON.stringify([written.losses, riskState.losses]);
    this.#ended = new EndedFile(paths.ended, logger, ended);
    this.#spending = new SpendingFile(paths.spending, logger);
    this.#windows = windows;
    windows.review();
  }

  /** Called with every beat, and at once when a guard trips. */
  review({ riskState, ended, spending }: Pick<Engine, 'riskState' | 'ended' | 'spending'>): void {
    this.#riskState.review(riskState);
    this.#tellLosses(riskState);
    this.#ended.review(ended);
    this.#spending.review(spending);
    this.#windows.review();
  }

  /** Syncs the final losses to disk at the end of a run. */
  settle({ riskState }: Pick<Engine, 'riskState'>): void {
    this.#riskState.settle(riskState);
    this.#tellLosses(riskState);
  }

  close(): void {
    this.#spending.close();
    this.#windows.close();
  }

  #tellLosses({ losses }: RiskState): void {
    const noted = this.#riskState.notedLosses;
    const told = JSON.stringify([noted, losses]);
    if (noted === null || told === this.#lossesTold) return;
    this.#lossesTold = told;
    this.#windows.counted({ kind: 'losses', noted, losses });
  }
}

/** Keeps on disk which markets have ended. A reversal while no bot runs is noticed at the next start. */

const ENDED = z.array(
  z.object({
    marketId: z.union([z.int(), z.string()]).transform((id) => marketId(id)),
    resolution: z.union([z.enum(RESOLUTIONS), z.number()]).nullable(),
  }),
);

/**
 * Reads the ended markets of an earlier run; none without a file.
 * @throws StateUnreadableError for a damaged file, because a reversal would go unnoticed
 */
export function readEnded(path: string): readonly EndedMarket[] {
  const text = textOf(path);
  if (text === null) return [];
  try {
    return ENDED.parse(JSON.parse(text));
  } catch (cause) {
    throw new StateUnreadableError(
      `${path} should hold which markets have ended and how, and cannot be read. Look whether one of them was reversed; ` +
        `then remove the file, and the bot starts as if none had ended`,
      { cause },
    );
  }
}

/** Forgets them when their venue is gone. */
export function forgetEnded(path: string): void {
  rmSync(path, { force: true });
}

/** Keeps the file equal to the engine's knowledge. */
export class EndedFile {
  readonly #failures: RetriedWrite;

  /** @param found what the file holds now */
  constructor(
    private readonly path: string,
    logger: Logger,
    private found: readonly EndedMarket[],
  ) {
    const what = 'which markets have ended cannot be written down; a restart would not notice a reversal';
    this.#failures = new RetriedWrite((error) => logger.error(what, { path, err: error }));
  }

  /** Called with every beat. A failed write is reported once and tried again. */
  review(ended: readonly EndedMarket[]): void {
    if (ended === this.found) return;
    if (this.#failures.attempt(() => replaceFile(this.path, JSON.stringify(ended)))) this.found = ended;
  }
}
