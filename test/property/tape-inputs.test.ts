import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { Input, OutsideInput } from '../../src/domain/inputs.js';
import { inputFrom, plainInput } from '../../src/storage/tape/tape-line.js';

const throughJson = (input: Input): Input =>
  inputFrom(JSON.parse(JSON.stringify(plainInput(input))) as Input);

const money = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const balances = fc
  .uniqueArray(fc.tuple(fc.constantFrom('OOM', 'USDC', 'USDT', 'USD'), money), { selector: ([code]) => code })
  .map((entries) => new Map(entries));

test('balances come back from a tape as the map they were, in order', () => {
  fc.assert(
    fc.property(balances, fc.nat(), (found, requestId) => {
      const body = { kind: 'read-balances', balances: found } as never;
      const input: Input = { kind: 'answer', requestId, sentAt: null, outcome: { ok: true, body } };
      expect(throughJson(input)).toEqual(input);
    }),
  );
});

test('a fair value that is no number stays none: zero would be quoted on', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), (p, confidence) => {
      const value = { kind: 'fair-value', marketId: '1' as never, p, confidence, at: 1 as never } as const;
      const { values } = throughJson({ kind: 'outside', values: [value] }) as OutsideInput;
      const [back] = values as [typeof value];
      // JSON writes the negative zero as zero; nobody can tell the two apart as a probability.
      expect([back.p + 0, back.confidence + 0]).toEqual([p + 0, confidence + 0]);
    }),
  );
});

test('an answer that failed, with any text in it, comes back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (reason, requestId) => {
      const failure = { kind: 'unknown', reason } as const;
      const input: Input = { kind: 'answer', requestId, sentAt: null, outcome: { ok: false, failure } };
      expect(throughJson(input)).toEqual(input);
    }),
  );
});
