import type { MarketId } from '../../../domain/ids.js';
import type { FairValueUpdate } from '../../../domain/inputs.js';
import type { Micros } from '../../../domain/units.js';
import type { BookView, FairValue } from '../../strategy/contract.js';
import type { FairSource } from '../options.js';

interface Seen {
  p: number;
  /** Since when our own orders hide a side; null while both can be seen. */
  unseenSince: Micros | null;
}

/** The market's source has sent no value yet. */
const MISSING = 'fair-value-missing';
/** The newest value of the market's source is older than its limit. */
export const STALE = 'fair-value-stale';

/** Fair values from outside, by market. A market without a source has the weighted mid of its foreign book. */
export class FairValues {
  private readonly latest = new Map<MarketId, FairValueUpdate>();
  /** Weighted mids, as of the last time both sides could be seen. */
  private readonly seen = new Map<MarketId, Seen>();

  /** @param sources of markets whose fair value comes from outside alone */
  constructor(private readonly sources: ReadonlyMap<MarketId, FairSource> = new Map()) {}

  /** @returns false for what is no probability; an older value than the one held is ignored, too */
  update(value: FairValueUpdate): boolean {
    if (!isProbability(value.p) || !isProbability(value.confidence)) return false;
    const known = this.latest.get(value.marketId);
    if (known === undefined || known.at <= value.at) this.latest.set(value.marketId, value);
    return true;
  }

  /** @returns null when nobody knows: a one-sided book and no source, or a source without a value that is young enough */
  of(market: MarketId, book: BookView, now: Micros): FairValue | null {
    const source = this.sources.get(market);
    const value = this.latest.size === 0 ? undefined : this.latest.get(market);
    if (source !== undefined && (value === undefined || now >= expiryOf(value, source))) return null;
    if (value !== undefined) {
      const { p, confidence } = value;
      return { p, ageMs: ageMsOf(value, now), confidence, source: source?.name ?? 'outside' };
    }
    const seen = this.look(market, book, now);
    if (seen === null) return null;
    const { p, unseenSince } = seen;
    return { p, ageMs: unseenSince === null ? 0 : ageMsOf({ at: unseenSince }, now), confidence: 1 };
  }

  /** When the value that is in use will be too old; null where it is not from a source, or is too old already. */
  expiresAt(market: MarketId, now: Micros): Micros | null {
    const source = this.sources.get(market);
    if (source === undefined) return null;
    const value = this.latest.get(market);
    if (value === undefined) return null;
    const expiry = expiryOf(value, source);
    return expiry > now ? expiry : null;
  }

  /** Why the market must not be quoted without a value of its source; null when it may be. */
  haltOf(market: MarketId, now: Micros): string | null {
    const source = this.sources.get(market);
    if (source === undefined || source.whenStale !== 'halt') return null;
    const value = this.latest.get(market);
    if (value === undefined) return MISSING;
    return now >= expiryOf(value, source) ? STALE : null;
  }

  /** What a person is told when the market is halted for {@link STALE}. */
  staleText(market: MarketId): string {
    const { name, maxAgeMs } = this.sources.get(market)!;
    return `the fair value of ${name} is older than ${maxAgeMs} ms: nothing is quoted until a newer one comes`;
  }

  /**
   * A book that counts is the venue's, however long it is silent: its mid is of now. While our own orders hide a side, the
   * last value stands and ages: nothing that is unseen moves it. Were it unknown instead, our quotes would go, the side
   * would show, and they would come back, over and over.
   */
  private look(market: MarketId, { weightedMid, hidden }: BookView, now: Micros): Seen | null {
    const known = this.seen.get(market) ?? null;
    if (hidden.bids || hidden.asks) {
      if (known !== null) known.unseenSince ??= now;
      return known;
    }
    if (weightedMid === null) {
      this.seen.delete(market);
      return null;
    }
    const seen = known ?? { p: weightedMid, unseenSince: null };
    seen.p = weightedMid;
    seen.unseenSince = null;
    if (known === null) this.seen.set(market, seen);
    return seen;
  }
}

/** The first moment at which the value is older than its source's limit. */
const expiryOf = ({ at }: FairValueUpdate, { maxAgeMs }: FairSource): Micros =>
  (at + maxAgeMs * 1_000 + 1) as Micros;

const ageMsOf = ({ at }: { readonly at: Micros }, now: Micros): number => Math.max(0, (now - at) / 1_000);
const isProbability = (value: number): boolean => value >= 0 && value <= 1;
