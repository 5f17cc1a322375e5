/** Keeps on disk what a bot's guards latched. A restart resets nothing. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import { eventId, marketId } from '../../domain/ids.js';
import { type Micros, type Money, currencyUnits } from '../../domain/units.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { Logger } from '../../core/ports/logger.js';
import {
  type RiskState,
  haveLossesMoved,
  type KeptLoss,
  type LossSteps,
  NO_RISK_STATE,
} from '../../core/risk/index.js';
import { scopeText } from '../../core/risk/pauses.js';
import { FolderWatch, replaceFile } from '../../storage/files/whole-files.js';
import { RetriedWrite } from './retried-write.js';
import { isoTime } from './latches.js';

/** A file of state exists and cannot be understood. */
export class StateUnreadableError extends OddsmithError {
  readonly code = 'ODDSMITH_STATE_UNREADABLE';
  readonly exit = EXIT.usage;
}

const MARKET = z.union([z.int(), z.string()]).transform((id) => marketId(id));
const EVENT = z.union([z.int(), z.string()]).transform((id) => eventId(id));
const MOMENT = z.int().transform((at) => at as Micros);
const AMOUNT = z.int().transform((amount) => amount as Money);
/** Losses in each currency, as text of a file. */
export const LOSSES = z.array(z.object({ currency: z.enum(CURRENCIES), lost: AMOUNT, fell: AMOUNT }));
const RISK_STATE = z.object({
  coolDowns: z.array(
    z.discriminatedUnion('scope', [
      z.object({ scope: z.literal('market'), marketId: MARKET, until: MOMENT }),
      z.object({ scope: z.literal('event'), eventId: EVENT, until: MOMENT }),
    ]),
  ),
  markOuts: z.array(z.object({ marketId: MARKET, level: z.enum(['reduced', 'stopped']) })),
  reversed: z.array(MARKET),
  taken: z
    .array(
      z.object({
        currency: z.enum(CURRENCIES),
        at: MOMENT,
        amount: AMOUNT,
        isWanted: z.boolean().optional(),
      }),
    )
    .default([]),
  pauses: z
    .array(
      z.object({
        scope: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('all') }),
          z.object({ kind: z.literal('event'), eventId: EVENT }),
          z.object({ kind: z.literal('market'), marketId: MARKET }),
          z.object({ kind: z.literal('instance'), instance: z.string() }),
        ]),
        isPaused: z.boolean(),
        until: MOMENT.nullable(),
        widenTicks: z.int(),
        by: z.string(),
        at: MOMENT,
      }),
    )
    .default([]),
  losses: LOSSES.default([]),
});

/**
 * Reads what earlier runs latched; nothing without a file.
 * @throws StateUnreadableError for a damaged file, because only a person may reset its latches
 */
export function readRiskState(path: string): RiskState {
  const text = textOf(path);
  if (text === null) return NO_RISK_STATE;
  try {
    return RISK_STATE.parse(JSON.parse(text));
  } catch (cause) {
    throw new StateUnreadableError(
      `${path} should hold what the guards latched (breakers in cool-down, markets stopped by mark-out or after a ` +
        `reversal, what counts towards the limits of losses and of taking) and cannot be read. Look at the fills of the account; then remove the file, and the bot starts ` +
        `as if nothing were latched`,
      { cause },
    );
  }
}

/** @returns null without a file */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes the file: a person resumed, or its venue is gone. @returns whether anything was latched */
export function forgetRiskState(path: string): boolean {
  const wasThere = existsSync(path);
  rmSync(path, { force: true });
  return wasThere;
}

export interface RiskFileOptions {
  readonly path: string;
  readonly logger: Logger;
  /** Present contents of the file. */
  readonly found: RiskState;
  /** A smaller change of losses alone is not written. */
  readonly steps: LossSteps;
  /** A person removed the file: resets all latches. */
  readonly onForgotten: () => void;
}

const NOTHING = JSON.stringify(NO_RISK_STATE);

/**
 * Keeps the file equal to the latches of the guards. It exists while anything is latched or lost. Losses change with every
 * book, so they are written in steps. In between, {@link KeptState} writes them to the windows.
 */
export class RiskFile {
  #written: string;
  #losses: readonly KeptLoss[];
  #isForgotten = false;
  readonly #sight: FolderWatch;
  readonly #failures: RetriedWrite;

  constructor(private readonly options: RiskFileOptions) {
    this.#written = JSON.stringify(options.found);
    this.#losses = options.found.losses;
    this.#sight = new FolderWatch(options.path);
    this.#sight.note();
    const what = 'what the guards latched cannot be written down; a restart would forget it';
    this.#failures = new RetriedWrite((error) =>
      options.logger.error(what, { path: options.path, err: error }),
    );
  }

  /** Losses in the file; null while a reset by a person is being applied. */
  get notedLosses(): readonly KeptLoss[] | null {
    return this.#isForgotten ? null : this.#losses;
  }

  /** Called with every beat, and at once when a guard trips. A failed write is reported once and tried again. */
  review(riskState: RiskState): void {
    this.#isForgotten = false;
    if (this.#written !== NOTHING && !existsSync(this.options.path)) {
      this.#holds(NO_RISK_STATE);
      this.#isForgotten = this.#sight.isSame;
      if (this.#isForgotten) return this.options.onForgotten();
    }
    const losses = this.#losses;
    const haveMoved = haveLossesMoved(losses, riskState.losses, this.options.steps);
    if (haveMoved || JSON.stringify({ ...riskState, losses }) !== this.#written) this.#write(riskState);
  }

  /** Writes the final losses of a run. */
  settle(riskState: RiskState): void {
    if (!this.#isForgotten && JSON.stringify(riskState) !== this.#written) this.#write(riskState);
  }

  #write(riskState: RiskState): void {
    const { path } = this.options;
    const text = JSON.stringify(riskState);
    const isWritten = this.#failures.attempt(() => {
      if (text === NOTHING) rmSync(path, { force: true });
      else replaceFile(path, text);
    });
    if (!isWritten) return;
    this.#holds(riskState);
    this.#sight.note();
  }

  #holds(riskState: RiskState): void {
    this.#written = JSON.stringify(riskState);
    this.#losses = riskState.losses;
  }
}

/** Formats what guards latched for a person: amounts in currency, times as dates, without empty members. */
export function describeRiskState(riskState: RiskState): Readonly<Record<string, readonly unknown[]>> {
  const { coolDowns, markOuts, reversed, taken, pauses, losses } = riskState;
  const told = {
    coolDowns: coolDowns.map(({ until, ...where }) => ({ ...where, until: isoTime(until) })),
    markOuts,
    reversed,
    taken: taken.map(({ currency, at, amount }) => `${currencyUnits(amount)} ${currency} at ${isoTime(at)}`),
    pauses: pauses.map(({ scope, isPaused, widenTicks, by, at }) => {
      const what = isPaused ? 'paused' : `widened by ${widenTicks} ticks`;
      return `${scopeText(scope)} ${what} by ${by} at ${isoTime(at)}`;
    }),
    losses: losses.map(
      ({ currency, lost, fell }) =>
        `${currencyUnits(lost)} ${currency} lost, ${currencyUnits(fell)} ${currency} below the best`,
    ),
  };
  return Object.fromEntries(Object.entries(told).filter(([, { length }]) => length > 0));
}
