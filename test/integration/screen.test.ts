/** A screen beside the engine on the recording that ships with the project. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenReport } from '../../src/report/screen-report.js';
import { runScreenedSweep } from '../../src/runs/screen/screened-sweep.js';
import { ROOT } from '../support/project/small-house.js';

const folder = mkdtempSync(join(tmpdir(), 'screen-'));
const FAIR = join(folder, 'fair.csv');
writeFileSync(FAIR, 'market,p,at\n3001,0.5,2026-01-01T00:00:00Z\n');
afterAll(() => rmSync(folder, { recursive: true }));

const screened = (confirm: number, overrides: readonly string[]) =>
  runScreenedSweep({
    file: join(ROOT, 'config', 'sweep.yaml'),
    environment: {},
    overrides,
    out: folder,
    threads: 1,
    confirm,
    stop: new AbortController().signal,
    onNews: () => undefined,
    onProgress: () => undefined,
  });

describe('sweep --screen', () => {
  let result: ScreenReport;
  let file: string;
  let page: string;

  beforeAll(async () => {
    ({ result, file, page } = await screened(3, [
      'sweep.windows=2',
      'sweep.parameters={ instances.rain.params.halfSpread: [0.005, 0.02, 0.03, 0.2], instances.rain.params.shares: [10] }',
    ]));
  }, 60_000);

  it('screens all, confirms the best and the file as it is, best first', () => {
    expect([result.screened, result.confirmed, result.rows.length]).toEqual([4, 3, 5]);
    expect(result.rows.map(({ engine }) => engine !== null)).toEqual([true, true, true, false, true]);
    const profits = result.rows.slice(0, -1).map(({ screen }) => screen[result.headline]);
    expect(profits).toEqual(profits.toSorted((a, b) => b - a));
    expect(result.rows.at(-1)!.params).toEqual({});
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(result);
  });

  it('states the best by the engine, deflated for all that were screened, on a page, too', () => {
    const { best, rows } = result;
    const scores = rows.slice(0, -1).map(({ engineScore }) => engineScore);
    expect(best).toMatchObject({ score: Math.max(...scores.filter((score) => score !== null)) });
    expect(scores[best!.candidate]).toBe(best!.score);
    expect(best!.deflated).toBeCloseTo(best!.score - best!.expectedMaximum, 9);
    expect(readFileSync(page, 'utf8')).toContain('Deflated for');
    for (const { screen, pieces } of rows)
      expect(screen.fills.expected).toBe(pieces.screen.fills.reduce((sum, [, fills]) => sum + fills!, 0));
  });

  it('is refused while another process is at the same', async () => {
    const one = ['sweep.windows=2', 'sweep.parameters={ instances.rain.params.halfSpread: [0.04] }'];
    const both = await Promise.allSettled([screened(0, one), screened(0, one)]);
    const refused = both.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused).toEqual([expect.objectContaining({ code: 'ODDSMITH_LOCK_HELD', exit: 2 })]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('ranks by the objective of the file', async () => {
    const overrides = ['sweep.windows=3', 'sweep.objective=sharpe', 'sweep.scenario=expected'];
    const { result: other } = await screened(1, [
      ...overrides,
      'sweep.parameters={ instances.rain.params.halfSpread: [0.01, 0.03, 0.2] }',
    ]);
    expect(other).toMatchObject({ headline: 'expected', objective: { name: 'sharpe', unit: '' } });
    const scores = other.rows.slice(0, -1).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.max(...scores.map(Math.abs))).toBeLessThan(5);
  });

  it('agrees with the engine', () => {
    for (const scenario of ['pessimistic', 'expected', 'optimistic'] as const)
      expect(result.profitCorrelation[scenario], scenario).toBeGreaterThan(0.99);
  });

  it('is the engine, fill for fill, where no request comes too late', () => {
    for (const { engine, screen } of result.rows.filter((row) => row.engine !== null))
      for (const scenario of ['pessimistic', 'expected'] as const) {
        expect(screen[scenario]).toBeCloseTo(engine![scenario], 9);
        expect(screen.fills[scenario]).toBe(engine!.fills[scenario]);
      }
  });

  it('is the engine where nothing ever trades near us', () => {
    const far = result.rows.find(({ params }) => params['instances.rain.params.halfSpread'] === 0.2)!;
    expect(far.engine).not.toBeNull();
    expect(far.screen).toEqual(far.engine);
  });

  it.each([
    ['no latency', { feedMs: 0, requestMs: 0, responseMs: 0 }],
    ['answers that overtake the feed', { feedMs: 20, requestMs: 5, responseMs: 5 }],
  ])('is the engine with %s', async (_name, latency) => {
    const { result: other } = await screened(1, [
      `backtest.latency=${JSON.stringify(latency)}`,
      'sweep.parameters={ instances.rain.params.halfSpread: [0.02] }',
    ]);
    const [{ engine, screen }] = other.rows as [ScreenReport['rows'][number]];
    expect(engine!.fills.pessimistic).toBeGreaterThan(0);
    for (const scenario of ['pessimistic', 'expected'] as const) {
      expect(screen[scenario], scenario).toBeCloseTo(engine![scenario], 9);
      expect(screen.fills[scenario]).toBe(engine!.fills[scenario]);
    }
  });

  it.each([
    ['fair values from outside', `backtest.fairValues=${FAIR}`],
    ['limits.taking', 'instances.rain.limits.taking=10'],
  ])('refuses %s, which it does not have', async (what, override) => {
    await expect(screened(1, [override])).rejects.toThrow(`a screen has no ${what}`);
  });
});
