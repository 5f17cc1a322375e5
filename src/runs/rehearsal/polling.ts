import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import { keepAwake } from '../../storage/clocks/wakefulness.js';
import { Rehearsal } from './rehearsal.js';

export interface PollingOptions {
  /** As the bot signs. */
  readonly nested: NestedStyle;
  /** A folder on the disk of the journal. */
  readonly dir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Keeps the event loop turning, and rehearses while it has nothing else to do (`runtime.poll`). A rehearsal that fails is
 * over; the loop goes on turning.
 * @returns a function that ends both
 */
export function startPolling({ nested, dir, clock, logger }: PollingOptions): () => void {
  let rehearsal: Rehearsal | null = null;
  let isOver = false;
  const letSleep = keepAwake(() => rehearsal?.turn(performance.now()));
  const onBroken = (error: unknown): void =>
    logger.warn('nothing is rehearsed any more; answers to frames take longer', { err: error });
  const opened = (made: Rehearsal): void => {
    if (isOver) made.close();
    else rehearsal = made;
  };
  void Rehearsal.open({ nested, dir, startedAt: clock.now(), onBroken }).then(opened, onBroken);
  return () => {
    isOver = true;
    letSleep();
    rehearsal?.close();
  };
}
