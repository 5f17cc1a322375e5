import type { MarketId } from '../../../domain/ids.js';
import type { FairValueUpdate } from '../../../domain/inputs.js';
import type { Micros } from '../../../domain/units.js';
import type { BookView, FairValue } from '../../strategy/contract.js';

interface Seen {
  p: number;
  /** Since when our own orders hide a side; null while both can be seen. */
  unseenSince: Micros | null;
}

/** Fair values from outside, by market; where there is none the weighted mid of the foreign book serves. */
export class FairValues {
  private readonly latest = new Map<MarketId, FairValueUpdate>();
  /** Weighted mids, as of the last time both sides could be seen. */
  private readonly seen = new Map<MarketId, Seen>();

  /** @returns false for what is no probability; an older value than the one held is ignored, too */
  update(value: FairValueUpdate): boolean {
    if (!isProbability(value.p) || !isProbability(value.confidence)) return false;
    const known = this.latest.get(value.marketId);
    if (known === undefined || known.at <= value.at) this.latest.set(value.marketId, value);
    return true;
  }

  /** @returns null when nobody knows: a one-sided book and no source */
  of(market: MarketId, book: BookView, now: Micros): FairValue | null {
    const value = this.latest.size === 0 ? undefined : this.latest.get(market);
    if (value !== undefined) return { p: value.p, ageMs: ageMsOf(value, now), confidence: value.confidence };
    const seen = this.look(market, book, now);
    if (seen === null) return null;
    const { p, unseenSince } = seen;
    return { p, ageMs: unseenSince === null ? 0 : ageMsOf({ at: unseenSince }, now), confidence: 1 };
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

const ageMsOf = ({ at }: { readonly at: Micros }, now: Micros): number => Math.max(0, (now - at) / 1_000);
const isProbability = (value: number): boolean => value >= 0 && value <= 1;
