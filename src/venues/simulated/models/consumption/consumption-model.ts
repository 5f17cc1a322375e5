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
