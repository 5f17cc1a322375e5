import type { QueueModel } from './queue-model.js';

/**
 * Whatever leaves a level without trading stood behind the order, as long as enough stands there: the slowest queue
 * that agrees with the recording (hftbacktest, RiskAdverseQueueModel). The pessimistic scenario, and the default.
 */
export const riskAverse: QueueModel = {
  join: (level) => level,
  decrease: (ahead) => ahead,
};
