import type { ConsumptionModel } from './consumption-model.js';

/** What was taken is back with the next book line, as if others refilled the level at once: the most liquidity. */
export const returns: ConsumptionModel = {
  missing: () => 0,
};
