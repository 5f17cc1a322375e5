/** What a bot's guards latched, on the disk: a restart is no pardon. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { OddsmithError } from '../domain/errors.js';
import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros, Money } from '../domain/units.js';
import { CURRENCIES } from '../domain/vocabulary.js';
import type { Logger } from '../ports/logger.js';
import { type Cautions, NO_CAUTIONS } from '../risk/index.js';
import { FolderSight } from '../runtime/folder-sight.js';
import { replaceFile } from '../runtime/replaced-file.js';
import { ToldFailures } from './told-failures.js';

/** The file is there and cannot be read as what it should be. */
export class CautionsUnreadableError extends OddsmithError {
  readonly code = 'ODDSMITH_CAUTIONS_UNREADABLE';
}

const MARKET = z.int().transform((id) => id as MarketId);
const EVENT = z.int().transform((id) => id as EventId);
const MOMENT = z.int().transform((at) => at as Micros);
const AMOUNT = z.int().transform((amount) => amount as Money);
const CAUTIONS = z.object({
  coolDowns: z.array(
    z.discriminatedUnion('scope', [
      z.object({ scope: z.literal('market'), marketId: MARKET, until: MOMENT }),
      z.object({ scope: z.literal('event'), eventId: EVENT, until: MOMENT }),
    ]),
  ),
  markOuts: z.array(z.object({ marketId: MARKET, level: z.enum(['reduced', 'stopped']) })),
  reversed: z.array(MARKET),
  taken: z.array(z.object({ currency: z.enum(CURRENCIES), at: MOMENT, amount: AMOUNT })).default([]),
  losses: z.array(z.object({ currency: z.enum(CURRENCIES), lost: AMOUNT, fell: AMOUNT })).default([]),
});

/**
 * What runs before left latched; nothing where there is no file.
 * @throws CautionsUnreadableError for a file that is damaged: to forget what it held is for a person to decide
 */
export function readCautions(path: string): Cautions {
  const text = textOf(path);
  if (text === null) return NO_CAUTIONS;
  try {
    return CAUTIONS.parse(JSON.parse(text));
  } catch (cause) {
    throw new CautionsUnreadableError(
      `${path} should hold what the guards latched (breakers in cool-down, markets stopped by mark-out or after a ` +
        `reversal, what counts towards the limits of losses and of taking) and cannot be read. Look at the fills of the account; then remove the file, and the bot starts ` +
        `as if nothing were latched`,
      { cause },
    );
  }
}

/** @returns null where there is no file */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A person resumed, or the venue that it was learned of is gone. @returns whether anything was latched */
export function forgetCautions(path: string): boolean {
  const wasThere = existsSync(path);
  rmSync(path, { force: true });
  return wasThere;
}

export interface CautionFileOptions {
  readonly path: string;
  readonly logger: Logger;
  /** What the file holds now. */
  readonly found: Cautions;
  /** A person removed the file: nothing is to be latched any longer. */
  readonly onForgotten: () => void;
}

const NOTHING = JSON.stringify(NO_CAUTIONS);

/** Keeps the file equal to what the guards hold; it is there while that is anything. */
export class CautionFile {
  #written: string;
  readonly #sight: FolderSight;
  readonly #failures: ToldFailures;

  constructor(private readonly options: CautionFileOptions) {
    this.#written = JSON.stringify(options.found);
    this.#sight = new FolderSight(options.path);
    this.#sight.note();
    const what = 'what the guards latched cannot be written down; a restart would forget it';
    this.#failures = new ToldFailures((error) =>
      options.logger.error(what, { path: options.path, err: error }),
    );
  }

  /** Called with every beat, and at once when a guard spoke. A disk that is full is said once and tried again. */
  review(cautions: Cautions): void {
    if (this.#written !== NOTHING && !existsSync(this.options.path)) {
      this.#written = NOTHING;
      if (this.#sight.isSame) return this.options.onForgotten();
    }
    const text = JSON.stringify(cautions);
    if (text !== this.#written) this.#write(text);
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
