import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEachReport, writeReport } from '../../src/report/report-files.js';
import { makeFolder } from '../../src/storage/files/whole-files.js';
import { reportOf } from '../../src/report/run-report.js';
import { hasBrowser, openBrowser, type OpenedPage, openPage, picture } from '../support/screen/browser.js';
import { sampleEach } from '../support/report/sample-each.js';
import { sampleReport } from '../support/report/sample-report.js';

const CHARTS = ['profit', 'quotes and fills', 'inventory'] as const;

let browser: Browser | null = null;
let folder = '';

/** The page, with its charts drawn. */
async function open(colorScheme: 'light' | 'dark', width: number): Promise<OpenedPage> {
  const opened = await openPage(browser!, join(folder, 'report.html'), { colorScheme, width });
  for (const chart of CHARTS) await opened.page.waitForSelector(`[data-chart="${chart}"] canvas`);
  return opened;
}

/** As a run says them that was stopped again and again. */
const REMARKS = [
  'strategy instance rain was stopped: Error: at a loss (brittle.ts:10:36) (pessimistic, expected)',
  `stopped by fill-breaker: ${['market 3001', 'market 3002', 'event 300']
    .map(
      (where, at) =>
        `${where} ${at + 2} times from 2026-01-05 12:03:18Z to 2026-01-05 14:4${at}:07Z: 5 fills on the bid within 10 s, limit 4`,
    )
    .join(
      ', and ',
    )} (pessimistic); market 3001 at 2026-01-05 12:03:18Z: 5 fills on the bid within 10 s, limit 4 (expected)`,
  'stopped by drawdown-limit: everywhere at 2026-01-05 12:03:18Z: drawdown limit: fell by 3.00225, limit 3 (pessimistic, expected); everywhere at 2026-01-05 12:09:44Z: drawdown limit: fell by 3.01, limit 3 (optimistic)',
  'made smaller by mark-out-reduced: market 3001 at 2026-01-05 12:01:02Z: 20 fills lost 0.0123 a share within 60 s (pessimistic, expected, optimistic)',
  'not quoted in full, killed: 406.3 s, 67.3 % of the observed time (pessimistic, expected); 290.0 s, 48.1 % of the observed time (optimistic)',
  'not quoted in full, fill-breaker: 61.2 s, 10.1 % of the observed time (pessimistic); 30.0 s, 5.0 % of the observed time (expected)',
];

/** @returns the page of a backtest with much to say */
function guardedReport(): string {
  const below = join(folder, 'guarded');
  makeFolder(below);
  return writeReport(below, { ...sampleReport(), remarks: REMARKS }).page;
}

/** @returns the page of a run without scenarios */
function liveReport(strategies: readonly string[], mode: 'live' | 'paper' = 'live'): string {
  const { title, facts, scenarios } = sampleReport();
  const [run] = scenarios;
  const named = strategies.map((name) => ({ ...run!.total, title: name }));
  const live = { ...run!, scenario: 'live', strategies: named };
  const below = join(folder, [mode, ...strategies].join('-'));
  makeFolder(below);
  return writeReport(below, reportOf({ title, facts, mode, scenarios: [live] })).page;
}

/** Seconds that a chart shows. */
async function shown(page: Page, chart: string): Promise<number> {
  const { from, to } = await page
    .locator(`[data-chart="${chart}"]`)
    .evaluate((box) => ({ from: box.dataset['from'], to: box.dataset['to'] }));
  return Number(to) - Number(from);
}

/** In the page: pixels of the price picture that show nothing but one shade on the card. */
function pixelsOf(shade: string): number {
  const paint = document.createElement('canvas').getContext('2d')!;
  const styles = getComputedStyle(document.documentElement);
  for (const name of ['card', shade]) {
    paint.fillStyle = styles.getPropertyValue(`--${name}`);
    paint.fillRect(0, 0, 1, 1);
  }
  const wanted = paint.getImageData(0, 0, 1, 1).data;
  const canvas = document.querySelector<HTMLCanvasElement>('[data-chart="quotes and fills"] canvas')!;
  paint.canvas.width = canvas.width;
  paint.canvas.height = canvas.height;
  paint.fillStyle = styles.getPropertyValue('--card');
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(canvas, 0, 0);
  const { data } = paint.getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4)
    if ([0, 1, 2].every((part) => Math.abs(data[at + part]! - wanted[part]!) <= 2)) found += 1;
  return found;
}

