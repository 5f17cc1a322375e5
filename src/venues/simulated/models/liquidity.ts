import { type ConsumptionModel, untilRefreshed } from './consumption/index.js';
import { type QueueModel, riskAverse } from './queue/index.js';

/** How others' recorded volume behaves towards our orders. */
export interface LiquidityModels {
  /** How a decrease of a level splits around our orders. */
  readonly queue: QueueModel;
  /** What becomes of what we take. */
  readonly consumption: ConsumptionModel;
}

/** The slowest queue, and what we took missing until somebody comes anew. */
export const CAUTIOUS: LiquidityModels = { queue: riskAverse, consumption: untilRefreshed };
