/** What version 2 of the neutral form adds: payouts between, finer prices, and the version itself. */
import { describe, expect, it } from 'vitest';
import type { RecordedLine } from '../../../../src/domain/recorded.js';
import { lineOf } from '../../../../src/storage/recordings/blocks.js';
import { NeutralDecoder, parseNeutral } from '../../../../src/storage/recordings/neutral.js';

const at = (t: number, type: string, rest: object) =>
  JSON.stringify({ t, type, event: 1, market: 11, ...rest });
const resolved = (more: object) => at(9, 'status', { status: 'resolved', resolution: null, ...more });
const read = (line: string): RecordedLine => parseNeutral(line, 'x')[0]!;

describe('version 2 of the neutral form', () => {
  it.each([
    [0.25, 2_500],
    [1, 'long'],
    [0, 'short'],
  ])('reads a payout of %s', (payout, resolution) => {
    expect(read(resolved({ payout }))).toMatchObject({ status: 'resolved', resolution });
  });

  it('keeps a payout in blocks', () => {
    const decoder = new NeutralDecoder('x');
    const text = [at(5, 'book', { bid: [[0.4, 1]], ask: [] }), resolved({ payout: 0.25, inplay: true })];
    decoder.push(Buffer.from(text.join('\n')));
    const [block] = decoder.end();
    expect(lineOf(block!, 1, decoder.markets)).toMatchObject({ resolution: 2_500, inPlay: true });
  });

  it('moves finer prices outwards and merges levels that meet', () => {
    const book = read(
      at(5, 'book', {
        bid: [
          [0.00103, 5],
          [0.00102, 7],
          [0.00002, 1],
        ],
        ask: [
          [0.00104, 2],
          [0.00105, 3],
        ],
      }),
    );
    expect(book).toMatchObject({
      bids: { prices: [10], shares: [1_200] },
      asks: { prices: [11], shares: [500] },
    });
  });

  it.each([
    [resolved({ payout: 1.5 }), 'payout: expected a number from 0 to 1 in steps of 0.0001, found 1.5'],
    [at(5, 'book', { bid: [], ask: [], version: 3 }), 'version: expected 1 or 2, found 3'],
  ])('refuses %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
