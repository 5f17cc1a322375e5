import { describe, expect, it } from 'vitest';
import { micros, type PriceUnits } from '../../../../../src/domain/units.js';
import { Tally } from '../../../../../src/core/engine/accounting/tally.js';
import { describeFinding } from '../../../../../src/core/engine/guarding/findings.js';
import { Notices } from '../../../../../src/core/engine/guarding/notices.js';
import { eventOf, OTHER_MARKET } from '../../../../support/mirror/mirror-driver.js';

const AT = micros(1_000_000);

describe('a finding of the mirror', () => {
  it.each([
    [10, '; its prices fit a grid of 0.001'],
    [null, ''],
  ])('names price, grid and key of a book that is off its grid, and what fits: %s', (fitting, fits) => {
    const notices = new Notices();
    const options = { events: [eventOf()] };
    const finding = {
      kind: 'book-off-grid',
      marketId: OTHER_MARKET,
      price: 4_230 as PriceUnits,
      tickUnits: 100,
      fitting,
    } as const;
    describeFinding(finding, { notices, tally: new Tally(), options }, AT);
    expect(notices.drain().map(({ text }) => text)).toEqual([
      `the book has a price of 0.423, off the grid of 0.01 that events[0].markets[1].tickSize says${fits}: ` +
        'the market is not quoted; set tickSize: auto there, and start the bot again',
    ]);
  });
});
