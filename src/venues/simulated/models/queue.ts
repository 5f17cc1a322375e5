import { SHARE_ONE } from '../../../domain/units.js';

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

/**
 * Whatever leaves a level without trading stood behind the order, as long as enough stands there: the slowest queue
 * that agrees with the recording (hftbacktest, RiskAdverseQueueModel). The pessimistic scenario, and the default.
 */
export const riskAverse: QueueModel = {
  join: (level) => level,
  decrease: (ahead) => ahead,
};

/**
 * Splits what leaves a level without trading by the probability that it stood behind the order,
 * P(behind) = f(back) / (f(back) + f(front)) (hftbacktest, ProbQueueModel). Neither part loses more than it has.
 * @param weight f: zero at zero and increasing, of a number of share units
 */
function probabilistic(weight: (shares: number) => number): QueueModel {
  return {
    join: (level) => level,
    decrease: (ahead, level, decrease) => {
      const back = Math.max(0, level - ahead);
      const behind = (decrease * weight(back)) / (weight(back) + weight(ahead));
      return Math.max(0, ahead - decrease + Math.min(back, behind));
    },
  };
}

/**
 * f = x^n: in proportion to the shares on either side at n = 1 (the expected scenario), ever more from the larger
 * side above.
 * @throws RangeError when n is not positive
 */
export function power(n: number): QueueModel {
  if (!(n > 0)) throw new RangeError(`the power of a queue model is positive, not ${n}`);
  return probabilistic((shares) => shares ** n);
}

/** f = ln(1 + x) with x in whole shares: nearly an even split while both sides are large. */
export const log: QueueModel = probabilistic((shares) => Math.log1p(shares / SHARE_ONE));

/** An order joins at the front of its level: nobody else is ahead of it. The optimistic scenario. */
export const front: QueueModel = {
  join: () => 0,
  decrease: (ahead) => ahead,
};
