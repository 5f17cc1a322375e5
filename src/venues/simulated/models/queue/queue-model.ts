/**
 * How the queue of a level is believed to have moved, where a recording shows only the level's size. Counts are
 * shares of others, in one unit throughout; a model computes in floats, the caller rounds against the order.
 */
export interface QueueModel {
  /** @returns how many of a level's shares stand ahead of an order that joins it */
  join(level: number): number;
  /**
   * @param ahead    shares ahead of the order
   * @param level    shares of the level before it decreased, trades since then not deducted
   * @param decrease shares that left the level without a trade that explains them, at most `level`
   * @returns shares ahead of the order after the decrease
   */
  decrease(ahead: number, level: number, decrease: number): number;
}

/** One observation of a level: its size in two book lines and what traded at its price between them. */
export interface LevelChange {
  readonly before: number;
  readonly after: number;
  readonly traded: number;
}

/**
 * Shares ahead of an order after a book line. What traded has already been taken off `ahead`, first in time first;
 * an increase stands behind the order; the rest of a decrease is split by the model. Never more than the level holds.
 */
export function aheadAfter(model: QueueModel, ahead: number, { before, after, traded }: LevelChange): number {
  const unexplained = before - after - traded;
  const left = unexplained > 0 ? model.decrease(ahead, before, unexplained) : ahead;
  return Math.max(0, Math.min(left, after));
}
