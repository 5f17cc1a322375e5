import type { MarketId } from '../../../domain/ids.js';
import type { HoldingReport } from '../../../domain/orders.js';
import { type Micros, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import { CURRENCIES, type Currency, type Position } from '../../../domain/vocabulary.js';

interface Entry {
  readonly report: HoldingReport;
  /** Receive time of the frame, or when the read that told it was sent. */
  readonly at: Micros;
}

/** One number per (market, position, currency): holdings of different kinds are never netted (facts, "Trading rules"). */
const keyOf = (market: MarketId, position: Position, currency: Currency): number =>
  market * 8 + (position === 'long' ? 0 : CURRENCIES.length) + CURRENCIES.indexOf(currency);

/** What the venue says the account holds. Frames are absolute and come in order; a read never undoes a later frame. */
export class Holdings {
  readonly #entries = new Map<number, Entry>();

  /** @returns whole holding in shares; zero when the venue named none */
  shares(market: MarketId, position: Position, currency: Currency): Shares {
    return this.#entries.get(keyOf(market, position, currency))?.report.shares ?? ZERO_SHARES;
  }

  /** Every holding the venue named and has not taken back, in the order it first named them. */
  all(): HoldingReport[] {
    return [...this.#entries.values()].map((entry) => entry.report);
  }

  /** Applies a `position-update`. */
  update(report: HoldingReport, at: Micros): void {
    this.#entries.set(keyOf(report.marketId, report.position, report.currency), { report, at });
  }

  /**
   * Applies a complete read: what it does not name is not held, unless a frame since it was sent says so.
   * @returns the markets named before or now
   */
  replace(reports: readonly HoldingReport[], sentAt: Micros): MarketId[] {
    const touched = new Set<MarketId>();
    for (const [key, { report, at }] of this.#entries) {
      touched.add(report.marketId);
      if (at < sentAt) this.#entries.delete(key);
    }
    for (const report of reports) {
      touched.add(report.marketId);
      const key = keyOf(report.marketId, report.position, report.currency);
      if (!this.#entries.has(key)) this.#entries.set(key, { report, at: sentAt });
    }
    return [...touched];
  }
}
