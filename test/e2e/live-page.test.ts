/** The page of a running bot, in a real browser. */
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MarketRowJson, StatusJson } from '../../src/ops/http/contract.js';
import { startListener } from '../../src/ops/http/listener.js';
import { toldApi } from '../support/bot/told-api.js';
import { bookOf, eventOf, historyOf, marketsOf, profitOf, statusOf } from '../support/screen/page-data.js';
import { hasBrowser, openBrowser, picture } from '../support/screen/browser.js';

const TOKEN = '0123456789abcdef';
const MARKETS = 1_000;

let browser: Browser | null = null;
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oddsmith-page-'));
  if (hasBrowser()) browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A bot with a thousand markets, as far as its page sees it. */
async function startBot() {
  const rows = new Map(marketsOf(MARKETS).map((row) => [row.marketId, row]));
  const changed: string[] = [];
  let status: StatusJson = statusOf(MARKETS);
  const { api, told } = toldApi({
    status: () => status,
    markets: () => [...rows.values()],
    row: (id) => rows.get(id) ?? null,
    changed: () => changed.splice(0),
    market: (id) => bookOf(rows.get(id)!),
    history: () => historyOf(status.now),
    profit: () => profitOf(status.now),
    event: (id) => eventOf(id, [...rows.values()]),
    orders: () => bookOf(rows.get('1')!).orders,
    alarms: () => [{ code: 'journal', text: 'the disk is full', acknowledged: null }],
  });
  const commands = { token: TOKEN, kill: () => undefined, resume: () => true, fairValues: () => null };
  const listen = (port: number) =>
    startListener({
      host: '127.0.0.1',
      port,
      metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
      readiness: () => ({ ready: true, reasons: [] }),
      commands,
      secret: 'of-this-run-alone',
      api,
    });
  let listener = await listen(0);
  onTestFinished(() => listener.close());
  const { url } = listener;
  return {
    url,
    told,
    change: (id: string, changes: Partial<MarketRowJson>) => {
      rows.set(id, { ...rows.get(id)!, ...changes });
      changed.push(id);
    },
    say: (changes: Partial<StatusJson>) => (status = { ...status, ...changes }),
    stop: () => listener.close(),
    startAgain: async () => (listener = await listen(Number(new URL(url).port))),
  };
}

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

async function open(url: string, { width = 1_300, colorScheme = 'light' }: Look = {}) {
  const page = await browser!.newPage({ viewport: { width, height: 900 }, colorScheme });
  onTestFinished(() => page.close());
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  await page.waitForSelector('.figures');
  return { page, complaints, requests };
}

/** In the page: the least contrast of a text with what is behind it, and which it is. */
function leastContrast(): { readonly ratio: number; readonly text: string } {
  const parts = (color: string): readonly number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = (color: readonly number[]): number =>
    color
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at]!, 0);
  const behind = (element: Element | null): readonly number[] => {
    if (element === null) return [255, 255, 255];
    const color = parts(getComputedStyle(element).backgroundColor);
    return color.length === 4 && color[3] !== 1 ? behind(element.parentElement) : color;
  };
  let least = { ratio: Infinity, text: '' };
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim() !== '',
    );
    const style = getComputedStyle(element);
    if (!text || style.visibility === 'hidden' || element.closest('.skip, .sr, dialog, canvas') !== null)
      continue;
    const [a, b] = [light(parts(style.color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least.ratio) least = { ratio, text: element.textContent ?? '' };
  }
  return least;
}

/** Looks again until it is so; a busy machine takes its time. */
function soon<Value>(look: () => Value | Promise<Value>) {
  return expect.poll(look, { timeout: 10_000 });
}

const rowsOf = (page: Page) => page.locator('tr[data-at]');

