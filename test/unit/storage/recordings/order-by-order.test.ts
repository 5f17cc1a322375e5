import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecording, ROW } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { filledUnderScenarios } from '../../../support/backtest/resting-order.js';
import { marketId } from '../../../../src/domain/ids.js';
import { ROOT } from '../../../support/project/small-house.js';

const HEAD = 'seq,t_ns,action,order_id,side,price,size';
const LOBSTER = join(
  process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data'),
  'lobster-aapl-l3/orders.csv.gz',
);

function fileOf(...rows: readonly string[]): string {
  const file = join(scratchFolder(), 'orders.csv');
  writeFileSync(file, [HEAD, ...rows].join('\n'));
  return file;
}

describe('a recording that tells each order', () => {
  it('fills an order of ours exactly in its turn, whatever the queue model', async () => {
    // 5 shares stand before ours; of what cancels, 2 stood before it; 10 trade: 3 others, then 7 of ours.
    const source = await openRecording(
      fileOf(
        '0,1000,A,1,S,5000,5',
        '1,2000,A,2,S,5000,4',
        '2,3000,C,1,S,5000,2',
        '3,4000,D,2,S,5000,4',
        '4,5000,E,1,S,5000,3',
      ),
    );
    const order = { marketId: marketId(1), side: 'ask', price: 5_000, shares: 2_000 } as const;
    // Ours rests before the first row here, so it is first in the queue: what trades, trades with it.
    expect(await filledUnderScenarios(source, order)).toEqual([300, 300, 300]);
  });

  it('states what it is', async () => {
    const source = await openRecording(fileOf('0,1000,A,1,B,58700,5', '1,2000,A,2,B,99999,5'));
    expect(source.markets).toMatchObject([{ eventId: '1', marketId: '1', tickUnits: 1, trades: 0 }]);
    expect(source.notes).toEqual([
      'it tells each order: queue positions are exact, whatever the queue model',
      'prices are moved by -537 so that the first one is 0.5, a cent is 0.0001',
      '1 orders beyond 0 and 1 are left out',
    ]);
  });

  it.each([
    ['a row that is none', ['0,1000,A,1,S,5000'], /:2: expected a row of .* \(at byte 41\)/],
    ['a row twice', ['0,1,A,1,S,5,5', '0,1,A,1,S,5,5'], /:3: row 0 is here again or out of order/],
    ['rows that are missing', ['0,1,A,1,S,5,5', '3,1,A,2,S,5,5'], /:3: rows 1 to 2 are missing/],
    ['time that goes back', ['0,9000,A,1,S,5,5', '1,1000,A,2,S,5,5'], /:3: its time is before/],
    ['an order that is open already', ['0,1,A,1,S,5,5', '1,1,A,1,S,5,5'], /:3: order 1 is open already/],
    ['an order that nobody knows', ['0,1,A,1,S,5,5', '1,1,D,2,S,5,5'], /:3: order 2 is not open/],
    ['more than an order has', ['0,1,A,1,S,5,5', '1,1,C,1,S,5,6'], /:3: order 1 is not open, or has fewer/],
    [
      'another price',
      ['0,1,A,1,S,5,5', '1,1,D,1,S,6,5'],
      /:3: order 1 is open on another side or at another/,
    ],
    ['nothing', [], /the recording is empty/],
  ])('says of %s which line is meant', async (_, rows, message) => {
    await expect(openRecording(fileOf(...rows))).rejects.toThrow(message);
  });
});

describe.skipIf(!existsSync(LOBSTER))(`the one of ${LOBSTER} (skipped where it is absent)`, () => {
  it('is read to its end: what was executed in its turn is a trade', async () => {
    const source = await openRecording(LOBSTER);
    const kinds = new Map<number, number>();
    for await (const { kind } of source.blocks())
      for (const one of kind) kinds.set(one, (kinds.get(one) ?? 0) + 1);
    expect(kinds.get(ROW.trade)).toBe(2_698);
    expect(kinds.get(ROW.book)).toBe(1);
    expect(source.markets[0]!.trades).toBe(2_698);
  });
});
