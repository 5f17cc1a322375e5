import { lineOf, type TapeBlock, type TapeMarket } from '../../../src/storage/recordings/tape-block.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedLine } from '../../../src/domain/recorded.js';
import { RecordingError, parseNeutral, writeNeutralLine } from '../../../src/storage/index.js';
import { NeutralDecoder } from '../../../src/storage/recordings/neutral-file.js';

const FILE = 'x.ndjson';

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
      return { at, eventId: '7', marketId: '70' + (index % 3), ...row } as unknown as RecordedLine;
    });
  });

/** What a text may suffer on its way. */
const damage = fc.option(
  fc.record({
    at: fc.nat(100_000),
    with: fc.constantFrom('', ' ', '0', '9', '"', ',', '.', '-', 'e1', '[', ']', '}', '\n', '\r', 'x'),
    length: fc.nat(3),
  }),
  { freq: 1 },
);

const linesOf = (block: TapeBlock, markets: readonly TapeMarket[]): readonly RecordedLine[] =>
  Array.from({ length: block.rows }, (_, row) => lineOf(block, row, markets));

function decoded(text: string, cuts: readonly number[]): readonly RecordedLine[] | number {
  const decoder = new NeutralDecoder(FILE);
  const bytes = Buffer.from(text);
  try {
    const lines: RecordedLine[] = [];
    let from = 0;
    for (const cut of [
      ...cuts.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b),
      bytes.length,
    ]) {
      for (const block of decoder.push(bytes.subarray(from, cut)))
        lines.push(...linesOf(block, decoder.markets));
      from = cut;
    }
    for (const block of decoder.end()) lines.push(...linesOf(block, decoder.markets));
    return lines.length === 0 ? 0 : lines;
  } catch (error) {
    if (error instanceof RecordingError) return error.line;
    throw error;
  }
}

function parsed(text: string): readonly RecordedLine[] | number {
  try {
    return parseNeutral(text, FILE);
  } catch (error) {
    if (error instanceof RecordingError) return error.line;
    throw error;
  }
}

describe('decoding from bytes', () => {
  it('gives what JSON.parse gives, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(recording, fc.array(fc.nat(100_000), { maxLength: 4 }), (lines, cuts) => {
        const text = `${lines.map(writeNeutralLine).join('\n')}\n`;
        expect(decoded(text, cuts)).toEqual(parsed(text));
      }),
      { numRuns: 300 },
    );
  });

  it('accepts and refuses the same damaged text, at the same line', () => {
    fc.assert(
      fc.property(recording, damage, fc.array(fc.nat(100_000), { maxLength: 2 }), (lines, hit, cuts) => {
        const whole = lines.map(writeNeutralLine).join('\n');
        const at = hit === null ? 0 : hit.at % whole.length;
        const text = hit === null ? whole : whole.slice(0, at) + hit.with + whole.slice(at + hit.length);
        expect(decoded(text, cuts)).toEqual(parsed(text));
      }),
      { numRuns: 1_500 },
    );
  });
});
