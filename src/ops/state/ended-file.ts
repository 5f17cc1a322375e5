/** Which markets have ended, on the disk: what the venue takes back while no bot looks on is noticed at the next start. */
import { rmSync } from 'node:fs';
import { z } from 'zod';
import type { MarketId } from '../../domain/ids.js';
import { RESOLUTIONS } from '../../domain/vocabulary.js';
import type { EndedMarket } from '../../core/engine/guarding/reversals.js';
import type { Logger } from '../../core/ports/logger.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { CautionsUnreadableError, textOf } from './caution-file.js';
import { RetriedWrite } from './retried-write.js';

const ENDED = z.array(
  z.object({
    marketId: z.int().transform((id) => id as MarketId),
    resolution: z.enum(RESOLUTIONS).nullable(),
  }),
);

/**
 * What the run before knew; nothing where there is no file.
 * @throws CautionsUnreadableError for a file that is damaged: a reversal would go unnoticed
 */
export function readEnded(path: string): readonly EndedMarket[] {
  const text = textOf(path);
  if (text === null) return [];
  try {
    return ENDED.parse(JSON.parse(text));
  } catch (cause) {
    throw new CautionsUnreadableError(
      `${path} should hold which markets have ended and how, and cannot be read. Look whether one of them was reversed; ` +
        `then remove the file, and the bot starts as if none had ended`,
      { cause },
    );
  }
}

/** The venue that it was learned of is gone. */
export function forgetEnded(path: string): void {
  rmSync(path, { force: true });
}

/** Keeps the file equal to what the engine knows. */
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

  /** Called with every beat. A disk that is full is said once and tried again. */
  review(ended: readonly EndedMarket[]): void {
    if (ended === this.found) return;
    if (this.#failures.attempt(() => replaceFile(this.path, JSON.stringify(ended)))) this.found = ended;
  }
}
