import { SHARE_ONE } from '../../../domain/units.js';

/**
 * Estimates our place in the queue of a level, where a recording shows only the level's size. Counts are shares of
 * others in one unit; a model computes in floats, and the caller rounds against the order.
 */
export interface QueueModel {
  /** @returns shares of the level ahead of an order that joins */
  join(level: number): number;
  /**
   * @param ahead    shares ahead of the order
   * @param level    shares of the level before the decrease, later trades not deducted
   * @param decrease shares that left the level without a trade, at most `level`
   * @returns shares ahead of the order after the decrease
   */
  decrease(ahead: number, level: number, decrease: number): number;
}

/** One level in two consecutive books, and what traded at its price between them. */
export interface LevelChange {
  readonly before: number;
  readonly after: number;
  readonly traded: number;
}

/**
 * Computes the shares ahead of an order after a book. The trades are already deducted from `ahead`; an increase stands
 * behind the order; the model splits the rest of a decrease.
 */
export function aheadAfter(model: QueueModel, ahead: number, { before, after, traded }: LevelChange): number {
  const unexplained = before - after - traded;
  const left = unexplained > 0 ? model.decrease(ahead, before, unexplained) : ahead;
  return Math.max(0, Math.min(left, after));
}

/**
 * Cancellations happen behind our order as long as enough shares stand there: the slowest queue that agrees with the
 * recording (hftbacktest, RiskAdverseQueueModel). The pessimistic scenario, and the default.
 */
export const riskAverse: QueueModel = {
  join: (level) => level,
  decrease: (ahead) => ahead,
};

/** Our order joins at the front of its level. The optimistic scenario. */
export const front: QueueModel = {
  join: () => 0,
  decrease: (ahead) => ahead,
};

/**
 * Splits cancellations by f = x^n of the shares on either side: in proportion at n = 1 (the expected scenario), more
 * from the larger side above.
 * @throws RangeError when n is not positive
 */
export function power(n: number): QueueModel {
  if (!(n > 0)) throw new RangeError(`the power of a queue model is positive, not ${n}`);
  return probabilistic((shares) => shares ** n);
}

/** Splits cancellations by f = ln(1 + x), x in whole shares: nearly even while both sides are large. */
export const log: QueueModel = probabilistic((shares) => Math.log1p(shares / SHARE_ONE));

/**
 * P(behind) = f(back) / (f(back) + f(front)) (hftbacktest, ProbQueueModel). Neither side loses more than it has.
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