if (!hasBrowser())
  process.stdout.write('skipped: /usr/bin/chromium is not there, nobody looks at the report\n');

describe.runIf(hasBrowser())('the page of a report, in a browser', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oddsmith-report-'));
    writeReport(folder, sampleReport());
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
    await picture(page, folder, `report-${scheme}-${width}`);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`file://${join(folder, 'report.html')}`]);
    const headings = await page.locator('h2').allTextContents();
    expect(headings).toContain('Quotes and fills over the book');
    expect(await page.locator('svg[aria-label^="attribution"]').count()).toBe(3);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.close();
  });

  it.each([
    ['shows its strategies beside the whole', ['rain', 'cup']],
    ['shows one strategy as the whole, no larger than elsewhere', ['rain']],
  ])('of a run without scenarios %s', async (_, strategies) => {
    const { page } = await openPage(browser!, liveReport(strategies), { colorScheme: 'light', width: 1280 });
    const titles = page.locator('figure:has(svg[aria-label^="attribution"]) h3');
    expect(await titles.allTextContents()).toEqual(['live', ...(strategies.length > 1 ? strategies : [])]);
    for (const box of await page.locator('svg[aria-label^="attribution"]').all())
      expect((await box.boundingBox())!.height).toBeLessThan(320);
    await page.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
    ['dark', 400],
  ] as const)(
    'says what guards did below its figures, over the whole width, in %s, %i wide',
    async (scheme, width) => {
      const { page } = await openPage(browser!, guardedReport(), { colorScheme: scheme, width });
      const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
      const [section, table] = [await boxOf('.headline'), await boxOf('.headline .tablebox')];
      const remarks = await page.locator('.headline .remark').all();
      expect(remarks).toHaveLength(REMARKS.length);
      for (const remark of remarks) {
        const box = (await remark.boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(table.y + table.height);
        expect(box.width).toBeCloseTo(section.width, 0);
      }
      await picture(page, folder, `report-guarded-${scheme}-${width}`);
      await page.close();
    },
  );

  it.each(['light', 'dark'] as const)('shades the depth of both sides in %s', async (scheme) => {
    const { page } = await open(scheme, 1280);
    for (const shade of ['bids-near', 'bids-far', 'asks-near', 'asks-far'])
      expect(await page.evaluate(pixelsOf, shade)).toBeGreaterThan(500);
    await page.close();
  });

  it('stands under the profit of the scenario that is named', async () => {
    const { page } = await open('light', 1280);
    const { headline } = sampleReport();
    const text = (await page.locator('.headline .figure').textContent()) ?? '';
    expect(Number(text.replace('−', '-').replaceAll(/[^\d.-]/g, ''))).toBeCloseTo(headline.profit, 2);
    expect(await page.locator('.headline .what').textContent()).toContain(headline.scenario);
    await page.close();
  });

  it('zooms by dragging, by the wheel and by keys, prices and inventory together, and back', async () => {
    const { page } = await open('light', 1280);
    const chart = page.locator('[data-chart="quotes and fills"]');
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    const [whole, y] = [await shown(page, 'quotes and fills'), box.y + box.height / 2];
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
    await page.mouse.up();
    const dragged = await shown(page, 'quotes and fills');
    expect(dragged).toBeLessThan(whole * 0.3);
    expect(await shown(page, 'inventory')).toBeCloseTo(dragged, 6);
    await picture(page, folder, 'report-zoomed');
    await page.mouse.wheel(0, -100);
    await expect.poll(() => shown(page, 'quotes and fills')).toBeLessThan(dragged);
    await chart.focus();
    await page.keyboard.press('0');
    expect(await shown(page, 'quotes and fills')).toBeCloseTo(whole, 6);
    await page.keyboard.press('+');
    expect(await shown(page, 'quotes and fills')).toBeLessThan(whole);
    await page.close();
  });

  it('changes its colours, and its market, at a press', async () => {
    const { page, complaints } = await open('light', 1280);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await background()).not.toBe(light);
    const caption = page.locator('figure:has([data-chart="inventory"]) figcaption');
    const before = await caption.textContent();
    await page.getByRole('combobox', { name: 'Market' }).selectOption({ index: 2 });
    expect(await caption.textContent()).not.toBe(before);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('sorts a table by a press on a column, by the mouse and by the keyboard, and the other way', async () => {
    const { page, complaints } = await open('light', 1280);
    const table = page.getByRole('region', { name: 'By market', exact: true });
    const profits = async () =>
      (await table.locator('tbody td:nth-child(2)').allTextContents()).map((text) =>
        Number(text.replace('−', '-').replace('+', '')),
      );
    const before = await profits();
    const downwards = before.toSorted((one, other) => other - one);
    expect(before).not.toEqual(downwards);
    await table.getByRole('button', { name: 'profit' }).click();
    expect(await profits()).toEqual(downwards);
    await page.keyboard.press('Enter');
    expect(await profits()).toEqual(downwards.toReversed());
    expect(await table.locator('th[aria-sort="ascending"]').textContent()).toContain('profit');
    await table.getByRole('button', { name: 'market' }).focus();
    await page.keyboard.press('Space');
    const names = await table.locator('tbody th').allTextContents();
    expect(names).toEqual(names.toSorted());
    expect(await table.locator('th[aria-sort]').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('can be read where no script runs, but for the pictures over time', async () => {
    const look = { colorScheme: 'light', width: 1280 } as const;
    const file = join(folder, 'report.html');
    const [still, live] = [
      await openPage(browser!, file, { ...look, javaScriptEnabled: false }),
      await openPage(browser!, file, look),
    ];
    for (const selector of ['.headline', 'table', 'dl.facts', 'svg[aria-label^="attribution"]'])
      expect(await still.page.locator(selector).allTextContents()).toEqual(
        await live.page.locator(selector).allTextContents(),
      );
    expect(await still.page.locator('table').count()).toBeGreaterThan(5);
    await picture(still.page, folder, 'report-still');
    await Promise.all([still.page.close(), live.page.close()]);
  });

  it('says PAPER over the report of a paper run', async () => {
    const file = liveReport(['rain'], 'paper');
    const { page } = await openPage(browser!, file, { colorScheme: 'light', width: 1280 });
    expect(await page.locator('.eyebrow').textContent()).toBe('Oddsmith · PAPER run');
    await page.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)(
    'of each recording sorts its rows and leads to their runs, in %s, %i wide',
    async (scheme, width) => {
      const below = join(folder, 'each');
      makeFolder(below);
      const file = writeEachReport(below, sampleEach());
      const { page, complaints, requests } = await openPage(browser!, file, { colorScheme: scheme, width });
      await picture(page, folder, `each-${scheme}-${width}`);
      const table = page.getByRole('region', { name: 'By recording' });
      await table.getByRole('button', { name: 'pessimistic' }).click();
      const instances = await table.locator('tbody td:nth-child(2)').allTextContents();
      expect(new Set(instances.slice(0, 5)).size).toBe(1);
      expect(await table.locator('a').first().getAttribute('href')).toMatch(/^\.\.\/bt-\w+-0\/report\.html$/);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([`file://${file}`]);
      await page.close();
    },
  );

  it('shows texts of the run as texts', async () => {
    const { page } = await open('light', 1280);
    expect(await page.locator('dd').allTextContents()).toContain(
      'invented <script>alert(1)</script> & drawn',
    );
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).not.toContain('<script>alert');
    await page.close();
  });
});
