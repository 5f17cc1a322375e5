import { expect, it } from 'vitest';
import type { BookUpdate, OrderUpdate } from '../../../../src/domain/inputs.js';
import type { PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { Currency } from '../../../../src/domain/vocabulary.js';
import { TapeReading } from '../../../../src/tape/others/tape-reading.js';
import { EVENT, limitOrder, MARKET } from '../../../support/order-scenario.js';
import { ms, reportOf } from '../../../support/own-order-reports.js';

const ordered = (currency: Currency, id: number): OrderUpdate =>
  ({
    kind: 'order-update',
    report: reportOf(limitOrder(40, 2, { currency }), id),
    venueTime: ms(0),
  }) as OrderUpdate;

/** Five shares are bid at 0.40. */
const book: BookUpdate = {
  kind: 'book-update',
  eventId: EVENT,
  marketId: MARKET,
  mode: 'real_money',
  topN: 5,
  bids: { prices: [4_000 as PriceUnits], shares: [500 as Shares] },
  asks: { prices: [], shares: [] },
  venueTime: ms(10),
};

it('takes the orders of an account off the book in which they stand, whichever their currency there', () => {
  const reading = new TapeReading('real_money');
  const news = [ordered('USDC', 1), ordered('USD', 2), ordered('OOM', 3), book].flatMap((input) => [
    ...reading.take(input, ms(20)),
  ]);
  news.push(...reading.finish());
  expect(news.map(({ kind }) => kind)).toEqual(['placed', 'placed', 'moment']);
  expect(news.at(-1)).toMatchObject({ bids: [{ price: 4_000, shares: 100 }] });
});
