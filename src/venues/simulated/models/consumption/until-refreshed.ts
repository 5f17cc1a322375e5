import type { ConsumptionModel } from './consumption-model.js';

/** What was taken stays missing until the recorded size rises, when somebody has come anew, or the level vanishes. */
export const untilRefreshed: ConsumptionModel = {
  missing: (taken, { before, after }) => (after > before || after === 0 ? 0 : taken),
};
