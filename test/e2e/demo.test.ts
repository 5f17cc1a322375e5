import { describe, expect, it } from 'vitest';
import { type SummaryLine, lineOf } from '../support/screen/demo.js';
import { ROOT } from '../support/project/small-house.js';
import { openTerminal } from '../support/screen/terminal.js';

const READY = /^\{"event":"ready".*\}\s*$/m;

/** The bot quoted, traded, and withdrew everything. */
function expectCleanRun({ ordersPlaced, fills, ordersOpen }: SummaryLine): void {
  expect(ordersPlaced).toBeGreaterThan(0);
  expect(fills).toBeGreaterThan(0);
  expect(ordersOpen).toBe(0);
}

/** Resolves once orders were created: only then a stop has something to withdraw. */
async function quotes(metrics: string): Promise<void> {
  await expect
    .poll(async () => (await fetch(metrics)).text(), { timeout: 20_000, interval: 200 })
    .toMatch(/^oddsmith_orders_created_total [1-9]/m);
}

describe('npm start', () => {
  it('makes a market for the time given, withdraws and exits 0', async () => {
    const terminal = openTerminal('npm start -- --for 20s --json', ROOT);
    await terminal.shows(READY);
    const { urls } = lineOf(terminal.output(), 'ready');
    const [health, metrics] = await Promise.all([fetch(urls.health), fetch(urls.metrics)]);
    expect(health.status).toBe(200);
    expect(await metrics.text()).toMatch(/^oddsmith_/m);
    expect(await terminal.exit).toBe(0);
    expectCleanRun(lineOf(terminal.output(), 'summary'));
    expect(terminal.leftovers()).toEqual([]);
  });

  it.each([
    ['Ctrl-C, which npm doubles', (terminal: ReturnType<typeof openTerminal>) => terminal.press('\x03')],
    ['SIGTERM to npm', (terminal: ReturnType<typeof openTerminal>) => terminal.signal('SIGTERM')],
  ])('withdraws and exits 0 on %s', async (_signal, stop) => {
    const terminal = openTerminal('npm start -- --json', ROOT);
    await terminal.shows(READY);
    await quotes(lineOf(terminal.output(), 'ready').urls.metrics);
    stop(terminal);
    expect(await terminal.exit).toBe(0);
    expect(lineOf(terminal.output(), 'summary').ordersOpen).toBe(0);
    expect(terminal.leftovers()).toEqual([]);
  });
});
