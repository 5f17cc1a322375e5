import { lineOf, type TapeBlock, type TapeMarket } from '../../../src/storage/recordings/blocks.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedLine } from '../../../src/domain/recorded.js';
import { NeutralDecoder, parseNeutral } from '../../../src/storage/recordings/neutral.js';
import { writeNeutralLine } from '../../support/tape/neutral-lines.js';

const FILE = 'x.ndjson';
/** Of each market: a recording states one for each. */
const RESOLUTIONS = ['long', 'short', 'void'] as const;

const side = (worse: 1 | -1, min: number, max: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { maxLength: Math.min(12, max - min + 1) })
    .map((prices) => prices.toSorted((a, b) => (a - b) * worse))
    .chain((prices) =>
      fc
        .array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: prices.length, maxLength: prices.length })
        .map((shares) => ({ prices, shares })),
    );

const rows = fc.array(
  fc.oneof(
    fc.integer({ min: 2, max: 9_999 }).chain((bestAsk) =>
      fc.record({
        kind: fc.constant('book'),
        bids: side(-1, 1, bestAsk - 1),
        asks: side(1, bestAsk, 9_999),
      }),
    ),
    fc.record({
      kind: fc.constant('trade'),
      price: fc.integer({ min: 1, max: 9_999 }),
      shares: fc.integer({ min: 1, max: 3_000_000 }),
      takerSide: fc.constantFrom('bid', 'ask', null),
    }),
    fc.record({
      kind: fc.constant('status'),
      status: fc.constantFrom('open', 'closed'),
      resolution: fc.constantFrom('long', 'short', 'void', null),
      inPlay: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('status'),
      status: fc.constant('resolved'),
      resolution: fc.constantFrom('long', 'short', 'void'),
      inPlay: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 30 },
);

const recording = fc
  .record({ rows, steps: fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }) })
  .map(({ rows: found, steps }) => {
    let at = 1_767_614_400_000_000;
    return found.map((row, index) => {
      at += steps[index]! * 1_000;
      const resolution =
        'resolution' in row && row.resolution !== null ? { resolution: RESOLUTIONS[index % 3] } : {};
      const market = { eventId: '7', marketId: '70' + (index % 3) };
      return { at, ...market, ...row, ...resolution } as unknown as RecordedLine;
    });
  });

const linesOf = (block: TapeBlock, markets: readonly TapeMarket[]): readonly RecordedLine[] =>
  Array.from({ length: block.rows }, (_, row) => lineOf(block, row, markets));

function decoded(text: string, cuts: readonly number[]): readonly RecordedLine[] {
  const decoder = new NeutralDecoder(FILE);
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const blocks = ends.flatMap((end, at) => decoder.push(bytes.subarray(at === 0 ? 0 : ends[at - 1]!, end)));
  return [...blocks, ...decoder.end()].flatMap((block) => linesOf(block, decoder.markets));
}

describe('decoding', () => {
  it('gives the lines that were written, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(recording, fc.array(fc.nat(100_000), { maxLength: 4 }), (lines, cuts) => {
        const text = `${lines.map(writeNeutralLine).join('\n')}\n`;
        expect(decoded(text, cuts)).toEqual(lines);
        expect(parseNeutral(text, FILE)).toEqual(lines);
      }),
      { numRuns: 300 },
    );
  });
});
