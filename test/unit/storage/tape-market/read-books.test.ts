import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import type { RecordedLine } from '../../../../src/domain/recorded.js';
import type { Micros } from '../../../../src/domain/units.js';
import { MarketFlow } from '../../../../src/storage/recordings/own-recording.js';
import type { HeadRecord, RestRecord, TapeLine, TapeRecord } from '../../../../src/storage/tape/records.js';

const MS = 1_000;
const START = 1_800_000_000_000 * MS;
const at = (ms: number): Micros => (START + ms * MS) as Micros;

const HEAD: HeadRecord = {
  kind: 'head',
  version: 3,
  program: 'test',
  run: 'test',
  purpose: 'record',
  flushMs: 1_000,
  seed: null,
  configuration: null,
  strategies: [],
  markets: [{ eventId: eventId(7), marketId: marketId(70), title: 'Rain', tickUnits: 100 }],
  sources: [],
};

const wireLevel = (price: number, shares: number) => ({
  price,
  total_shares: shares,
  total_amount: price * shares,
  total_fees: 0,
  cumulative_shares: shares,
  cumulative_amount: 0,
  cumulative_fees: 0,
});

/** Asked at a time, answered 50 ms later. */
function read(ms: number, bid: number, more: Partial<RestRecord> = {}): readonly [number, TapeRecord] {
  const answer = {
    bid: [0, 1, 2, 3, 4, 5].map((level) => wireLevel((bid - level) / 100, 10 + level)),
    ask: [wireLevel((bid + 2) / 100, 20)],
  };
  return [
    ms + 50,
    {
      kind: 'rest',
      endpoint: 'book',
      method: 'GET',
      path: '/v2.0/markets/70/book/?currency_mode=play_money&position=long',
      body: null,
      sentAt: at(ms),
      status: 200,
      answer: JSON.stringify(answer),
      reason: '',
      ...more,
    },
  ];
}

/** Made by the venue 10 ms before it came. */
function frame(ms: number, bid: number): readonly [number, TapeRecord] {
  const level = (price: number) => ({ price: price / 100, total_shares: 5, total_amount: 1 });
  const payload = {
    market_id: 70,
    event_id: 7,
    currency: 'OOM',
    currency_mode: 'play_money',
    top_n: 5,
    bid: [level(bid)],
    ask: [level(bid + 1)],
    timestamp: new Date((START + (ms - 10) * MS) / MS).toISOString(),
  };
  return [ms, { kind: 'frame', venueAt: null, event: 'order-book-update', channel: 'event-7', payload }];
}

const lost = (ms: number): readonly [number, TapeRecord] => [
  ms,
  { kind: 'input', input: { kind: 'link', state: 'lost', reason: '' } },
];

function booksOf(...records: readonly (readonly [number, TapeRecord])[]) {
  const flow = new MarketFlow('recorded');
  const lines = ([[0, HEAD], ...records] as const).map(([ms, record], number): TapeLine => ({
    n: number + 1,
    at: at(ms),
    mono: 0,
    ...record,
  }));
  const told = [...lines.flatMap((line) => flow.take(line)), ...flow.end()];
  return told.flatMap((line: RecordedLine) =>
    line.kind === 'book' ? [[(line.at - START) / MS, line.bids.prices[0], line.bids.prices.length]] : [],
  );
}

function readOf(...records: readonly (readonly [number, TapeRecord])[]): number {
  const flow = new MarketFlow('recorded');
  flow.take({ n: 1, at: at(0), mono: 0, ...HEAD });
  for (const [ms, record] of records) flow.take({ n: 2, at: at(ms), mono: 0, ...record });
  flow.end();
  return Number(/(\d+) books were read over REST/.exec(flow.notes.join())?.[1] ?? 0);
}

describe('a book that was read', () => {
  it('is the book of a market until its first frame, as deep as a frame would show it', () => {
    expect(booksOf(read(1_000, 48), frame(30_000, 50))).toEqual([
      [990, 4_800, 5],
      [29_990, 5_000, 1],
    ]);
  });

  it('is told by the clock of the venue, though that of the machine is ahead and no frame has come yet', () => {
    const late = ([ms, record]: readonly [number, TapeRecord]) => [ms + 20_000, record] as const;
    expect(booksOf(read(20_500, 48), late(frame(1_000, 50)), late(frame(2_000, 51)))).toEqual([
      [490, 4_800, 5],
      [990, 5_000, 1],
      [1_990, 5_100, 1],
    ]);
  });

  it('is there, however many were read before the first frame', () => {
    const many = Array.from({ length: 10_500 }, (_, place) => read(100 * place, place % 2 === 0 ? 48 : 47));
    expect(booksOf(...many, frame(2_000_000, 50))).toHaveLength(10_501);
  });

  it('is the book of a market that shows no frame at all, each time it is read', () => {
    expect(booksOf(read(1_000, 48), read(9_000, 47))).toEqual([
      [1_000, 4_800, 5],
      [9_000, 4_700, 5],
    ]);
  });

  it('says nothing beside frames, which are newer', () => {
    expect(booksOf(frame(1_000, 50), read(9_000, 48))).toEqual([[990, 5_000, 1]]);
  });

  it('is counted where it stands for frames, and only there', () => {
    expect(readOf(read(1_000, 48), read(9_000, 47), frame(30_000, 50), read(40_000, 46))).toBe(2);
  });

  it('hides no frame that was made while it was on its way', () => {
    const books = booksOf(frame(500, 49), lost(600), read(1_000, 48), frame(1_005, 50));
    expect(books.map(([, bid]) => bid)).toEqual([4_900, 4_800, 5_000]);
  });

  it('is the book again once the connection was lost, until the next frame', () => {
    const gap = [5_000, { kind: 'gap', reason: 'restart', lines: null, micros: null }] as const;
    expect(booksOf(frame(1_000, 50), lost(5_000), read(9_000, 48), frame(20_000, 51))).toEqual([
      [990, 5_000, 1],
      [8_990, 4_800, 5],
      [19_990, 5_100, 1],
    ]);
    expect(booksOf(frame(1_000, 50), gap, read(9_000, 48)).map(([, bid]) => bid)).toEqual([5_000, 4_800]);
  });

  it.each([
    ['of another currency', { path: '/markets/70/book/?currency_mode=real_money&position=long' }],
    ['that was refused', { status: 503 }],
    ['that never came', { status: null, answer: null }],
    ['cut short', { answer: '{"bid":[' }],
    ['of another shape', { answer: '{"bids":[]}' }],
    ['of another kind', { endpoint: 'priceHistory' }],
    ['of a market that the tape does not name', { path: '/markets/71/book/?currency_mode=play_money' }],
  ])('is not taken from an answer %s', (_, more) => {
    expect(booksOf(read(1_000, 48, more))).toEqual([]);
  });
});
