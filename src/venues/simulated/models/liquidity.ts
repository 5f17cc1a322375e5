import { type QueueModel, riskAverse } from './queue.js';

/** How others' recorded volume behaves towards our orders. */
export interface LiquidityModels {
  /** How a decrease of a level splits around our orders. */
  readonly queue: QueueModel;
  /** What becomes of what we take. */
  readonly consumption: ConsumptionModel;
}

/** The slowest queue, and what we took missing until somebody comes anew. */
export const CAUTIOUS: LiquidityModels = { queue: riskAverse, consumption: untilRefreshed };

/** One level in two book lines, share units; trades between them are deducted from the first. */
export interface Restatement {
  readonly before: number;
  /** 0: the line shows that the level is gone. */
  readonly after: number;
}

/**
 * What becomes of shares of others that our orders took. The recording does not know of them: it goes on stating shares
 * that are no longer there.
 */
export interface ConsumptionModel {
  /**
   * @param taken shares missing before a book line because we took them
   * @returns shares that are still missing after it, at most so many
   */
  missing(taken: number, restatement: Restatement): number;
}

/** What was taken stays missing until the recorded size rises, when somebody has come anew, or the level vanishes. */
export const untilRefreshed: ConsumptionModel = {
  missing: (taken, { before, after }) => (after > before || after === 0 ? 0 : taken),
};

/** What was taken stays missing as long as the level exists, whoever joins it: the least liquidity to believe in. */
export const untilVanished: ConsumptionModel = {
  missing: (taken, { after }) => (after === 0 ? 0 : taken),
};

/** What was taken is back with the next book line, as if others refilled the level at once: the most liquidity. */
export const returns: ConsumptionModel = {
  missing: () => 0,
};
