import { expect, test } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { Reads } from '../../../../src/core/mirror/reads.js';

const FAILED = { kind: 'unknown', reason: 'time-out' } as const;
const at = (ms: number): Micros => (ms * 1_000) as Micros;

test('there is nothing to ask for while what is wanted is under way or rests', () => {
  const reads = new Reads({ retryFirstMs: 500, retryMostMs: 1_000 });
  expect(reads.isIdle).toBe(true);
  reads.want(3, at(0), 'witness');
  expect(reads.isIdle).toBe(false);
  reads.issued(1, 3);
  expect(reads.isIdle).toBe(true);
  reads.want(4, at(1), 'resync');
  expect(reads.isIdle).toBe(false);
  reads.issued(2, 4);

  reads.failed(reads.ended(1)!, FAILED, at(100));
  expect(reads.isIdle).toBe(true);
  expect(reads.nextRetry).toBe(at(600));
  reads.beat(at(600));
  expect(reads.isIdle).toBe(false);
  expect(reads.ready(9)).toEqual([3]);
});
