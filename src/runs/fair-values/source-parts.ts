/** What the sources of fair values share. */
import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';
import type { Piece } from './stated-values.js';

/** Where a source puts what it reads. */
export interface ValueSink {
  /** A new text begins: a CSV header of the old one means nothing any more. */
  begin(): void;
  /** @param arrivedAt null: now. A later time than now counts as now */
  take(pieces: readonly Piece[], arrivedAt: Micros | null): void;
  /** The source can be read. */
  up(): void;
  /** The source cannot be read, and is tried again. */
  down(why: string): void;
}

/**
 * Works again and again until it is stopped.
 * @param work must not fail; resolves to the milliseconds until the next turn
 * @returns stops; resolves once the turn under way is over
 */
export function repeatedly(clock: Clock, work: () => Promise<number>): () => Promise<void> {
  let isOver = false;
  let cancel = (): void => undefined;
  let turn: Promise<void> = Promise.resolve();
  const begin = (): void => {
    turn = once();
  };
  const once = async (): Promise<void> => {
    const ms = await work();
    if (!isOver) cancel = clock.at((clock.now() + ms * 1_000) as Micros, begin);
  };
  begin();
  return () => {
    isOver = true;
    cancel();
    return turn;
  };
}

const MOST_PAUSE_MS = 60_000;

/** Doubles with each failure in a row, from `firstMs` up to a minute. */
export const backOffMs = (failures: number, firstMs: number): number =>
  Math.max(firstMs, Math.min(MOST_PAUSE_MS, firstMs * 2 ** Math.min(failures - 1, 16)));

/** The code of the operating system or of undici says more than a sentence. */
export function describeFailure(error: unknown): string {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === 'TimeoutError') return 'no answer in time';
  return code ?? message ?? String(error);
}
