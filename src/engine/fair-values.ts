import type { MarketId } from '../domain/ids.js';
import type { FairValueUpdate } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';
import type { BookView, FairValue } from '../strategy/contract.js';

/** Fair values from outside, by market; where there is none the weighted mid of the foreign book serves. */
export class FairValues {
  private readonly latest = new Map<MarketId, FairValueUpdate>();

  /** An older value than the one held is ignored. */
  update(value: FairValueUpdate): void {
    const known = this.latest.get(value.marketId);
    if (known === undefined || known.at <= value.at) this.latest.set(value.marketId, value);
  }

  /** @returns null when nobody knows: one-sided or hidden book and no source */
  of(market: MarketId, book: BookView, now: Micros): FairValue | null {
    const value = this.latest.get(market);
    if (value !== undefined)
      return { p: value.p, ageMs: Math.max(0, (now - value.at) / 1_000), confidence: value.confidence };
    if (book.weightedMid === null || book.hidden.bids || book.hidden.asks) return null;
    return { p: book.weightedMid, ageMs: book.ageMs, confidence: 1 };
  }
}
