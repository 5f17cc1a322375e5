import { describe, expect, it } from 'vitest';
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import {
  clusterBootstrap,
  studentQuantile,
  deviationOf,
  quantileOf,
  sharpeRatio,
  sortinoRatio,
} from '../../../src/analytics/statistics.js';
import { compareRuns, judgePairs, headlineOf } from '../../../src/analytics/comparison.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';
import { WatchedRun } from '../../support/report/watched-run.js';

const random = () => seededRandom(3);

/** A run of which only the profits of its events matter. */
function runOf(profits: readonly number[], eventsPerDay = 1): RunAnalysis {
  const analysis = new WatchedRun().end(1);
  const [event] = analysis.events;
  const events = profits.map((executable, index) => ({
    ...event!,
    isUnseen: false,
    worstCase: 0,
    id: String(index),
    day: `day ${Math.floor(index / eventsPerDay)}`,
    profit: { ...event!.profit, executable },
  }));
  return { ...analysis, events };
}

const noise = (count: number, seed: number) => {
  const chance = seededRandom(seed);
  return Array.from({ length: count }, () => chance.uniform() - 0.5);
};

describe('compareRuns', () => {
  it('has no conclusion below thirty days and underlyings, whatever the difference', () => {
    const base = runOf(noise(29, 1));
    const other = runOf(noise(29, 1).map((profit) => profit + 100));
    const { verdict, text, independentEvents } = compareRuns(base, other, { random: random(), tried: 2 });
    expect(verdict).toBe('no conclusion');
    expect(independentEvents).toBe(29);
    expect(text).toContain('2 configurations tried');
  });

  it('pairs no event of another recording, and says which are left out', () => {
    const of = (runId: string, recordings: readonly (readonly string[])[]): RunAnalysis => {
      const run = runOf(recordings.map(() => 1));
      return {
        ...run,
        runId,
        events: run.events.map((event, at) => ({ ...event, recordings: recordings[at]! })),
      };
    };
    const base = of('base', [['aa'], ['bb'], ['cc']]);
    const other = of('other', [['aa'], ['xx']]);
    const { pairs, notes } = compareRuns(base, other, { random: random(), tried: 2 });
    expect(pairs.map(({ eventId }) => eventId)).toEqual(['0']);
    expect(notes).toEqual(['left out: event 1: the recordings differ', 'left out: event 2: in base alone']);
  });

  it('pairs no event of which something else is noted beside the recordings', () => {
    const of = (notes: readonly string[] | null): RunAnalysis => {
      const run = runOf([1]);
      return { ...run, events: run.events.map((event) => ({ ...event, recordings: ['aa'], notes })) };
    };
    const against = (one: RunAnalysis, other: RunAnalysis) =>
      compareRuns(one, other, { random: random(), tried: 2 }).notes;
    expect(against(of(['n1']), of(['n1']))).toEqual([]);
    expect(against(of(['n1']), of(['n2']))).toEqual([
      'left out: event 0: what markets.json says of the recordings differs',
    ]);
    expect(against(of(['n1']), of(null))).toHaveLength(1);
  });

  it('says what the two took for granted where it is not the same, and what stopped one of them', () => {
    const base = { ...runOf([1]), runId: 'base', assumptions: ['latency: feed 25 ms', 'fees per share: 0'] };
    const stop = {
      rule: 'drawdown-limit',
      scope: 'all',
      id: null,
      text: '',
      times: 1,
      firstAt: 1,
      lastAt: 1,
    } as const;
    const other = {
      ...runOf([2]),
      runId: 'other',
      assumptions: ['latency: feed 50 ms', 'fees per share: 0'],
      guards: {
        stops: [stop],
        held: [{ reason: 'strategy-fault', seconds: 1, share: 0.5 }],
        markets: [],
      },
    };
    expect(compareRuns(base, other, { random: random(), tried: 2 }).notes).toEqual([
      'not alike: base has latency: feed 25 ms',
      'not alike: other has latency: feed 50 ms',
      'other was stopped by drawdown-limit, strategy-fault',
    ]);
  });

  it('counts the events of one day and underlying once', () => {
    const [base, other] = [runOf(noise(300, 1), 20), runOf(noise(300, 2), 20)];
    const { verdict, independentEvents, pairs } = compareRuns(base, other, { random: random(), tried: 2 });
    expect([independentEvents, pairs.length, verdict]).toEqual([15, 300, 'no conclusion']);
  });

  it('shows a difference that is there, and none that is not', () => {
    const profits = noise(60, 4);
    const better = runOf(profits.map((profit, index) => profit + 1 + noise(60, 5)[index]!));
    const same = runOf(noise(60, 6));
    const verdictOf = (other: RunAnalysis) =>
      compareRuns(runOf(profits), other, { random: random(), tried: 2 }).verdict;
    expect(verdictOf(better)).toBe('other is better');
    expect(verdictOf(same)).toBe('no difference shown');
    expect(compareRuns(better, runOf(profits), { random: random(), tried: 2 }).verdict).toBe(
      'other is worse',
    );
  });

  it('asks for more the more was tried', () => {
    const [base, other] = [runOf(noise(40, 7)), runOf(noise(40, 8))];
    const widthOf = (tried: number) => {
      const { interval } = compareRuns(base, other, { random: random(), tried });
      return interval!.high - interval!.low;
    };
    expect(widthOf(100)).toBeGreaterThan(widthOf(2));
    expect(compareRuns(base, other, { random: random(), tried: 11 }).interval!.level).toBeCloseTo(0.995, 12);
  });

  it('does not ask for more when the choice was made on other events', () => {
    const pairs = noise(40, 7).map((base, at) => ({ cluster: String(at), base, other: base + 1 }));
    const judged = judgePairs(pairs, { random: random(), tried: 500, chosenBlindly: true });
    expect(judged).toMatchObject({ verdict: 'other is better', tried: 500, independentEvents: 40 });
    expect(judged.interval!.level).toBe(0.95);
    expect(judgePairs(pairs.slice(0, 29), { random: random(), tried: 2 }).verdict).toBe('no conclusion');
  });

  it('leaves out events of only one of the runs', () => {
    const { pairs } = compareRuns(runOf([1, 2, 3]), runOf([1, 2]), { random: random(), tried: 2 });
    expect(pairs).toHaveLength(2);
  });

  it('does not take an event that neither run saw for evidence', () => {
    const [base, other] = [runOf(noise(31, 1)), runOf(noise(31, 2))];
    const unseen = (run: RunAnalysis, ...places: number[]): RunAnalysis => ({
      ...run,
      events: run.events.map((event, place) => ({ ...event, isUnseen: places.includes(place) })),
    });
    const compared = compareRuns(unseen(base, 3, 4), unseen(other, 3, 4, 5), { random: random(), tried: 2 });
    expect([compared.independentEvents, compared.verdict]).toEqual([29, 'no conclusion']);
    expect(compared.text).toMatch(/; left out: 2 events of which neither run saw a price$/);
    expect(compareRuns(base, unseen(other, 3, 4), { random: random(), tried: 2 }).pairs).toHaveLength(31);
  });

  it('does not take an event of another day, or of another time, for the same', () => {
    const base = runOf([1, 2, 3]);
    const [first, ...rest] = base.events;
    const otherDay = { ...base, events: [{ ...first!, day: 'another' }, ...rest] };
    const later = { ...base, startedAt: base.endedAt, endedAt: base.endedAt + 1e6 };
    const pairsWith = (other: RunAnalysis) =>
      compareRuns(base, other, { random: random(), tried: 2 }).pairs.map(({ eventId }) => eventId);
    expect(pairsWith(base)).toEqual(['0', '1', '2']);
    expect(pairsWith(otherDay)).toEqual(['1', '2']);
    expect(pairsWith(later)).toEqual([]);
  });

  it('pairs an event that one run says nothing of, and counts all of those of a day once', () => {
    const about = (run: RunAnalysis, underlying: string): RunAnalysis => ({
      ...run,
      events: run.events.map((event) => ({ ...event, underlying })),
    });
    const [live, tested] = [about(runOf(noise(64, 1), 2), 'unsaid'), about(runOf(noise(64, 2), 2), 'gold')];
    const told = compareRuns(live, tested, { random: random(), tried: 2 });
    expect([told.pairs.length, told.independentEvents]).toEqual([64, 32]);
    expect(told.pairs[0]!.cluster).toBe('day 0 gold');
    expect(compareRuns(live, about(tested, 'unsaid'), { random: random(), tried: 2 }).independentEvents).toBe(
      32,
    );
    expect(compareRuns(about(live, 'silver'), tested, { random: random(), tried: 2 }).pairs).toEqual([]);
  });
});

