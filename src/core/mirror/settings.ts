import { UsageError } from '../../domain/errors.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';

/** How the mirror judges and refreshes what it knows. All durations in milliseconds. */
export interface MirrorSettings {
  /** The mode this run trades; books and prices of the other one are counted and left out. */
  readonly mode: CurrencyMode;
  /** Levels kept per side. */
  readonly depth: number;
  /** How old a book read may already be when it is answered (facts, "Limits"). */
  readonly bookCacheMs: number;
  /** How much a frame and an answer about the same state may be apart on their way. */
  readonly latencyMs: number;
  /** Every quoted book is compared with a read this often: as far as the request budget lets reads go round. */
  readonly witnessEveryMs: number;
  /** While a side is hidden behind our own orders, how often what lies behind is read again. */
  readonly hiddenEveryMs: number;
  /** How often holdings and balances are read although nothing calls for it; orders are listed by `execution`. */
  readonly holdingsEveryMs: number;
  readonly balancesEveryMs: number;
  /** Least time between two reads of balances, however many `balance` inputs come. */
  readonly balancePaceMs: number;
  /** A failed read is repeated after this, doubled with every failure in a row up to the most. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
  /** `configuration`: the venue has no `GET /events/{id}/`; statuses come from configuration and frames. */
  readonly eventSource: 'venue' | 'configuration';
  /** Routine reads are left out while the venue says nothing. Only where no message can be lost. */
  readonly omitsSilentReads?: boolean;
}

/** What a configuration says of it: it alone has defaults for that. */
type ConfiguredMirrorSettings = Pick<
  MirrorSettings,
  'mode' | 'bookCacheMs' | 'witnessEveryMs' | 'holdingsEveryMs' | 'balancesEveryMs'
>;

/** What no configuration says. A venue's books are cached for seconds and its frames come within one (facts, "Limits"). */
export const FIXED_MIRROR_SETTINGS: Omit<MirrorSettings, keyof ConfiguredMirrorSettings> = {
  depth: 5,
  latencyMs: 1_000,
  hiddenEveryMs: 5_000,
  balancePaceMs: 1_000,
  retryFirstMs: 500,
  retryMostMs: 30_000,
  eventSource: 'venue',
};

/** A level's place is kept in a byte. */
const MOST_LEVELS = 255;

/** Pause after a read that did not help: an answer within the cache time may be the very same. */
export const repeatMsOf = ({
  bookCacheMs,
  latencyMs,
}: Pick<MirrorSettings, 'bookCacheMs' | 'latencyMs'>): number => bookCacheMs + latencyMs;

/**
 * How long a book may be quoted although its channel has fallen silent, while the connection stands: a round of
 * comparisons, a cached read that still agrees, and a second read that disagrees as well.
 */
export const unnoticedMsOf = (settings: MirrorSettings): number =>
  settings.witnessEveryMs + settings.bookCacheMs + repeatMsOf(settings) + settings.latencyMs;

/**
 * @returns the settings themselves
 * @throws UsageError for a number of levels that cannot be kept
 */
export function checkMirrorSettings(settings: MirrorSettings): MirrorSettings {
  const { depth } = settings;
  if (!Number.isInteger(depth) || depth < 1 || depth > MOST_LEVELS)
    throw new UsageError(`depth must be a whole number of levels from 1 to ${MOST_LEVELS}, not ${depth}`);
  return settings;
}
