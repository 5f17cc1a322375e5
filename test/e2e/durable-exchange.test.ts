/**
 * SIGKILL on a loaded exchange with a data folder. More rounds than the five of every run, with their totals:
 *
 *   ODDSMITH_CRASH_ROUNDS=50 npm run test:e2e -- durable-exchange
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashRun } from '../support/crash/crash-run.js';
import { ExchangeProcesses } from '../support/crash/exchange-process.js';
import { OrderLoad } from '../support/crash/order-load.js';

const ROUNDS = Number(process.env['ODDSMITH_CRASH_ROUNDS'] ?? 5);
const ROUND_MS = 60_000;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'durable-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('an exchange with a data folder', () => {
  it(
    'comes back after every SIGKILL with each acknowledged order once, each cancel, and a ledger of zero',
    async () => {
      const totals = await crashRun(dir, ROUNDS);
      process.stdout.write(`${JSON.stringify(totals)}\n`);
      expect(totals).toMatchObject({
        kills: ROUNDS,
        ordersLost: 0,
        ordersDuplicated: 0,
        cancelsLost: 0,
        answersDiffering: 0,
        sumsNotZero: 0,
      });
      expect(totals.ordersAcknowledged).toBeGreaterThan(10 * ROUNDS);
    },
    ROUND_MS * (ROUNDS + 1),
  );

  it('makes snapshots by itself, keeps two, and starts from the one before when the newest is damaged', async () => {
    const processes = new ExchangeProcesses(dir, 20);
    const exchange = await processes.start();
    const load = new OrderLoad();
    const running = load.run(exchange.rest);
    const snapshots = () =>
      readdirSync(processes.dataDir).filter((name) => /^snapshot-\d+\.ndjson$/.test(name));
    await expect.poll(() => snapshots().length, { timeout: ROUND_MS }).toBe(2);
    await exchange.end('SIGKILL');
    await running;
    writeFileSync(join(processes.dataDir, snapshots().toSorted().at(-1)!), 'nothing of use\n');
    const again = await processes.start();
    expect(await load.repeatAll(again.rest)).toBe(0);
    expect(Number(await again.ledgerSum())).toBe(0);
    expect(await again.end('SIGTERM')).toBe(0);
  });

  it('lets no second process into its folder, and says which one has it', async () => {
    const processes = new ExchangeProcesses(dir, 20);
    const exchange = await processes.start();
    await expect(processes.start()).rejects.toThrow(/process \d+ already runs it/);
    expect(await exchange.end('SIGTERM')).toBe(0);
  });
});
