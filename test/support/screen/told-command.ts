/** Commands as a person meets them: run in this process, with what they said and their exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import { backtestConfiguration } from '../../../src/cli/commands/backtest.js';
import { describeFailure, exitCodeOf } from '../../../src/cli/failure.js';
import { EXIT } from '../../../src/domain/errors.js';
import { linesOfMarket } from '../tape/neutral-lines.js';
import { scratchFolder } from '../disk/scratch-folder.js';
import { ROOT } from '../project/small-house.js';

export interface Told {
  readonly code: number;
  readonly text: string;
}

/** @returns its exit code, and what it printed or why it failed */
export async function ran(
  command: () => Promise<number>,
): Promise<{ readonly code: number; readonly text: string }> {
  const said: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    const code = await command();
    return { code, text: said.join('') };
  } catch (error) {
    return { code: exitCodeOf(error), text: describeFailure(error) };
  } finally {
    write.mockRestore();
  }
}

/** `oddsmith backtest config/backtest.yaml` on these recordings. */
export const backtest = (recordings: readonly string[], ...set: readonly string[]) =>
  ran(() =>
    backtestConfiguration(join(ROOT, 'config', 'backtest.yaml'), {
      set: [`backtest.recordings=${JSON.stringify(recordings)}`, 'report.write=false', ...set],
      json: false,
      threads: 1,
    }),
  );

/** One sentence of a person's mistake: no stack, and the code for it. */
export function expectRefusal(told: Told, text: RegExp): void {
  expect(told.text).toMatch(text);
  expect(told.text).not.toMatch(/\n\s+at /);
  expect(told.code).toBe(EXIT.usage);
}

/** A quiet minute of the market that `config/backtest.yaml` names, in the neutral form. */
export const BOOKS: readonly string[] = Array.from({ length: 60 }, (_, at) =>
  linesOfMarket(3001).book(at * 100, [[0.5 - (at % 3) / 100, 10]], [[0.6, 10]]),
);

/** @returns the path of a file of the running test */
export function fileOf(bytes: Buffer | string, name = 'recording.ndjson.gz'): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, bytes);
  return file;
}

export const packed = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);

/** Something happened to a byte on its way. */
export const flipped = (bytes: Buffer): Buffer => {
  bytes[60]! ^= 0x55;
  return bytes;
};
