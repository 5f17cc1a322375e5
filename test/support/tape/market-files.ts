/** Recordings of real markets, where there are any, and the one that ships with the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../project/small-house.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const FOLDERS = ['kalshi-gold15m', 'betfair-tick001', 'polymarket-parallax'].map((name) => join(DATA, name));

/** Paths of files in the neutral form; the one that ships is the first, and the only one where there is no market data. */
export const MARKET_FILES: readonly string[] = [join(ROOT, 'config', 'recordings'), ...FOLDERS].flatMap(
  (folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.ndjson.gz'))
          .map((name) => join(folder, name))
      : [],
);

/** What becomes of the lines of one time. */
export type MomentsInto = (lines: readonly string[]) => readonly string[];

/** @returns all lines of a recording, those of each time changed */
export function momentsOf(file: string, into: MomentsInto): readonly string[] {
  const moments = new Map<string, string[]>();
  for (const line of gunzipSync(readFileSync(file)).toString().trim().split('\n')) {
    const time = /"t":(\d+)/.exec(line)![1]!;
    if (!moments.has(time)) moments.set(time, []);
    moments.get(time)!.push(line);
  }
  return [...moments.values()].flatMap(into);
}
