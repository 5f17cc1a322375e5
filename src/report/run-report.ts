import type { RunAnalysis } from '../analytics/analysis.js';
import type { RunComparison } from '../analytics/comparison.js';
import { type Headline, headlineOf } from '../analytics/headline.js';
import { guardLines } from './guard-lines.js';

/** Something a reader should know of the run, such as its configuration or its seed. */
export interface RunFact {
  readonly name: string;
  readonly value: string;
}

/** 2: series of the depth of the book. 3: requests by market, event, strategy and side. */
export const REPORT_VERSION = 3;

/** Everything a report shows: `report.json`, with a fixed order of keys. */
export interface RunReport {
  readonly kind: 'oddsmith-report';
  readonly version: typeof REPORT_VERSION;
  readonly title: string;
  readonly mode: 'live' | 'backtest';
  readonly facts: readonly RunFact[];
  readonly headline: Headline;
  /** What whoever reads the headline has to know: faults, what guards did, what is still held, what was refused. */
  readonly remarks: readonly string[];
  /** The same run under each fill scenario; one for a live run. */
  readonly scenarios: readonly RunAnalysis[];
  readonly comparison: RunComparison | null;
}

/** A line for each kind, the gravest first. */
export function remarksOf({ facts, scenarios }: Pick<RunReport, 'facts' | 'scenarios'>): readonly string[] {
  const told = (wanted: string): readonly string[] =>
    facts.filter(({ name }) => name === wanted).map(({ value }) => value);
  return [...told('stopped'), ...guardLines(scenarios), ...told('at the end'), ...told('refused')];
}

/** @param scenarios at least one */
export const reportOf = (
  run: Pick<RunReport, 'title' | 'mode' | 'facts' | 'scenarios'> & { readonly comparison?: RunComparison },
): RunReport => ({
  kind: 'oddsmith-report',
  version: REPORT_VERSION,
  title: run.title,
  mode: run.mode,
  facts: run.facts,
  headline: headlineOf(run.scenarios),
  remarks: remarksOf(run),
  scenarios: run.scenarios,
  comparison: run.comparison ?? null,
});
