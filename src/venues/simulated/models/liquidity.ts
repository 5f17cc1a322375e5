import { type QueueModel, riskAverse } from './queue.js';

/** One price level in two consecutive books, in share units. Trades between the books are deducted from the first. */
export interface Restatement {
  readonly before: number;
  /** 0: the level is gone. */
  readonly after: number;
}

/**
 * Decides how long the shares that our orders took stay missing. The recording does not know our trades: it goes on
 * showing shares that we have bought.
 */
export interface ConsumptionModel {
  /**
   * @param taken shares missing before a book because we took them
   * @returns shares still missing after the book, at most `taken`
   */
  missing(taken: number, restatement: Restatement): number;
}

/** What we took stays missing until the recorded size rises (somebody new has come) or the level vanishes. */
export const untilRefreshed: ConsumptionModel = {
  missing: (taken, { before, after }) => (after > before || after === 0 ? 0 : taken),
};

/** What we took stays missing as long as the level exists: the least liquidity. */
export const untilVanished: ConsumptionModel = {
  missing: (taken, { after }) => (after === 0 ? 0 : taken),
};

/** What we took is back with the next book: the most liquidity. */
export const returns: ConsumptionModel = {
  missing: () => 0,
};

/** How the recorded volume of others behaves towards our orders. */
export interface LiquidityModels {
  /** How a decrease of a level splits around our orders. */
  readonly queue: QueueModel;
  /** What becomes of the shares that we take. */
  readonly consumption: ConsumptionModel;
}

/** The slowest queue, and what we took stays missing until the level is refreshed. */
export const CAUTIOUS: LiquidityModels = { queue: riskAverse, consumption: untilRefreshed };
