/** A screen for tests of its page: the invented sweep, as a screen that differs a little from it would show it. */
import type { ScenarioProfits, ScreenReport } from '../../../src/report/screen-report.js';
import { sum } from '../../../src/runs/sweep/ranking.js';
import { sampleSweep } from './sample-sweep.js';

const SCENARIOS = ['pessimistic', 'expected', 'optimistic'] as const;
const CONFIRMED = 5;

type Figures = Pick<ReturnType<typeof sampleSweep>['candidates'][number], 'profits' | 'fills'>;

function totalsOf({ profits, fills }: Figures): ScenarioProfits {
  const by = (pieces: readonly (readonly number[])[]) =>
    Object.fromEntries(SCENARIOS.map((name, at) => [name, sum(pieces.map((piece) => piece[at]!))])) as Record<
      (typeof SCENARIOS)[number],
      number
    >;
  return { ...by(profits), fills: by(fills) };
}

export function sampleScreen(correlation: number): ScreenReport {
  const sweep = sampleSweep();
  const { id, title, overrides, currency, objective, parameters, pieces, tried } = sweep;
  const order = sweep.candidates.toSorted(
    (one, other) => totalsOf(other).pessimistic - totalsOf(one).pessimistic,
  );
  const rows = [...order, sweep.candidates[0]!].map((own, place) => {
    const { profits, fills } = own;
    const isConfirmed = place < CONFIRMED || place === order.length;
    const engine = { profits: profits.map((piece) => piece.map((profit) => profit - place)), fills };
    const params = Object.fromEntries(parameters.map((path, at) => [path, own.values[at]!]));
    return {
      params: place === order.length ? {} : params,
      screen: totalsOf(own),
      engine: isConfirmed ? totalsOf(engine) : null,
      score: totalsOf(own).pessimistic,
      engineScore: isConfirmed ? totalsOf(engine).pessimistic : null,
      faults: [],
      pieces: { screen: { profits, fills }, engine: isConfirmed ? engine : null },
    };
  });
  return {
    id,
    title,
    overrides,
    currency,
    objective,
    parameters,
    pieces,
    headline: 'pessimistic',
    scenarios: SCENARIOS,
    screened: tried,
    confirmed: CONFIRMED,
    seconds: 12.5,
    rankCorrelation: 0.8,
    profitCorrelation: { pessimistic: correlation, expected: 0.98, optimistic: null },
    largestDifference: 12.25,
    best: { ...sweep.best!, candidate: 0, score: rows[0]!.engineScore! },
    rows,
  };
}
