import { expect, it } from 'vitest';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import { orderId } from '../../../../src/domain/ids.js';
import type { BookInput, OrderInput } from '../../../../src/domain/inputs.js';
import type { PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { Currency } from '../../../../src/domain/vocabulary.js';
import { type RunStart, TapeReading } from '../../../../src/storage/tape-market/tape-reading.js';
import { EVENT, limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { answered, ms, reportOf } from '../../../support/orders/own-order-reports.js';

const ordered = (currency: Currency, id: number): OrderInput =>
  ({
    kind: 'order',
    report: reportOf(limitOrder(40, 2, { currency }), id),
    venueTime: ms(0),
  }) as OrderInput;

/** Five shares are bid at 0.40. */
const book: BookInput = {
  kind: 'book',
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

it('leaves what a person has in a shared market to others; what the bot was given, and a run before it, is its own', () => {
  const reading = new TapeReading('real_money');
  reading.begins({
    ownership: { $entries: [[MARKET, 'shared']] },
    recovered: [{ kind: 'own-orders', orderIds: [orderId(3)] }],
    events: [],
  });
  const given = {
    ok: true,
    value: reportOf(limitOrder(40, 2, { currency: 'USDC' }), 1, { createdAt: ms(0) }),
  } as const;
  const answer = answered(7, { kind: 'create-orders', items: [given], canceledIds: [] }, ms(0));
  // A frame about the order comes before the answer that gives its number.
  const inputs = [ordered('USDC', 1), ordered('USDC', 2), answer, ordered('USDC', 3), book];
  const news = inputs.flatMap((input) => [...reading.take(input, ms(20))]);
  news.push(...reading.finish());
  const placed = news.flatMap((one) => (one.kind === 'placed' ? [one.order.orderId] : []));
  expect(new Set(placed)).toEqual(new Set(['1', '3']));
  expect(news.at(-1)).toMatchObject({ bids: [{ price: 4_000, shares: 100 }] });
});

it('takes every order of the account for its own in a market that is its alone', () => {
  const reading = new TapeReading('real_money');
  reading.begins({ ownership: { $entries: [[MARKET, 'exclusive']] }, recovered: [], events: [] });
  const news = [...reading.take(ordered('USDC', 2), ms(20)), ...reading.finish()];
  expect(news.map(({ kind }) => kind)).toEqual(['placed']);
});

it('takes a book that was read for the first of its market, as the run says of which event it is', () => {
  const reading = new TapeReading('real_money');
  const markets = [{ id: MARKET }] as unknown as RunStart['events'][number]['markets'];
  reading.begins({
    ownership: { $entries: [] },
    recovered: [],
    events: [{ id: EVENT, markets }],
  });
  const { marketId, mode, bids, asks } = book;
  const none = { ownBids: [], ownAsks: [], feePerShare: null };
  const body = { kind: 'read-book', marketId, mode, bids, asks, ...none } as unknown as AnswerBody;
  const news = [...reading.take(answered(7, body, ms(0)), ms(20)), ...reading.finish()];
  expect(news).toMatchObject([{ kind: 'moment', marketId: MARKET, bids: [{ price: 4_000, shares: 500 }] }]);
});

it('takes fills of a paper run for no part of the turnover, and the shares that they took for nobody else’s', () => {
  const printsOf = (isPaper: boolean): number => {
    const reading = new TapeReading('real_money');
    const venue = isPaper ? { venue: { isPaper: true } as const } : {};
    reading.begins({ ownership: { $entries: [] }, recovered: [], events: [], ...venue });
    const own = limitOrder(40, 2, { currency: 'USDC' });
    const filled = { ...ordered('USDC', 1), report: { ...reportOf(own, 1), filled: 200, status: 'filled' } };
    const turnover = (volume: number) =>
      ({
        kind: 'event-status',
        eventId: EVENT,
        mode: 'real_money',
        volumeRealMoney: volume,
        markets: [],
      }) as never;
    const after = { ...book, bids: { prices: [4_000], shares: [100] }, venueTime: ms(30) };
    const inputs = [
      turnover(0),
      ordered('USDC', 1),
      book,
      { ...filled, venueTime: ms(30) },
      after,
      turnover(200 * 4_000),
    ];
    const news = inputs.flatMap((input) => [...reading.take(input as never, ms(40))]);
    news.push(...reading.finish());
    const moments = news.flatMap((one) => (one.kind === 'moment' ? [one] : []));
    return moments.at(-1)!.prints.reduce((sum, { others }) => sum + others, 0);
  };
  expect(printsOf(true)).toBe(200);
  expect(printsOf(false)).toBe(0);
});
