import type { ConsumptionModel } from './consumption-model.js';

/** What was taken stays missing as long as the level exists, whoever joins it: the least liquidity to believe in. */
export const untilVanished: ConsumptionModel = {
  missing: (taken, { after }) => (after === 0 ? 0 : taken),
};
