import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNeutral, readNeutralRecording, RecordingError } from '../../../../src/storage/index.js';
import { writeNeutralLine } from '../../../support/tape/neutral-lines.js';

const BOOK = '{"t":1000,"type":"book","event":1,"market":2,"bid":[[0.52,150],[0.51,46.25]],"ask":[[0.54,1]]}';
const TRADE = '{"t":1001,"type":"trade","event":1,"market":2,"price":0.54,"shares":9.12,"taker_side":"bid"}';
const STATUS =
  '{"t":1002,"type":"status","event":1,"market":2,"status":"resolved","resolution":"short","void":true}';

const failure = (text: string): string => {
  try {
    parseNeutral(text, 'x.ndjson');
  } catch (error) {
    if (error instanceof RecordingError) return error.message;
    throw error;
  }
  return '';
};

describe('a neutral recording', () => {
  it('is read into integers', () => {
    expect(parseNeutral([BOOK, TRADE, STATUS, ''].join('\n'), 'x')).toEqual([
      {
        kind: 'book',
        at: 1_000_000,
        eventId: '1',
        marketId: '2',
        bids: { prices: [5200, 5100], shares: [15_000, 4_625] },
        asks: { prices: [5400], shares: [100] },
      },
      {
        kind: 'trade',
        at: 1_001_000,
        eventId: '1',
        marketId: '2',
        price: 5400,
        shares: 912,
        takerSide: 'bid',
      },
      {
        kind: 'status',
        at: 1_002_000,
        eventId: '1',
        marketId: '2',
        status: 'resolved',
        resolution: 'void',
        inPlay: false,
      },
    ]);
  });

  it.each([
    ['', 'x.ndjson: the recording is empty'],
    [`${BOOK}\n{"t":1`, 'x.ndjson:2: expected one JSON object'],
    [`${TRADE}\n${BOOK}`, 'x.ndjson:2: its time is before that of the line above'],
    [
      BOOK.replace('0.52', '1.52'),
      'x.ndjson:1: bid: expected a price inside (0, 1) in steps of 0.00001, found 1.52',
    ],
    [BOOK.replace('0.51', '0.53'), 'x.ndjson:1: bid: expected levels in order, best first, found 0.53'],
    [
      TRADE.replace('9.12', '0'),
      'x.ndjson:1: shares: expected a positive share count in steps of 0.01, at most a billion, found 0',
    ],
    [
      STATUS.replace('resolved', 'gone'),
      'x.ndjson:1: status: expected open, closed or resolved, found "gone"',
    ],
    [
      TRADE.replace('trade', 'order'),
      'x.ndjson:1: type: expected book, trade or status (docs/guides/recordings.md), found "order"',
    ],
  ])('is refused with line and expectation: %#', (text, message) => {
    expect(failure(text)).toBe(message);
  });
});

const DATA = process.env['MARKET_DATA_DIR'] ?? '../shared/data';

describe.runIf(existsSync(DATA))('the recordings of the data folder', () => {
  for (const folder of ['kalshi-gold15m', 'betfair-tick001', 'polymarket-parallax']) {
    const files = existsSync(join(DATA, folder))
      ? readdirSync(join(DATA, folder)).filter((name) => name.endsWith('.ndjson.gz'))
      : [];
    it.each(files)(`${folder}/%s is read without a complaint`, (name) => {
      expect(readNeutralRecording(join(DATA, folder, name)).length).toBeGreaterThan(0);
    });
  }
});

describe('a written line', () => {
  it('is read back as it was', () => {
    const lines = parseNeutral([BOOK, TRADE, STATUS].join('\n'), 'x');
    expect(parseNeutral(lines.map(writeNeutralLine).join('\n'), 'x')).toEqual(lines);
  });
});

describe('the recording that ships with the project', () => {
  it('runs to its resolution', () => {
    const lines = readNeutralRecording('config/recordings/synthetic-rain.ndjson.gz');
    expect(lines.at(-1)).toMatchObject({ kind: 'status', status: 'resolved', resolution: 'short' });
    expect(lines.filter((line) => line.kind === 'trade').length).toBeGreaterThan(100);
  });
});
