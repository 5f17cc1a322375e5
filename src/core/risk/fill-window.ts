import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';

/** What a fill changed, long positive. */
export interface SignedFill {
  readonly at: Micros;
  readonly marketId: MarketId;
  readonly shares: number;
  readonly amount: number;
}

/** Beyond so many fills, those of a market within one part of so many of the window are put together. */
const MOST = 1_000;

/** Fills of one event within a window of time; bounded, whatever is filled. */
export class FillWindow {
  readonly #windowUs: number;
  #fills: SignedFill[] = [];

  constructor(windowMs: number) {
    this.#windowUs = windowMs * 1_000;
  }

  /** @returns all within the window that ends with this one; those put together count until the last of them is too old */
  add(fill: SignedFill): readonly SignedFill[] {
    const since = fill.at - this.#windowUs;
    const fills = this.#fills.filter(({ at }) => at > since);
    fills.push(fills.length < MOST ? fill : this.#joined(fills, fill));
    this.#fills = fills;
    return fills;
  }

  /** Takes out what the fill is put together with. */
  #joined(fills: SignedFill[], fill: SignedFill): SignedFill {
    const last = fills.findLastIndex(({ marketId }) => marketId === fill.marketId);
    if (last === -1 || this.#sliceOf(fills[last]!) !== this.#sliceOf(fill)) return fill;
    const [{ shares, amount }] = fills.splice(last, 1) as [SignedFill];
    return { ...fill, shares: shares + fill.shares, amount: amount + fill.amount };
  }

  #sliceOf({ at }: SignedFill): number {
    return Math.floor((at * MOST) / Math.max(1, this.#windowUs));
  }
}
