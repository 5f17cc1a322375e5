/** Asks the venue now and then which markets a file selects, while its bot runs: some join, and some leave. */
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import { OddsmithError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { ReloadAnswer } from '../../ops/state/running-bot.js';
import type { Selected } from '../selection.js';

/** How soon it is looked whether a question is to be asked at all. */
const IDLE_MS = 10_000;

export interface ReselectionParts {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Time from one question to the next; null: none is asked now, which a file taken over may change. */
  readonly everyMs: () => number | null;
  /** The settings with what the venue offers now. */
  readonly select: () => Promise<Selected>;
  readonly take: (found: Selected) => Promise<ReloadAnswer>;
  /** Keeps the file from becoming another one between the question and the change. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** @returns a function that ends it */
export function reselecting(parts: ReselectionParts): () => void {
  const { clock } = parts;
  let cancel = (): void => undefined;
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    const everyMs = parts.everyMs();
    cancel = clock.at((clock.now() + (everyMs ?? IDLE_MS) * 1_000) as Micros, () => {
      if (everyMs === null) next();
      else void parts.inTurn(() => reselected(parts, () => isOver)).finally(next);
    });
  };
  next();
  return () => {
    isOver = true;
    cancel();
  };
}

/** A venue that does not answer changes nothing. */
async function reselected({ logger, select, take }: ReselectionParts, isOver: () => boolean): Promise<void> {
  try {
    const found = await select();
    if (isOver()) return;
    const { changes, refused, problem } = await take(found);
    if (problem !== null || refused.length > 0)
      logger.warn(`markets of the venue were not taken over: ${problem ?? refused.join('; ')}`);
    else if (changes.length > 0) logger.info('markets of the venue were taken over', { changes });
  } catch (error) {
    if (!(error instanceof OddsmithError)) throw error;
    logger.warn(`the markets stay as they are: ${error.message}`);
  }
}
