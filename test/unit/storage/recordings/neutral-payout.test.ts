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
    [
      at(5, 'status', { status: 'open', reduction: 1 }),
      'reduction: expected a number inside (0, 1), found 1',
    ],
    [at(5, 'status', { status: 'open', tick: 0 }), 'tick: expected a price inside (0, 1)'],
  ])('refuses %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it.each<[string, string[], string[]]>([
    ['nothing of a grid that is stated at first and again', ['{"tick":0.01}', '{"tick":0.01}'], []],
    [
      'how many lines change a grid',
      ['{}', '{"tick":0.001}', '{"tick":0.01}'],
      ['2 lines state another grid than their market had'],
    ],
    [
      'that a reduction is not applied',
      ['{"reduction":0.2}'],
      ['1 line states a reduction, which is not applied'],
    ],
  ])('says %s', (_, members, notes) => {
    const decoder = new NeutralDecoder('x');
    const lines = members.map((more, index) =>
      at(1_786_401_938_338 + index, 'status', { status: 'open', ...(JSON.parse(more) as object) }),
    );
    decoder.push(Buffer.from(lines.join('\n')));
    decoder.end();
    expect(decoder.notes).toEqual(notes.map((note) => expect.stringContaining(note) as string));
  });
});
