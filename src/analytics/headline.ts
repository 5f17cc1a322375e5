import type { RunAnalysis } from './analysis.js';

/** The one number that stands over a report. */
export interface Headline {
  readonly scenario: string;
  /** Currency units, open inventory at what the book at the end would pay. */
  readonly profit: number;
  /** How many scenarios it is the lowest of. */
  readonly scenarios: number;
}

/**
 * The lowest profit of the scenarios. They bound nothing: a strategy that adapts may earn less when it is filled more,
 * so none of them may be left out. The first one of equal profit is named.
 * @param analyses one run under one scenario each; at least one
 */
export function headlineOf(analyses: readonly RunAnalysis[]): Headline {
  const profits = analyses.map(({ scenario, total }) => ({ scenario, profit: total.profit.executable }));
  const lowest = profits.reduce((low, next) => (next.profit < low.profit ? next : low));
  return { ...lowest, scenarios: analyses.length };
}
