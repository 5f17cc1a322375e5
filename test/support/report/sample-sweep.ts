/** A sweep for tests of its page: invented, but with the figures of a real one in their mutual order. */
import { bestOf } from '../../../src/runs/sweep/objective.js';
import { rank, sum } from '../../../src/runs/sweep/ranking.js';
import { foldsOf } from '../../../src/runs/sweep/ranking.js';
import type { SweepReport, SweptPiece } from '../../../src/report/sweep-report.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';

const HOUR = 3_600_000_000;
const START = Date.UTC(2026, 2, 2, 9) * 1_000;
const EVENTS = ['101', '102', '103', '104'];
const CANDIDATES = 40;
const SCENARIOS = ['pessimistic', 'expected', 'optimistic'];

const pieces: readonly SweptPiece[] = EVENTS.flatMap((event, place) =>
  [0, 1, 2].map((window) => {
    const from = START + (place * 24 + window * 2) * HOUR;
    return { event, cluster: `2026-03-0${place + 2} rates`, from, to: from + 2 * HOUR };
  }),
);

/** Three parameters: one of many numbers, one of few, one of words. */
function drawn() {
  const random = seededRandom(5);
  return Array.from({ length: CANDIDATES }, () => {
    const halfSpread = Number((0.005 + random.uniform() * 0.035).toFixed(4));
    const shares = [10, 20, 50][random.below(3)]!;
    const queue = ['risk-averse', 'power'][random.below(2)]!;
    const profits = pieces.map((_, place) => {
      const profit =
        8 - ((halfSpread - 0.02) * 900) ** 2 / 20 + shares / 10 + (random.uniform() - 0.5) * (6 + place);
      return SCENARIOS.map((_name, scenario) => Number((profit + scenario).toFixed(6)));
    });
    const fills = pieces.map(() => SCENARIOS.map((_name, scenario) => 12 + random.below(30) + scenario));
    const stops = pieces.map((_, place) =>
      SCENARIOS.map(() => (place === 0 && shares === 50 ? ['drawdown-limit'] : [])),
    );
    const faults = pieces.map(() => SCENARIOS.map(() => []));
    return { values: [halfSpread, shares, queue], profits, fills, stops, faults };
  });
}

/** @param title of the file, which may hold anything */
export function sampleSweep(title = 'sweep.yaml'): SweepReport {
  const candidates = drawn();
  const folds = foldsOf('walk-forward', pieces);
  const profits = candidates.map((one) => one.profits.map(([pessimistic]) => pessimistic!));
  const ranked = rank(profits, folds);
  const base = candidates[0]!.profits.map(([pessimistic]) => pessimistic!);
  const onBase = (places: readonly number[]) => sum(places.map((place) => base[place]!));
  return {
    format: 4,
    id: 'sw-0123456789abcdef',
    title,
    overrides: [],
    method: 'latin-hypercube',
    splits: 'walk-forward',
    seed: 1,
    currency: 'OOM',
    tried: CANDIDATES,
    parameters: [
      'instances.rain.params.halfSpread',
      'instances.rain.params.shares',
      'backtest.scenarios.expected.queue',
    ],
    scenarios: SCENARIOS,
    headline: SCENARIOS[0]!,
    objective: { name: 'profit', text: 'profit', unit: 'OOM' },
    best: bestOf(
      profits.map(sum),
      profits,
      { objective: 'profit', gamma: null, k: 2 },
      {
        independentEvents: EVENTS.length,
        random: seededRandom(1),
      },
    ),
    pieces,
    candidates,
    ranking: ranked.candidates.map((row) => ({
      ...row,
      score: row.allProfit,
      stoppedBy: candidates[row.candidate]!.values[1] === 50 ? [{ rule: 'drawdown-limit', pieces: 1 }] : [],
    })),
    faults: [],
    remarks: [],
    folds: ranked.folds.map((fold) => ({ ...fold, baseProfit: onBase(fold.test) })),
    outOfSample: {
      profit: ranked.outOfSample,
      base: onBase(folds.flatMap(({ test }) => test)),
      baseStoppedBy: [],
      events: EVENTS.map((event, place) => ({
        event,
        cluster: pieces[place * 3]!.cluster,
        base: 10 - place,
        chosen: 11 + place,
      })),
      judgement: {
        independentEvents: 4,
        meanDifference: 4,
        interval: { level: 0.95, low: 1.5, high: 6.5 },
        tried: CANDIDATES,
        verdict: 'no conclusion',
        text: 'no conclusion: 4 independent events (days and underlyings), 40 configurations tried; fewer than 30 independent events show nothing',
      },
    },
  };
}
