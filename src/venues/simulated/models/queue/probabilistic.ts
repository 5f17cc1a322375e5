import { SHARE_ONE } from '../../../../domain/units.js';
import type { QueueModel } from './queue-model.js';

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
