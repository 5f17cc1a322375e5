import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { FillWindow, type SignedFill } from '../../../../src/core/risk/fill-breaker.js';

const START = 1_000_000_000;
const WINDOW_MS = 1_000;
const fill = (afterMs: number, shares: number, market = 1): SignedFill => ({
  at: micros(START + Math.round(afterMs * 1_000)),
  marketId: marketId(market),
  shares,
  amount: shares * 5_000,
});
const sumOf = (fills: readonly SignedFill[], market = 1) =>
  fills.filter(({ marketId: one }) => one === marketId(market)).reduce((sum, { shares }) => sum + shares, 0);

describe('the window of fills', () => {
  it('holds what came within it, as it came', () => {
    const window = new FillWindow(WINDOW_MS);
    window.add(fill(0, 100));
    window.add(fill(1, -30));
    expect(window.add(fill(999.999, 7))).toEqual([fill(0, 100), fill(1, -30), fill(999.999, 7)]);
    expect(window.add(fill(1_000, 1))).toEqual([fill(1, -30), fill(999.999, 7), fill(1_000, 1)]);
  });

  it('stays short whatever is filled, and nets the same to a thousandth of its length', () => {
    const window = new FillWindow(WINDOW_MS);
    let [last, longest]: [readonly SignedFill[], number] = [[], 0];
    // Four fills a millisecond for two windows: three of market 1 buy, one of market 2 sells.
    for (let one = 0; one < 8 * WINDOW_MS; one += 1) {
      last = one % 4 === 3 ? window.add(fill(one / 4, -1, 2)) : window.add(fill(one / 4, 1));
      longest = Math.max(longest, last.length);
    }
    expect(longest).toBeLessThanOrEqual(3_002);
    const slice = 4;
    const [bought, sold] = [sumOf(last), -sumOf(last, 2)];
    expect(bought).toBeGreaterThanOrEqual(3 * WINDOW_MS - 1);
    expect(bought).toBeLessThanOrEqual(3 * WINDOW_MS + slice);
    expect(sold).toBeGreaterThanOrEqual(WINDOW_MS - 1);
    expect(sold).toBeLessThanOrEqual(WINDOW_MS + slice);
  });
});