describe('clusterBootstrap', () => {
  it('is close to the normal interval of independent values', () => {
    const values = noise(400, 9);
    const { low, high } = clusterBootstrap(
      values.map((value) => [value]),
      { random: random(), level: 0.95, resamples: 4_000 },
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const error = deviationOf(values)! / Math.sqrt(values.length);
    expect(low).toBeCloseTo(mean - 1.96 * error, 2);
    expect(high).toBeCloseTo(mean + 1.96 * error, 2);
  });

  it('is wider when values come in clusters that agree', () => {
    const values = noise(50, 10);
    const options = () => ({ random: random(), level: 0.95, resamples: 2_000 });
    const apart = clusterBootstrap(
      values.flatMap((value) => [[value], [value], [value]]),
      options(),
    );
    const together = clusterBootstrap(
      values.map((value) => [value, value, value]),
      options(),
    );
    expect(together.high - together.low).toBeGreaterThan(1.4 * (apart.high - apart.low));
  });
});

describe('headlineOf', () => {
  it('is the profit under the scenario that is named, at executable depth', () => {
    const analysis = new WatchedRun().end(1);
    const run = (scenario: string, executable: number): RunAnalysis => ({
      ...analysis,
      scenario,
      total: { ...analysis.total, profit: { ...analysis.total.profit, executable } },
    });
    const runs = [run('pessimistic', 2), run('expected', -1), run('optimistic', 5)];
    expect(headlineOf(runs, 'pessimistic')).toEqual({ scenario: 'pessimistic', profit: 2, scenarios: 3 });
    expect(headlineOf(runs, 'expected')).toEqual({ scenario: 'expected', profit: -1, scenarios: 3 });
    expect(headlineOf([run('live', 3)], 'pessimistic')).toMatchObject({ scenario: 'live', profit: 3 });
  });
});

describe('statistics', () => {
  it('are those that a pocket calculator gives', () => {
    expect(deviationOf([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.13809, 5);
    expect(sharpeRatio([1, 2, 3])).toBeCloseTo(2, 12);
    expect(sortinoRatio([3, -1, 1])).toBeCloseTo(1 / Math.sqrt(1 / 3), 12);
    expect(quantileOf([1, 2, 3, 4], 0.5)).toBe(2.5);
  });

  it('are not there for too little', () => {
    expect([sharpeRatio([1]), sharpeRatio([2, 2]), sortinoRatio([1]), sortinoRatio([1, 2])]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

/** Tables of Student's distribution, two-sided. */
const STUDENT = [
  [0.95, 1, 12.706],
  [0.95, 2, 4.303],
  [0.99, 10, 3.169],
  [0.95, 29, 2.045],
  [0.999, 30, 3.646],
  [0.999, 1_000, 3.3],
] as const;

describe('the level that many configurations ask for', () => {
  it.each(STUDENT)('%f of %i degrees of freedom lie within %f errors', (level, freedom, errors) => {
    expect(studentQuantile(level, freedom)).toBeCloseTo(errors, 2);
  });

  it('is kept: of a thousand useless configurations the best is seldom called better', () => {
    const [families, tried, days] = [80, 1_001, 30];
    let better = 0;
    for (let family = 0; family < families; family++) {
      const chance = seededRandom(1_000 + family);
      const all = Array.from({ length: tried - 1 }, () => Array.from({ length: days }, () => bell(chance)));
      const best = all.reduce((one, other) => (sumOf(other) > sumOf(one) ? other : one));
      const pairs = best.map((profit, day) => ({ cluster: `day ${day}`, base: 0, other: profit }));
      const { verdict, interval } = judgePairs(pairs, { random: random(), tried });
      expect(interval?.level).toBeCloseTo(0.99995, 7);
      if (verdict === 'other is better') better += 1;
    }
    // 2.5 % are meant, 2 of 80.
    expect(better).toBeLessThanOrEqual(5);
  });
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Normal, by Box and Muller. */
const bell = (chance: ReturnType<typeof seededRandom>): number =>
  Math.sqrt(-2 * Math.log(1 - chance.uniform())) * Math.cos(2 * Math.PI * chance.uniform());
