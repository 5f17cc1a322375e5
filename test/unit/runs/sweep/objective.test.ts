import { describe, expect, it } from 'vitest';
import {
  bestOf,
  luckOf,
  type Objective,
  objectiveText,
  scoreOf,
} from '../../../../src/runs/sweep/objective.js';
import { rank } from '../../../../src/runs/sweep/ranking.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

const by = (objective: Objective['objective'], others: Partial<Objective> = {}): Objective => ({
  objective,
  gamma: null,
  k: 2,
  ...others,
});
const random = () => seededRandom(3);

describe('the objective of a sweep', () => {
  // Mean 2, deviation 2, so the standard error of the sum of three is 2 times the root of 3.
  const profits = [0, 2, 4];

  it('is the profit of all pieces', () => {
    expect(scoreOf(by('profit'), profits)).toBe(6);
    expect(objectiveText(by('profit'))).toBe('profit');
  });

  it('is what a piece is worth for sure to somebody who shuns risk', () => {
    const gamma = 0.5;
    const worth = -Math.log((1 + Math.exp(-1) + Math.exp(-2)) / 3) / gamma;
    expect(scoreOf(by('certainty-equivalent', { gamma }), profits)).toBeCloseTo(worth, 12);
    expect(scoreOf(by('certainty-equivalent', { gamma: 1e-9 }), profits)).toBeCloseTo(2, 6);
    expect(scoreOf(by('certainty-equivalent', { gamma: 10 }), [-1_000, 1_000])).toBeCloseTo(-999.93, 2);
  });

  it('is the mean of a piece over its deviation, none for one that never trades', () => {
    expect(scoreOf(by('sharpe'), profits)).toBe(1);
    expect(scoreOf(by('sharpe'), [0, 0, 0])).toBe(0);
  });

  it('is the profit less some of its standard errors', () => {
    expect(scoreOf(by('profit-less-errors', { k: 1.5 }), profits)).toBeCloseTo(
      6 - 1.5 * 2 * Math.sqrt(3),
      12,
    );
  });

  it('decides what training chooses; tests go by profit', () => {
    const [steady, wild] = [
      [4, 5, 4],
      [-40, 60, 90],
    ];
    const folds = [{ train: [0, 1], test: [2] }];
    const chosen = (objective: Objective) =>
      rank(
        [wild, steady],
        folds,
        () => false,
        (found) => scoreOf(objective, found),
      );
    expect(chosen(by('profit')).folds[0]!.chosen).toBe(0);
    const ranked = chosen(by('sharpe'));
    expect(ranked.folds[0]).toMatchObject({ chosen: 1, trainProfit: 9, testProfit: 4 });
    expect(ranked.candidates.map(({ candidate, meanTestRank }) => [candidate, meanTestRank])).toEqual([
      [1, 2],
      [0, 1],
    ]);
  });
});

describe('the luck of the best', () => {
  it('is what the best of as many without an edge comes to, worked out by hand for two', () => {
    // Less their means: 2, -2 and -1.5, 1.5. The four draws of two pieces have the greatest sums 4, 0, 0, 3: mean 1.75.
    const found = luckOf(
      2,
      [
        [3, -1],
        [-1, 2],
      ],
      by('profit'),
      random(),
      40_000,
    );
    expect(found.expectedMaximum).toBeCloseTo(1.75, 1);
    expect(found.deflated).toBeCloseTo(0.25, 1);
    expect(found.chance).toBeCloseTo(0.5, 1);
  });

  it('counts configurations that are alike as one', () => {
    const profits = [3, -1, 2, 5, -4, 1];
    const [one, many] = [1, 50].map((count) =>
      luckOf(
        6,
        Array.from({ length: count }, () => profits),
        by('profit'),
        random(),
      ),
    );
    expect(many).toEqual(one);
    expect(one!.expectedMaximum).toBeCloseTo(0, 0);
  });

  it.each([
    by('profit'),
    by('sharpe'),
    by('certainty-equivalent', { gamma: 0.3 }),
    by('profit-less-errors', { k: 1 }),
  ])('lets pure noise pass for an edge in about 5 % of sweeps: $objective', (objective) => {
    const noise = seededRandom(11);
    const [sweeps, tried, pieces] = [200, 8, 30];
    let passed = 0;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      const candidates = Array.from({ length: tried }, () =>
        Array.from({ length: pieces }, () => noise.uniform() + noise.uniform() + noise.uniform() - 1.5),
      );
      const best = Math.max(...candidates.map((profits) => scoreOf(objective, profits)));
      if (luckOf(best, candidates, objective, noise, 150).chance < 0.05) passed += 1;
    }
    expect(passed / sweeps).toBeGreaterThan(0.015);
    expect(passed / sweeps).toBeLessThan(0.1);
  });

  it('finds an edge that is there, and concludes nothing from few days and underlyings', () => {
    const noise = seededRandom(5);
    const tried = [0, 0, 1].map((edge) => Array.from({ length: 40 }, () => edge + noise.uniform() - 0.5));
    const best = (count: number, independentEvents = 30) => {
      const some = tried.slice(0, count);
      const scores = some.map((profits) => scoreOf(by('profit'), profits));
      return bestOf(scores, some, by('profit'), { independentEvents, random: random() })!;
    };
    expect(best(3)).toMatchObject({ candidate: 2, verdict: 'better than luck' });
    expect(best(2).verdict).toBe('no better than luck');
    expect(best(3, 29).verdict).toBe('no conclusion');
  });

  it('is not of a configuration that failed, which was tried all the same', () => {
    const tried = [
      [9, 9, -9],
      [1, 1, 1],
    ];
    const given = { independentEvents: 1, random: random() };
    const best = bestOf([-Infinity, 3], tried, by('profit'), given)!;
    expect(best).toMatchObject({ candidate: 1, score: 3 });
    expect(best.expectedMaximum).toBeGreaterThan(1);
    expect(bestOf([-Infinity, -Infinity], tried, by('profit'), given)).toBeNull();
  });
});
