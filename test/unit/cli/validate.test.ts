import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FoundFigure } from '../../../src/analytics/calibration/planted-market.js';
import type { ExperimentRow } from '../../../src/analytics/experiment.js';
import type { InformedOrder, InformedRow } from '../../../src/runs/strategies/informed-takers.js';
import type { GlftDistances } from '../../../src/core/strategy/models/index.js';
import { buildProgram } from '../../../src/cli/program.js';

interface Lmsr {
  readonly prices: number[];
  readonly cost: number;
  readonly bound: number;
  readonly ladder: { readonly shares: number }[];
}
type Coherent = { readonly mu: number[] };

const rowsOf = <Row>(...words: string[]): Promise<Row[]> => linesOf<Row>('validate', ...words);

/** Rows that a command prints as JSON. */
async function linesOf<Row>(...words: string[]): Promise<Row[]> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  await buildProgram(() => undefined).parseAsync([...words, '--json'], { from: 'user' });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
const rounded = (values: readonly number[], digits = 6) =>
  values.map((value) => Number(value.toFixed(digits)));

describe('oddsmith validate', () => {
  afterEach(() => vi.restoreAllMocks());

  it('reproduces the experiment of Avellaneda and Stoikov within its error', async () => {
    const [inventory, symmetric] = await rowsOf<ExperimentRow>('avellaneda-stoikov', '--paths', '4000');
    expect(inventory).toMatchObject({ gamma: 0.1, strategy: 'inventory', paths: 4000, seed: 1 });
    expect(inventory!.published).toEqual({
      meanSpread: 1.49,
      profit: 65,
      stdProfit: 6.6,
      stdFinalInventory: 2.9,
    });
    // Exact moments, and four standard errors of 4,000 paths.
    expect(inventory!.meanSpread).toBeCloseTo(1.4918, 4);
    expect(Math.abs(inventory!.profit - 64.8925)).toBeLessThan((4 * 6.5432) / Math.sqrt(4000));
    expect(Math.abs(inventory!.stdProfit - 6.5432)).toBeLessThan(0.4);
    expect(Math.abs(inventory!.stdFinalInventory - 2.9268)).toBeLessThan(0.2);
    expect(Math.abs(symmetric!.profit - 68.2228)).toBeLessThan((4 * 13.4558) / Math.sqrt(4000));
    expect(Math.abs(symmetric!.stdFinalInventory - 8.3994)).toBeLessThan(0.5);
    expect(symmetric!.published).toBeNull();
  });

  it.each([1, 2, 3])('finds what prints were drawn with, within their own errors: seed %s', async (seed) => {
    const rows = await rowsOf<FoundFigure>('calibration', '--seed', String(seed));
    expect(rows.map(({ figure, planted }) => [figure, planted])).toEqual([
      ['A', 0.2],
      ['k', 60],
      ['xi', 0.012],
      ['edge', 0.01 - 0.012],
      ['edge', 0.02 - 0.012],
      ['edge', 0.03 - 0.012],
      ['edge', 0.04 - 0.012],
    ]);
    for (const { planted, found, error } of rows) {
      expect(Math.abs(found - planted)).toBeLessThan(4 * error!);
      expect(error!).toBeLessThan(0.15 * Math.abs(planted));
    }
  });

  it('puts strategies in the order of the literature before informed takers', async () => {
    const rows = await rowsOf<InformedRow | InformedOrder>(
      'informed-takers',
      '--m',
      '0,0.3',
      '--paths',
      '150',
    );
    const orders = rows.filter((row): row is InformedOrder => 'holds' in row);
    const sure = orders.filter(({ holds }) => holds).map(({ m, better, than }) => `${m} ${better} > ${than}`);
    expect(orders.filter(({ holds }) => holds === false)).toEqual([]);
    expect(sure).toEqual(
      expect.arrayContaining([
        '0 glft > avellaneda-stoikov',
        '0.3 glft-xi > glft',
        '0.3 symmetric + toxicity > symmetric',
        '0.3 avellaneda-stoikov + toxicity > avellaneda-stoikov',
        '0.3 glft + toxicity > glft',
        '0.3 glft-xi + toxicity > glft-xi',
      ]),
    );
    const figures = rows.filter((row): row is InformedRow => 'certaintyEquivalent' in row);
    expect(figures).toHaveLength(16);
    const xi = (m: number) => figures.find((row) => row.m === m)!.xi;
    expect(xi(0)).toBe(0);
    // Jumps of three cents, met by three takers in ten.
    expect(xi(0.3)).toBeGreaterThan(0.01);
    expect(xi(0.3)).toBeLessThan(0.025);
  });

  it('ranks recorded markets by what a quote would have earned', async () => {
    const rows = await linesOf<{
      readonly recording: string;
      readonly earns: boolean;
      readonly distance: number;
    }>('markets', '--edge', 'config/recordings', '--distances', '3');
    expect(rows).toMatchObject([{ recording: 'recordings/synthetic-rain', market: '3001', earns: true }]);
  });

  it('prints the distances of glft and its constants', async () => {
    const rows = await rowsOf<GlftDistances>('glft', '--xi', '1');
    expect(rows.map(({ q }) => q)).toEqual([-3, -2, -1, 0, 1, 2, 3, undefined]);
    expect(rounded([rows[4]!.bid!, rows[4]!.ask!])).toEqual([4.675152, 3.51326]);
    expect(rows[6]!.bid).toBeNull();
    expect(Object.keys(rows[7]!)).toEqual(['eta', 'c', 'R']);
  });

  it('prints the market scoring rule of an event', async () => {
    const [row] = await rowsOf<Lmsr>('lmsr', '.5', '.3', '.2', '--b', '100', '--buy', '40.546511');
    expect(rounded(row!.prices)).toEqual([0.6, 0.24, 0.16]);
    expect(rounded([row!.cost, row!.bound], 4)).toEqual([22.3144, 160.9438]);
    expect(rounded(row!.ladder.map(({ shares }) => shares))).toEqual([4.000533, 4.003737, 4.01016]);
  });

  it('makes probabilities coherent', async () => {
    const [row] = await rowsOf<Coherent>('coherence', '.52', '.33', '.21');
    expect(rounded(row!.mu)).toEqual([0.496148, 0.309249, 0.194603]);
    const [two] = await rowsOf<Coherent>('coherence', '.9', '.8', '.5', '--winners', '2');
    expect(two!.mu.reduce((sum, each) => sum + each, 0)).toBeCloseTo(2, 12);
    await expect(rowsOf('coherence', '.9', '.8', '--winners', '3')).rejects.toThrow('--winners 3: expected');
  });

  it('follows a queue as the models do', async () => {
    const [averse, power] = await rowsOf<{ ahead: number[] }>(
      'queue',
      '140',
      '110',
      't20',
      '80',
      '50',
      't30',
      '15',
    );
    expect(averse!.ahead).toEqual([100, 100, 80, 80, 50, 20, 15]);
    expect(rounded(power!.ahead)).toEqual([
      100, 78.571429, 58.571429, 53.246753, 33.279221, 3.279221, 2.951299,
    ]);
  });

  it('fits an intensity', async () => {
    const list = '0.01,0.02,0.03,0.04,0.05';
    const [row] = await rowsOf(
      'calibration',
      '--distances',
      list,
      '--fills',
      '412,233,138,79,44',
      '--seconds',
      '3600',
    );
    expect(rounded(Object.values(row!), 4)).toEqual([0.1985, 55.3334, 0.0658, 2.8136]);
  });

  it('finds the worst case of each event of a portfolio', async () => {
    const markets = [{ long: 100 }, { short: 50 }, { long: 30 }];
    const order = { side: 'bid', position: 'long', price: 0.2, shares: 10 };
    const file = join(mkdtempSync(join(tmpdir(), 'validate-')), 'portfolio.json');
    const events = [
      { cost: 88.5, markets },
      { cost: 88.5, nonePossible: true, markets: markets.slice(0, 1) },
      { exclusive: false, markets: [{ long: 100, short: 40, cost: 50 }] },
      { cost: 88.5, markets: [markets[0], { ...markets[1], orders: [order] }, markets[2]] },
      { cost: 88.5, markets: [{ ...markets[0], orders: [order] }, ...markets.slice(1)] },
      { exclusive: false, winners: { least: 2, most: 2 }, cost: 88.5, markets },
    ];
    writeFileSync(file, JSON.stringify({ events }));
    // If the second outcome wins, a long order in it gains; one in the first is lost.
    expect(await rowsOf('exposure', '--portfolio', file)).toEqual([
      { worstCase: [-88.5, -88.5, -10, -88.5, -90.5, -58.5] },
    ]);
  });
});
