import { expect, it } from 'vitest';
import { listRuns } from '../../../../src/cli/commands/runs.js';
import type { ScreenReport } from '../../../../src/report/screen-report.js';
import type { SweepReport } from '../../../../src/report/sweep-report.js';
import { addToCatalogue, type CatalogueRow } from '../../../../src/runs/catalogue/catalogue.js';
import { rowsOfScreen, rowsOfSweep } from '../../../../src/runs/catalogue/rows.js';
import type { SweepPlan } from '../../../../src/runs/sweep/plan.js';
import { micros } from '../../../../src/domain/units.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { ran } from '../../../support/screen/told-command.js';

const SCENARIOS = ['pessimistic', 'expected', 'optimistic'] as const;
const PLAN = {
  headline: 'pessimistic',
  currency: 'OOM',
  sweep: { objective: 'profit' },
  pieces: [],
  baseJobs: [{ settings: { instances: [{ name: 'rain', strategy: 'quote', params: {} }] } }],
} as unknown as SweepPlan;
const BOOM = 'strategy instance rain was stopped: boom';
const BEST = { candidate: 1, score: 5, expectedMaximum: 2, deflated: 3, chance: 0.1 };

/** The line of the list that shows what was tried together. */
async function listed(id: string, rows: readonly CatalogueRow[]): Promise<string> {
  const stateDir = scratchFolder();
  await addToCatalogue(stateDir, id, rows);
  const { text } = await ran(() => listRuns(undefined, { stateDir, json: false, last: 9 }));
  const lines = text.trim().split('\n').slice(1);
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

it('shows the best of a sweep that did not fail, and no score of one that did', async () => {
  const configuration = (fault: readonly string[]) => ({
    values: [],
    profits: [[1, 1, 1]],
    fills: [[1, 1, 1]],
    stops: [[[], [], []]],
    faults: [[[], fault, []]],
  });
  const sweep = (...scores: readonly number[]) =>
    rowsOfSweep(
      PLAN,
      {
        id: 'sw-1',
        ranking: scores.map((score, candidate) => ({ candidate, score })),
        candidates: scores.map((score) => configuration(score > 6 ? [BOOM] : [])),
        parameters: [],
        best: BEST,
        tried: scores.length,
      } as unknown as SweepReport,
      'sweep.yaml',
      micros(1),
    );
  const rows = sweep(9, -5, -6);
  const headline = rows.filter((row) => row.headline === 1);
  expect(headline.map(({ score, deflated }) => [score, deflated])).toEqual([
    [null, null],
    [-5, -7],
    [-6, -8],
  ]);
  expect(await listed('sw-1', rows)).toMatch(/^sw-1\/1 .* -5\.00 +-7\.00$/);
});

it('shows the best of a screen that was confirmed, and never the file as it is', async () => {
  const totals = {
    pessimistic: 1,
    expected: 1,
    optimistic: 1,
    fills: { pessimistic: 1, expected: 1, optimistic: 1 },
  };
  const row = (engineScore: number | null, faults: readonly string[] = []) => ({
    params: {},
    screen: totals,
    engine: engineScore === null ? null : totals,
    score: 8,
    engineScore,
    faults,
  });
  const screen = (...rows: readonly ReturnType<typeof row>[]) =>
    rowsOfScreen(
      PLAN,
      {
        id: 'sw-1',
        rows,
        best: BEST,
        screened: rows.length - 1,
        scenarios: SCENARIOS,
      } as unknown as ScreenReport,
      'sweep.yaml',
      micros(1),
    );
  expect(await listed('sw-1-screen', screen(row(9, [BOOM]), row(-5), row(null), row(7)))).toMatch(
    /^sw-1-screen\/1 .* -5\.00 +-7\.00$/,
  );
  expect(await listed('sw-1-screen', screen(row(9, [BOOM]), row(null), row(7)))).toMatch(
    /^sw-1-screen\/1 .* 8\.00/,
  );
});

it('tells a state folder that is not there from one without runs', async () => {
  const told = async (stateDir: string) =>
    (await ran(() => listRuns(undefined, { stateDir, json: false, last: 9 }))).text;
  const stateDir = scratchFolder();
  expect(await told(stateDir)).toContain(`no run is in the catalogue of ${stateDir} yet: `);
  expect(await told(`${stateDir}/typo`)).toContain(`${stateDir}/typo, a folder that is not there, yet: `);
});
