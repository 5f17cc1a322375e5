import { readFileSync, writeFileSync } from 'node:fs';
import type { Ofw1Tape } from '../../support/matching/ofw1.js';

/** The operations of a workload without what they led to. */
export type Flow = Omit<Ofw1Tape, 'totals'>;

/** Writes a workload to a file, so that the processes that are measured have not run any of its code before. */
export function writeFlow(file: string, { count, kinds, ids, sides, ticks, sizes }: Flow): void {
  const words = new Int32Array(1 + count * 5);
  words[0] = count;
  for (const [column, values] of [kinds, ids, sides, ticks, sizes].entries())
    words.set(values, 1 + count * column);
  writeFileSync(file, words);
}

/** Reads the first `limit` operations of a workload. */
export function readFlow(file: string, limit: number): Flow {
  const bytes = readFileSync(file);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const length = words[0]!;
  const count = Math.min(limit, length);
  const column = (number: number): Int32Array =>
    words.slice(1 + length * number, 1 + length * number + count);
  const kinds = Uint8Array.from(column(0));
  const sides = Uint8Array.from(column(2));
  return { count, kinds, ids: column(1), sides, ticks: column(3), sizes: column(4) };
}
