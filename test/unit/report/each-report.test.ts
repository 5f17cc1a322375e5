import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunAnalysis } from '../../../src/analytics/analysis.js';
import { EachBooks, type EachReport } from '../../../src/report/each-report.js';
import { eachPage } from '../../../src/report/html.js';
import { writeEachReport } from '../../../src/report/report-files.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { WatchedRun } from '../../support/report/watched-run.js';

/** Ten shares bought at 0.50 by the one who knows; what the book at the end would pay is nothing. */
const earning = (amount: number, day: string, underlying: string): RunAnalysis => {
  const run = new WatchedRun().book(0, 1, 49, 51).fill(1, 1, 'bid', 48, 10).book(2, 1, 39, 41).end(5);
  const profit = { ...run.total.profit, executable: amount };
  const [event] = run.events;
  const [market] = run.markets;
  return {
    ...run,
    total: { ...run.total, profit },
    events: [{ ...event!, day, underlying, profit }],
    markets: [{ ...market!, profit }],
  };
};

function reportOf(...runs: readonly (readonly [number, string, string])[]): EachReport {
  const books = new EachBooks('recordings.yaml');
  for (const [place, [amount, day, underlying]] of runs.entries())
    books.add({
      recording: `folder/r${place}`,
      day,
      instance: 'alpha',
      strategy: 'fixed-spread',
      runId: `bt-${place}`,
      // Every event is resolved on a later day.
      analyses: [amount, 2 * amount].map((one) => earning(one, '2026-01-09', underlying)),
      headline: 0,
      faults: place === 1 ? ['it fell over'] : [],
      remarks: place === 1 ? ['it fell over'] : [],
      page: place === 0 ? '../bt-0/report.html' : null,
    });
  return books.report()!;
}

describe('backtests of each recording', () => {
  const report = reportOf([1, '2026-01-01', 'gold'], [3, '2026-01-01', 'gold'], [-1, '2026-01-02', 'gold']);

  it('have sum and mean under every scenario, with an error that counts days and underlyings', () => {
    const [total] = report.totals;
    expect(total).toMatchObject({ recordings: 3, independent: 2, profits: [3, 6], means: [1, 2] });
    // Sums of the clusters are 4 and -1 with 2 and 1 values: squares (4 - 2)^2 + (-1 - 1)^2 = 8, times 2 / 1.
    expect(total!.errors[0]).toBeCloseTo(Math.sqrt(16) / 3, 12);
    expect(reportOf([1, '2026-01-01', 'gold']).totals[0]!.errors).toEqual([null, null]);
  });

  it('are added up by market, underlying and day; of drawdowns the worst counts', () => {
    const [row] = report.recordings;
    expect(report.underlyings).toMatchObject([{ name: 'gold', recordings: 3, profits: [3, 6], shares: 30 }]);
    expect(report.underlyings[0]!.drawdown).toBe(row!.drawdown);
    expect(report.markets).toMatchObject([{ name: 'Rain – Yes', recordings: 3, fills: [3, 3] }]);
    expect(report.days).toMatchObject([{ name: '2026-11-20', recordings: 3, fills: [3, 3] }]);
    expect(row!.drawdown).toBeGreaterThan(0);
  });

  it('say which were stopped, and lead to the page of a run where there is one', () => {
    expect(report.recordings.map(({ stoppedBy }) => stoppedBy)).toEqual([[], ['strategy-fault'], []]);
    const html = eachPage(report);
    expect(html.match(/<a href="\.\.\/bt-0\/report\.html">folder\/r0<\/a>/g)).toHaveLength(1);
    expect(html).toContain('in 1 of 3 backtests (strategy-fault)');
  });

  it('are written as a page, JSON and rows, and alike twice', () => {
    const folder = scratchFolder();
    const page = writeEachReport(folder, report);
    const names = ['report.html', 'report.json', 'report-rows.csv'];
    const read = () => names.map((name) => readFileSync(join(folder, name), 'utf8'));
    const before = read();
    expect(dirname(page)).toBe(folder);
    writeEachReport(folder, report);
    expect(read()).toEqual(before);
    const [head, ...rows] = before[2]!.trimEnd().split('\n');
    for (const row of rows) expect(row.split(',')).toHaveLength(head!.split(',').length);
  });
});
