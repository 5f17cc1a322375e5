/** Recordings that tell each order, with something wrong, through the command that reads them. */
import { gzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { backtest, BOOKS, expectRefusal, fileOf } from '../../support/screen/told-command.js';

describe('a recording that tells each order', () => {
  const HEAD_LINE = 'seq,t_ns,action,order_id,side,price,size';
  const ROWS = ['0,1000,A,1,S,5000,5', '1,2000,A,2,S,5000,4', '2,3000,C,1,S,5000,2', '3,4000,D,2,S,5000,4'];
  const csv = (rows: readonly string[]): string => fileOf([HEAD_LINE, ...rows].join('\n'), 'orders.csv');
  const recorded = 'backtest.markets=recorded';

  it.each<[string, () => string, RegExp]>([
    [
      'cut off in its packing',
      () => fileOf(gzipSync([HEAD_LINE, ...ROWS].join('\n')).subarray(0, -12), 'orders.csv.gz'),
      /orders\.csv\.gz.*(cut off|damaged|unexpected end)/,
    ],
    ['cut off in a row', () => csv(ROWS.with(3, '3,4000,D,2')), /:5: expected a row of .*\(at byte \d+\)/],
    [
      'with a corrupted row',
      () => csv(ROWS.with(1, '1,2000,A,2,S,5x,4')),
      /:3: expected a row of .*\(at byte \d+\)/,
    ],
    [
      'with a row twice',
      () => csv(ROWS.toSpliced(1, 0, ROWS[1]!)),
      /:4: row 1 is here again or out of order.*\(at byte \d+\)/,
    ],
    [
      'with rows that changed places',
      () => csv([ROWS[0]!, ROWS[2]!, ROWS[1]!]),
      /:3: rows 1 to 1 are missing \(at byte \d+\)/,
    ],
    ['with a missing row', () => csv(ROWS.toSpliced(1, 1)), /:3: rows 1 to 1 are missing \(at byte \d+\)/],
    [
      'with an order that nobody knows',
      () => csv(ROWS.with(3, '3,4000,D,9,S,5000,4')),
      /:5: order 9 is not open.*\(at byte \d+\)/,
    ],
    [
      'mixed up with the neutral form',
      () => csv([...ROWS, BOOKS[0]!]),
      /:6: expected a row of .*\(at byte \d+\)/,
    ],
    ['without a row', () => csv([]), /orders\.csv: the recording is empty/],
    [
      'of another head',
      () => fileOf(['seq,t_ns,price', ...ROWS].join('\n'), 'orders.csv'),
      /:1: expected one JSON object/,
    ],
  ])('%s is refused with its place', async (_, file, text) => {
    expectRefusal(await backtest([file()], recorded), text);
  });

  it('belongs to its own market alone', async () => {
    expectRefusal(
      await backtest([csv(ROWS)]),
      /:2: market 1 is not among the markets of the configuration \(3001\)/,
    );
  });
});
