/** What a screen and the engine that confirmed the best of it came to. */
import { correlationOf, ranksOf } from '../../analytics/statistics.js';
import type { PieceTotals, ScenarioProfits, ScreenedRow, ScreenReport } from '../../report/screen-report.js';
import { SCENARIOS, type ScenarioName } from '../../settings/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import type { FinishedJob } from './job.js';
import { bestOf, scoreOf } from './objective.js';
import type { SweepPlan } from './plan.js';
import { sum } from './ranking.js';
import { objectiveOf } from './result.js';

/** What a configuration came to on a piece under a scenario. */
interface Totals {
  readonly profit: number;
  readonly fills: number;
  readonly faults: readonly string[];
}

/** By piece, then scenario. */
export type Screened = readonly (readonly Totals[])[];

/** Places of the configurations, the best score first; one whose strategy was stopped comes last. */
export function bestFirst(plan: SweepPlan, screened: readonly Screened[]): readonly number[] {
  const failed = screened.map((pieces) => faultsOf(pieces).length > 0);
  const scores = screened.map((pieces) => scoreOf(plan.sweep, profitsIn(plan, pieces)));
  return screened
    .map((_, at) => at)
    .toSorted((a, b) => Number(failed[a]) - Number(failed[b]) || scores[b]! - scores[a]! || a - b);
}

/**
 * @param screened of every configuration, and of the file as it is behind them
 * @param confirmed what the engine came to, by place
 */
export function screenReport(
  plan: SweepPlan,
  screened: readonly Screened[],
  confirmed: ReadonlyMap<number, readonly FinishedJob[]>,
  seconds: number,
): ScreenReport {
  const order = bestFirst(plan, screened.slice(0, -1));
  const rows = [...order, plan.jobs.length].map((at) =>
    rowOf(plan, at, screened[at]!, confirmed.get(at)?.map(totalsOfJob) ?? null),
  );
  const both = rows.filter(({ engine }) => engine !== null);
  const of = (scenario: ScenarioName) => ({
    screen: both.map(({ screen }) => screen[scenario]),
    engine: both.map(({ engine }) => engine![scenario]),
  });
  const { screen, engine } = of(plan.headline);
  const { pieces } = plan;
  return {
    id: plan.id,
    title: plan.title,
    overrides: plan.overrides,
    headline: plan.headline,
    scenarios: SCENARIOS,
    currency: plan.currency,
    objective: objectiveOf(plan),
    parameters: plan.axes.map(({ path }) => path),
    pieces: pieces.map(({ event, cluster, from, to }) => ({ event, cluster, from, to })),
    screened: order.length,
    confirmed: both.length - 1,
    seconds: Math.round(seconds * 100) / 100,
    rankCorrelation: correlationOf(
      ranksOf(both.map(({ score }) => score)),
      ranksOf(both.map(({ engineScore }) => engineScore!)),
    ),
    profitCorrelation: Object.fromEntries(
      SCENARIOS.map((name) => [name, correlationOf(of(name).screen, of(name).engine)]),
    ) as ScreenReport['profitCorrelation'],
    largestDifference:
      both.length === 0 ? null : Math.max(...screen.map((profit, at) => Math.abs(profit - engine[at]!))),
    best: bestOf(
      rows
        .slice(0, -1)
        .map(({ engineScore, faults }) => (faults.length > 0 ? -Infinity : (engineScore ?? -Infinity))),
      order.map((at) => profitsIn(plan, screened[at]!)),
      plan.sweep,
      {
        independentEvents: new Set(pieces.map(({ cluster }) => cluster)).size,
        random: seededRandom(plan.sweep.seed).fork('luck'),
      },
    ),
    rows,
  };
}

function rowOf(plan: SweepPlan, at: number, screened: Screened, engine: Screened | null): ScreenedRow {
  const { axes, candidates } = plan;
  const values = candidates[at];
  return {
    params:
      values === undefined ? {} : Object.fromEntries(axes.map(({ path }, axis) => [path, values[axis]!])),
    screen: totalsOf(screened),
    engine: engine && totalsOf(engine),
    score: scoreOf(plan.sweep, profitsIn(plan, screened)),
    engineScore: engine && scoreOf(plan.sweep, profitsIn(plan, engine)),
    faults: [...new Set([...faultsOf(screened), ...faultsOf(engine ?? [])])],
    pieces: { screen: piecesOf(screened), engine: engine && piecesOf(engine) },
  };
}

const totalsOfJob = ({ profits, fills, faults }: FinishedJob): readonly Totals[] =>
  profits.map((profit, at) => ({ profit, fills: fills[at]!, faults: faults[at]! }));

const faultsOf = (pieces: Screened): readonly string[] =>
  pieces.flatMap((piece) => piece.flatMap(({ faults }) => faults));

/** Of each piece, in the scenario that counts. */
const profitsIn = ({ headline }: SweepPlan, pieces: Screened): readonly number[] =>
  pieces.map((piece) => piece[SCENARIOS.indexOf(headline)]!.profit);

const piecesOf = (pieces: Screened): PieceTotals => ({
  profits: pieces.map((piece) => piece.map(({ profit }) => profit)),
  fills: pieces.map((piece) => piece.map(({ fills }) => fills)),
});

function totalsOf(pieces: Screened): ScenarioProfits {
  const summed = (of: (totals: Totals) => number) =>
    Object.fromEntries(
      SCENARIOS.map((name, at) => [name, sum(pieces.map((piece) => of(piece[at]!)))]),
    ) as Record<ScenarioName, number>;
  return { ...summed(({ profit }) => profit), fills: summed(({ fills }) => fills) };
}
