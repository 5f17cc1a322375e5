/** Tapes with something changed and sums that fit all the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineWriter } from '../../../src/storage/tape/tape-line.js';
import type { TapeLine } from '../../../src/storage/tape/records.js';
import { scratchFolder } from '../disk/scratch-folder.js';
import { linesOf } from './tape.js';

/**
 * Writes a tape anew, each line changed.
 * @param change null leaves the line out
 * @returns its one file
 */
export async function rewritten(
  tape: string,
  change: (line: TapeLine) => TapeLine | null,
  file = join(scratchFolder(), 'tape.ndjson'),
): Promise<string> {
  const lines = await linesOf(tape);
  const writer = new LineWriter({ n: 0, sum: 0 });
  const text = lines.flatMap((line) => {
    const changed = change(line);
    if (changed === null) return [];
    const { n: _n, at, mono, ...record } = changed;
    return [writer.write({ ...record, sum: undefined } as never, { at, mono })];
  });
  writeFileSync(file, text.join(''));
  return file;
}

/** The engine of the run had another half-spread. */
export const withOtherSpread = (line: TapeLine): TapeLine =>
  line.kind === 'start'
    ? {
        ...line,
        engine: {
          ...line.engine,
          instances: line.engine.instances.map((one) => ({
            ...one,
            parameters: { ...one.parameters, halfSpread: 0.05 },
          })),
        },
      }
    : line;
