/** The page of a sweep, looked at in a real browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenPage, sweepPage } from '../../src/report/html.js';
import { hasBrowser, openBrowser, type OpenedPage, openPage, picture } from '../support/screen/browser.js';
import { sampleScreen } from '../support/report/sample-screen.js';
import { sampleSweep } from '../support/report/sample-sweep.js';

const MAP = '[data-chart="heat map"]';

let browser: Browser | null = null;
let folder = '';
const report = sampleSweep();

/** The page, whole. */
async function open(
  colorScheme: 'light' | 'dark' = 'light',
  width = 1280,
  name = 'sweep',
): Promise<OpenedPage> {
  const opened = await openPage(browser!, join(folder, `${name}.html`), { colorScheme, width });
  await opened.page.waitForSelector('footer');
  return opened;
}

const REMARK = 'nothing was chosen in any test: every configuration failed in training';
const FAULT = { text: 'rain was stopped: </script><img src=x onerror="alert(1)"> & more', backtests: 4 };

const unchosen = (fold: (typeof report.folds)[number]): (typeof report.folds)[number] => ({
  ...fold,
  chosen: null,
  trainProfit: null,
  testProfit: null,
});

const numbersIn = (texts: readonly string[]): readonly number[] =>
  texts.map((text) => Number(text.replace('−', '-').replace('+', '')));

if (!hasBrowser())
  process.stdout.write('skipped: /usr/bin/chromium is not there, nobody looks at the page of a sweep\n');

