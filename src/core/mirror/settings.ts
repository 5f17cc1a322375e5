import { UsageError } from '../../domain/errors.js';
import type { CurrencyMode } from '../../domain/vocabulary.js';

/** How the mirror judges and refreshes what it knows. All durations in milliseconds. */
export interface MirrorSettings {
  /** The mode this run trades; books and prices of the other one are counted and left out. */
  readonly mode: CurrencyMode;
  /** Levels kept per side. */
  readonly depth: number;
  /** A book whose last update or witness is older than this is stale; armed at subscription. */
  readonly maxBookAgeMs: number;
  /** How old a book read may already be when it is answered (facts, "Limits"). */
  readonly bookCacheMs: number;
  /** How much a frame and an answer about the same state may be apart on their way. */
  readonly latencyMs: number;
  /** Every quoted book is compared with a read at least this often, updates or not. */
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
}

/** What a configuration says of it: it alone has defaults for that. */
type ConfiguredMirrorSettings = Pick<
  MirrorSettings,
  'mode' | 'maxBookAgeMs' | 'bookCacheMs' | 'witnessEveryMs' | 'holdingsEveryMs' | 'balancesEveryMs'
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

/** Silence of a book after which a comparison is asked for, so that it can arrive before the book is too old. */
export const quietMsOf = ({ maxBookAgeMs, bookCacheMs, latencyMs }: MirrorSettings): number =>
  (maxBookAgeMs - bookCacheMs - latencyMs) / 2;

/** Pause after a read that did not help: an answer within the cache time may be the very same. */
export const repeatMsOf = ({
  bookCacheMs,
  latencyMs,
}: Pick<MirrorSettings, 'bookCacheMs' | 'latencyMs'>): number => bookCacheMs + latencyMs;

/** How often a book that no update confirms is read: what a read shows may be as old as the cache. */
export const silentBookMsOf = (settings: MirrorSettings): number =>
  Math.max(repeatMsOf(settings), quietMsOf(settings) - settings.bookCacheMs);

/**
 * @returns the settings themselves
 * @throws UsageError when they contradict each other: a read book is at least cache plus latency old, so a
 *         smaller greatest age could never be met by a quiet market
 */
export function checkMirrorSettings(settings: MirrorSettings): MirrorSettings {
  const { depth } = settings;
  if (!Number.isInteger(depth) || depth < 1 || depth > MOST_LEVELS)
    throw new UsageError(`depth must be a whole number of levels from 1 to ${MOST_LEVELS}, not ${depth}`);
  const youngest = settings.bookCacheMs + settings.latencyMs;
  if (settings.maxBookAgeMs <= youngest)
    throw new UsageError(
      `maxBookAgeMs (${settings.maxBookAgeMs}) must exceed bookCacheMs + latencyMs (${youngest}): ` +
        'otherwise no read could ever confirm a quiet book',
    );
  return settings;
}
