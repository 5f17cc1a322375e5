/** How long nothing may be recorded in one backtest: all of that time is lived through, timer by timer. */
import { MICROS_PER_DAY } from '../../domain/days.js';
import { RecordingError, type RecordingSource } from '../../storage/index.js';
import type { RowRange } from './mounted-block.js';

const MOST_DAYS = 30;
const MOST = MOST_DAYS * MICROS_PER_DAY;

/** @throws RecordingError when a recording begins long after all that begin before it have ended */
export function refuseFarApart(sources: readonly RecordingSource[]): void {
  const [first, ...later] = sources.toSorted((one, other) => one.firstAt - other.firstAt);
  let last = first;
  for (const source of later) {
    if (last === undefined) return;
    const silence = source.firstAt - last.lastAt;
    if (silence > MOST)
      throw new RecordingError(
        source.name,
        0,
        `begins ${daysOf(silence)} after ${last.name} ends; ${WHY}; run them by themselves, with backtest --each or in a configuration each`,
      );
    if (source.lastAt > last.lastAt) last = source;
  }
}

/**
 * @param before time of the row before the range; null: there is none
 * @throws RecordingError at the row that comes long after the one before it
 */
export function refuseSilence(
  name: string,
  { mounted: { block }, from, to }: RowRange,
  before: number | null,
): void {
  let last = before ?? block.at[from]!;
  if (block.at[to - 1]! - last <= MOST) return;
  for (let row = from; row < to; last = block.at[row]!, row++) {
    const silence = block.at[row]! - last;
    if (silence <= MOST) continue;
    throw new RecordingError(
      name,
      block.line[row]!,
      `comes ${daysOf(silence)} after the row before it; ${WHY}; make two recordings of it (of a tape with tape cut, --from and --to)`,
    );
  }
}

const WHY = `a backtest lives through the time between, at most ${MOST_DAYS} days without a row`;

const daysOf = (micros: number): string =>
  `${Math.floor(micros / MICROS_PER_DAY).toLocaleString('en-US')} days`;