describe.runIf(hasBrowser())('the page of a sweep, in a browser', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oddsmith-sweep-'));
    writeFileSync(join(folder, 'sweep.html'), sweepPage(report));
    const one = { ...report, parameters: report.parameters.slice(0, 1) };
    writeFileSync(join(folder, 'one.html'), sweepPage({ ...one, title: '<script>alert(1)</script> & more' }));
    const failed = { ...report, folds: report.folds.map(unchosen), remarks: [REMARK], faults: [FAULT] };
    const ranking = report.ranking.map((row) => ({ ...row, meanTrainRank: null, timesChosen: 0 }));
    const outOfSample = { ...report.outOfSample, profit: null, base: null, events: [] };
    writeFileSync(join(folder, 'failed.html'), sweepPage({ ...failed, ranking, outOfSample }));
    writeFileSync(join(folder, 'screen.html'), screenPage(sampleScreen(0.97)));
    writeFileSync(join(folder, 'doubtful.html'), screenPage(sampleScreen(0.85)));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
    ['dark', 400],
  ] as const)('shows everything in %s, %i wide, without a complaint or a request', async (scheme, width) => {
    const { page, complaints, requests } = await open(scheme, width);
    await picture(page, folder, `sweep-${scheme}-${width}`);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`file://${join(folder, 'sweep.html')}`]);
    expect(await page.locator('h2').allTextContents()).toEqual([
      'Ranking',
      'Any two parameters',
      'Stability across splits',
      'Chosen against the file as it is',
      'What it rests on',
    ]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.close();
  });

  it('stands under what the choices of training came to, and says that few events show nothing', async () => {
    const { page } = await open();
    const text = (await page.locator('.headline .figure').textContent()) ?? '';
    expect(numbersIn([text.replace('OOM', '')])[0]).toBeCloseTo(report.outOfSample.profit!, 2);
    const said = (await page.locator('.headline').textContent()) ?? '';
    for (const part of ['no conclusion', '40', '+1.50 to +6.50']) expect(said).toContain(part);
    expect(await page.locator('main').textContent()).toContain(
      'fewer than 30 independent events show nothing',
    );
    await page.close();
  });

  it('ranks by training', async () => {
    const { page } = await open();
    const rows = page.locator('[aria-label^="Ranking"] tbody tr');
    expect(await rows.count()).toBe(report.ranking.length);
    const best = report.candidates[report.ranking[0]!.candidate]!.values.map(String);
    const cells = await rows.first().locator('td').allTextContents();
    expect(cells.slice(0, 3)).toEqual(best);
    expect(numbersIn([cells[3]!])[0]).toBeCloseTo(report.ranking[0]!.testProfit, 2);
    await page.close();
  });

  it('shows any two parameters as means over the others', async () => {
    const { page } = await open();
    await page.getByRole('combobox', { name: 'Across' }).selectOption({ label: report.parameters[1]! });
    await page.getByRole('combobox', { name: 'Down' }).selectOption({ label: report.parameters[2]! });
    const texts = await page.locator(`${MAP} text.value`).allTextContents();
    const expected = ['power', 'risk-averse'].flatMap((queue) =>
      [10, 20, 50].map((shares) => ({ queue, shares })),
    );
    const rows = (await page.locator(`${MAP} svg > text`).allTextContents()).filter((text) =>
      /^(power|risk)/.test(text),
    );
    const order = rows.flatMap((queue) => expected.filter((cell) => cell.queue === queue));
    const means = order.map(({ queue, shares }) => {
      const own = report.ranking.filter(({ candidate }) => {
        const { values } = report.candidates[candidate]!;
        return values[1] === shares && values[2] === queue;
      });
      return own.reduce((sum, { testProfit }) => sum + testProfit, 0) / own.length;
    });
    numbersIn(texts).forEach((shown, at) => expect(shown).toBeCloseTo(means[at]!, 2));
    expect(texts).toHaveLength(6);
    expect(await page.locator(`${MAP} figcaption`).textContent()).toContain('whatever their halfSpread');
    await picture(page, folder, 'sweep-two-lists');
    await page.getByRole('combobox', { name: 'Shows' }).selectOption({ label: 'rank in training' });
    await page.getByRole('combobox', { name: 'Down' }).selectOption({ label: 'nothing' });
    expect(await page.locator(`${MAP} text.value`).count()).toBe(3);
    await page.close();
  });

  it('shows what is behind a cell: its configurations, one piece by piece, and the command for every fill', async () => {
    const { page, complaints } = await open();
    await page.getByRole('combobox', { name: 'Across' }).selectOption({ label: report.parameters[1]! });
    await page.getByRole('combobox', { name: 'Down' }).selectOption({ label: report.parameters[2]! });
    const cell = page.locator(`${MAP} rect[aria-label^="20, power"]`);
    const own = report.ranking.filter(({ candidate }) => {
      const { values } = report.candidates[candidate]!;
      return values[1] === 20 && values[2] === 'power';
    });
    await cell.focus();
    await page.keyboard.press('Enter');
    const behind = page.locator('[aria-label^="Behind 20, power"] tbody tr');
    expect(await behind.count()).toBe(own.length);
    const first = report.candidates[own[0]!.candidate]!;
    const pieces = page.locator('[aria-label^="Piece by piece"] tbody tr');
    expect(await pieces.count()).toBe(report.pieces.length);
    const fills = await pieces.first().locator('td').nth(3).textContent();
    expect(Number(fills)).toBe(first.fills[0]![0]);
    expect(await page.locator('.command').textContent()).toBe(
      `oddsmith backtest sweep.yaml --set '${report.parameters[0]}=${first.values[0]}' --set '${report.parameters[1]}=20' --set '${report.parameters[2]}="power"'`,
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('states in its first lines the objective and the best, deflated, and shows the best among its neighbours', async () => {
    const { page } = await open();
    expect(await page.locator('.masthead').textContent()).toContain('Ranked by profit, pessimistic scenario');
    const { score, deflated } = report.best!;
    const said = (await page.locator('[data-figure="best"]').textContent()) ?? '';
    expect(said).toContain('Deflated for 40 configurations tried');
    expect(numbersIn(said.match(/[+−][\d.]+(?= OOM)/g)!).slice(0, 2)).toEqual(
      [score, deflated].map((value) => Number(value.toFixed(2))),
    );
    const rows = page.locator('[aria-label="The best and its neighbours"] tbody tr');
    expect(await rows.count()).toBe(9);
    expect(await rows.first().getAttribute('class')).toBe('chosen');
    expect(await page.locator(`${MAP} rect[stroke-width="3"]`).count()).toBe(1);
    await page.close();
  });

  it('shows the rank of each configuration in each test, and which one was chosen', async () => {
    const { page } = await open();
    const map = page.locator('[data-chart="stability"]');
    expect(await map.locator('rect').count()).toBe(15 * report.folds.length);
    const first = report.folds.filter(({ chosen }) =>
      report.ranking.slice(0, 15).some(({ candidate }) => candidate === chosen),
    );
    expect(await map.locator('circle').count()).toBe(first.length);
    const said = (await page.locator('[data-figure="stability"]').textContent()) ?? '';
    expect(said).toMatch(/different configurations? in \d+ tests\. .* correlate by −?\d\.\d\d/);
    await page.close();
  });

  it('says where nothing was chosen, and shows what stopped strategies as text', async () => {
    const { page, complaints } = await open('light', 1280, 'failed');
    await picture(page, folder, 'sweep-failed');
    expect(await page.locator('.headline .what').allTextContents()).toContain(`${REMARK}.`);
    expect(await page.locator('.headline .figure').textContent()).toMatch(/^–/);
    const faults = page.locator('[aria-label="Faults"] tbody tr');
    expect(await faults.locator('th').allTextContents()).toEqual([FAULT.text]);
    expect(await page.locator('img').count()).toBe(0);
    const tests = page.locator('[aria-label="Every test"] tbody tr');
    expect(await tests.first().textContent()).toContain('nothing: all failed in training');
    expect(await page.locator('[data-chart="stability"] circle').count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'Shows' }).textContent()).not.toContain('in training');
    const text = (await page.locator('main').textContent()) ?? '';
    for (const none of ['NaN', 'null', 'undefined']) expect(text).not.toContain(none);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('of a screen shows screen beside engine, with correlations, and what is behind a cell', async () => {
    const { page, complaints } = await open('dark', 400, 'screen');
    await picture(page, folder, 'screen-dark-400');
    expect(await page.locator('.masthead').textContent()).toContain(
      '40 configurations screened on 12 pieces',
    );
    expect(await page.locator('[data-figure="best"]').textContent()).toContain(
      'Deflated for 40 configurations screened',
    );
    const both = page.locator('[aria-label="Confirmed by the engine"] tbody tr');
    expect(await both.locator('th').allTextContents()).toEqual(['1', '2', '3', '4', '5', 'file']);
    expect(await both.nth(2).locator('td').nth(7).textContent()).toBe('+24.00');
    expect(await page.locator('[aria-label="Screen and engine"]').textContent()).toContain('0.970');
    expect(await page.locator('[data-figure="doubt"]').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Shows' }).selectOption({ label: 'profit by the engine' });
    const shown = await page.locator(`${MAP} text.value`).count();
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThanOrEqual(5);
    await page.locator(`${MAP} rect.cell`).first().click();
    expect(await page.locator('.command').count()).toBe(1);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.close();
    const doubtful = await open('light', 1280, 'doubtful');
    expect(await doubtful.page.locator('[data-figure="doubt"]').textContent()).toContain('Do not trust');
    await doubtful.page.close();
  });

  it('changes its colours at a press, and shows texts as texts, with one parameter, too', async () => {
    const { page, complaints } = await open('light', 1280, 'one');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await background()).not.toBe(light);
    expect(await page.locator('h1').textContent()).toBe('<script>alert(1)</script> & more');
    expect(readFileSync(join(folder, 'one.html'), 'utf8')).not.toContain('<script>alert');
    expect(await page.locator(`${MAP} rect`).count()).toBe(8);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
