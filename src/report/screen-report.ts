import type { SweptBest, SweptObjective, SweptPiece } from './sweep-report.js';

type Scenario = 'pessimistic' | 'expected' | 'optimistic';

/** Totals over all pieces; profits in currency units. */
export type ScenarioProfits = Readonly<Record<Scenario, number>> & {
  readonly fills: Readonly<Record<Scenario, number>>;
};

/** By piece, then scenario. */
export interface PieceTotals {
  readonly profits: readonly (readonly number[])[];
  readonly fills: readonly (readonly number[])[];
}

export interface ScreenedRow {
  /** By path; empty: the file as it is. */
  readonly params: Readonly<Record<string, string | number | boolean | null>>;
  readonly screen: ScenarioProfits;
  /** null: not confirmed. */
  readonly engine: ScenarioProfits | null;
  /** By the objective, in the scenario of the headline. */
  readonly score: number;
  readonly engineScore: number | null;
  /** What stopped strategies, in the screen or in the engine. */
  readonly faults: readonly string[];
  readonly pieces: { readonly screen: PieceTotals; readonly engine: PieceTotals | null };
}

/** What a screen and the engine may differ by: messages under way, the budget of requests, creates taken for copies, levels out of sight. */
export const CAUSES = ['latency', 'budget', 'copies', 'levels'] as const;
export type Cause = (typeof CAUSES)[number];

/** Profit of a row in the screen less that in the engine, in the scenario of the headline. */
export interface ScreenDifference {
  readonly difference: number;
  /** What of it is gone where both play without the cause. */
  readonly parts: Readonly<Record<Cause, number>>;
  readonly rest: number;
}

/** What a screen came to, as plain JSON. */
export interface ScreenReport {
  readonly id: string;
  /** The configuration file, without its folder. */
  readonly title: string;
  /** As in a sweep. */
  readonly overrides: readonly string[];
  readonly headline: Scenario;
  readonly scenarios: readonly Scenario[];
  readonly currency: string;
  readonly objective: SweptObjective;
  readonly parameters: readonly string[];
  readonly pieces: readonly SweptPiece[];
  readonly screened: number;
  readonly confirmed: number;
  readonly seconds: number;
  /** Of ranks by score, over the confirmed rows; null below three rows. */
  readonly rankCorrelation: number | null;
  readonly profitCorrelation: Readonly<Record<Scenario, number | null>>;
  /** Greatest difference of profit between screen and engine in the scenario of the headline. */
  readonly largestDifference: number | null;
  /** The best by the engine's score, its place in the rows, deflated for all that were screened; null: none without a fault. */
  readonly best: SweptBest | null;
  /** The best by the screen's score first; the file as it is comes last. */
  readonly rows: readonly ScreenedRow[];
  /** Of the confirmed rows, in their order; left out: not asked for. */
  readonly differences?: readonly ScreenDifference[];
}

/** Below this correlation the ranking is not to be believed. */
const TRUSTED_CORRELATION = 0.9;

/** Whether the ranking is not to be believed. */
export const isDoubtful = ({
  headline,
  profitCorrelation,
}: Pick<ScreenReport, 'headline' | 'profitCorrelation'>): boolean => {
  const correlation = profitCorrelation[headline];
  return correlation !== null && correlation < TRUSTED_CORRELATION;
};