describe.skipIf(!hasBrowser())('the page of a running bot', { timeout: 60_000 }, () => {
  it('shows the overview, says PAPER, asks for nothing from elsewhere, and complains of nothing', async () => {
    const bot = await startBot();
    const { page, complaints, requests } = await open(bot.url);
    await page.waitForSelector('[data-chart="profit"] canvas');
    expect(await page.locator('.mode').textContent()).toBe('PAPER');
    expect(await page.title()).toContain('PAPER');
    expect(await page.getByRole('alert').first().textContent()).toContain('the disk is full');
    await page.goto(`${bot.url}/#/market/1`);
    await page.waitForSelector('[data-chart="book, quotes and fills"] canvas');
    expect(await page.locator('.ladder .mine').count()).toBe(2);
    expect(await page.locator('.ladder').textContent()).toContain('≤ 30 ahead');
    await page.locator('summary').first().click();
    expect(await page.locator('.steps').first().textContent()).toContain('half-spread');
    await picture(page, folder, 'live-market');
    expect(complaints).toEqual([]);
    expect(requests.filter((one) => !one.startsWith(`${bot.url}/`))).toEqual([]);
  });

  it.each([
    ['light', 1_300],
    ['dark', 1_300],
    ['light', 390],
  ] as const)('can be read: %s, %d pixels wide', async (colorScheme, width) => {
    const bot = await startBot();
    const { page } = await open(bot.url, { colorScheme, width });
    for (const path of ['', 'markets', 'market/1', 'event/10', 'orders', 'config']) {
      await page.goto(`${bot.url}/#/${path}`);
      await page.waitForSelector('main :is(table, .figures, pre, details)');
      const { ratio, text } = await page.evaluate(leastContrast);
      expect(ratio, `${path}: ${text}`).toBeGreaterThanOrEqual(4.5);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });

  it('draws few of a thousand rows, finds, filters and sorts them, and follows what changes', async () => {
    const bot = await startBot();
    const { page } = await open(bot.url);
    await page.keyboard.press('2');
    await page.waitForSelector('table[aria-rowcount="1001"]');
    expect(await rowsOf(page).count()).toBeLessThan(80);
    await page.keyboard.press('/');
    await page.keyboard.type('outcome 777');
    await soon(() => rowsOf(page).count()).toBe(1);
    expect(await rowsOf(page).textContent()).toContain('Outcome 777');
    bot.change('777', { profit: 123.45 });
    await soon(() => rowsOf(page).textContent()).toContain('+123.45');
    await page.locator('#search').fill('');
    await page.getByRole('combobox').selectOption('with a position');
    await soon(() => page.locator('output').textContent()).toBe('100 of 1000');
    await page.getByRole('combobox').selectOption('all markets');
    await page.getByRole('button', { name: 'Profit' }).click();
    await page.getByRole('button', { name: 'Profit' }).click();
    await soon(() => rowsOf(page).first().textContent()).toContain('Outcome 777');
    expect(await page.locator('th[aria-sort="descending"]').textContent()).toBe('Profit');
  });

  it('is walked through by the keyboard', async () => {
    const bot = await startBot();
    const { page } = await open(bot.url);
    await page.keyboard.press('2');
    await page.waitForSelector('tr[data-at]');
    await rowsOf(page).first().locator('a').first().focus();
    for (let down = 0; down < 45; down += 1) await page.keyboard.press('ArrowDown');
    await soon(() => page.evaluate(() => document.activeElement?.closest('tr')?.dataset['at'])).toBe('45');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.ladder');
    expect(page.url()).toMatch(/#\/market\/\d+$/);
  });

  it('asks before it acts, takes the token once, and says what was done', async () => {
    const bot = await startBot();
    const { page, complaints } = await open(`${bot.url}/#/`);
    await page.getByRole('button', { name: 'Kill' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token').fill('another token that is wrong');
    await dialog.getByRole('button', { name: 'Kill' }).click();
    await soon(() => dialog.getByRole('alert').textContent()).toContain('Bearer');
    expect(bot.told).toEqual([]);
    await dialog.getByLabel('Token').fill(TOKEN);
    await dialog.getByRole('button', { name: 'Kill' }).click();
    await soon(() => page.getByRole('status').textContent()).toContain('done: kill');
    await page.goto(`${bot.url}/#/market/1`);
    await page.getByRole('button', { name: 'Widen' }).click();
    expect(await dialog.getByLabel('Token').count()).toBe(0);
    await dialog.getByLabel('Ticks').fill('3');
    await page.keyboard.press('Enter');
    await soon(() => bot.told.length).toBe(2);
    expect(bot.told).toMatchObject([
      { action: 'kill', scope: {} },
      { action: 'widen', scope: { market: '1' }, ticks: 3 },
    ]);
    const kept = await page.evaluate(() =>
      JSON.stringify([localStorage.length, sessionStorage.length, document.cookie]),
    );
    expect(kept).toBe('[0,0,""]');
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('says that the bot is away, and finds it again', async () => {
    const bot = await startBot();
    const { page } = await open(bot.url);
    await bot.stop();
    await page.waitForSelector('.banner');
    expect(await page.locator('.banner').textContent()).toContain('does not answer');
    bot.say({ runId: 'another-run', profit: { OOM: 77 } });
    await bot.startAgain();
    await soon(() => page.locator('.banner').count()).toBe(0);
    await soon(() => page.locator('.earned').textContent()).toContain('+77.00');
  });
});
