/** Pages of files in Debian's Chromium. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';

/** Whether there is one on this machine. */
export const hasBrowser = (): boolean => existsSync(CHROMIUM);

/** The browser without the requests that it makes of itself. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** A page with everything that the browser complained of and asked for. */
export interface OpenedPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly requests: string[];
}

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** Whether its scripts run; left out: they do. */
  readonly javaScriptEnabled?: boolean;
}

/** @param file with its folder */
export async function openPage(browser: Browser, file: string, look: Look): Promise<OpenedPage> {
  const { width, ...others } = look;
  const page = await browser.newPage({ viewport: { width, height: 900 }, ...others });
  const opened: OpenedPage = { page, complaints: [], requests: [] };
  page.on('console', (message) => opened.complaints.push(message.text()));
  page.on('pageerror', (error) => opened.complaints.push(error.message));
  page.on('request', (request) => opened.requests.push(request.url()));
  await page.goto(`file://${file}`);
  return opened;
}

/**
 * Takes a picture of the whole page, which is not empty. A person who wants to keep pictures names a folder in
 * `ODDSMITH_SCREENSHOTS`.
 * @param folder where it goes otherwise
 */
export async function picture(page: Page, folder: string, name: string): Promise<void> {
  const path = join(process.env['ODDSMITH_SCREENSHOTS'] ?? folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  expect(statSync(path).size).toBeGreaterThan(50_000);
}
