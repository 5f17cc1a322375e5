/** Fair values of a file, for backtests: each arrives at the time that it states, and never earlier. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { BacktestSettings, BotSettings } from '../../settings/index.js';
import type { HashedFile } from '../../storage/recordings/run-file.js';
import { type ArrivedValue, type RefusedPiece, SourceJudge, subjectOf } from '../fair-values/source-judge.js';
import { piecesOf } from '../fair-values/stated-values.js';

/** The file as it was found. */
export interface FairFile extends HashedFile {
  readonly text: string;
}

/** @param file the configuration; @returns null when it names none. @throws UsageError when it cannot be read */
export function fairFileOf({ fairValues }: BacktestSettings, file: string): FairFile | null {
  if (fairValues === null) return null;
  const path = resolve(dirname(file), fairValues);
  try {
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { file: path, sha256, text: (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`backtest.fairValues: ${path} cannot be read (${code ?? 'unknown reason'})`, {
      cause: error,
    });
  }
}

/**
 * Sources of the markets in a backtest. A bot's file that names none has one for all markets, which calls them by their ids.
 * @throws UsageError for sources whose values nobody gives: a backtest opens none
 */
export function recordedSources(settings: BotSettings, file: FairFile | null): BotSettings['fairValues'] {
  const { fairValues, events } = settings;
  if (file === null && fairValues.length > 0)
    throw new UsageError(
      'backtest.fairValues: expected a file of values, found none; fairValues names sources, and a backtest opens none of them',
    );
  if (file === null || fairValues.length > 0) return fairValues;
  const markets = events.flatMap((event) =>
    event.markets.map(({ id }) => ({ id, key: null, maxAgeMs: null })),
  );
  return [
    { kind: 'push', name: 'backtest', markets, maxAgeMs: 60_000, whenStale: 'halt', signalsOnly: false },
  ];
}

export interface RecordedValues {
  /** In order of arrival; of those before the start the newest of each market. */
  readonly values: readonly ArrivedValue[];
  /** Sentences for people. */
  readonly notes: readonly string[];
}

/** @throws UsageError for a file without a value that counts */
export function recordedValues(
  sources: BotSettings['fairValues'],
  file: FairFile | null,
  start: Micros,
): RecordedValues {
  if (file === null) return { values: [], notes: [] };
  const judge = new SourceJudge({ markets: sources.flatMap(({ markets }) => markets), isRecorded: true });
  const values: ArrivedValue[] = [];
  const refused: RefusedPiece[] = [];
  for (const piece of piecesOf(file.text)) {
    const judged = judge.judge([piece], AT_THEIR_TIMES);
    values.push(...judged.values);
    refused.push(...judged.refused);
  }
  const name = basename(file.file);
  const notes = refusalNotes(name, refused);
  if (values.length === 0)
    throw new UsageError(`backtest.fairValues: ${file.file} holds no value that counts. ${notes.join('')}`);
  values.sort((one, other) => one.arrivedAt - other.arrivedAt);
  const before = values.filter(({ arrivedAt }) => arrivedAt < start);
  const newest = new Map(before.map((one) => [subjectOf(one.value), one]));
  const counts = (one: ArrivedValue): boolean =>
    one.arrivedAt >= start || newest.get(subjectOf(one.value)) === one;
  return { values: values.filter(counts), notes };
}

/** Values of a file say when they arrived. */
const AT_THEIR_TIMES = { arrivedAt: 0 as Micros, now: 0 as Micros };

function refusalNotes(name: string, refused: readonly RefusedPiece[]): readonly string[] {
  const [first] = refused;
  if (first === undefined) return [];
  const { line, expected, found } = first;
  return [
    `${name}: ${refused.length} values are refused, such as line ${line}: expected ${expected}, found ${found}`,
  ];
}
