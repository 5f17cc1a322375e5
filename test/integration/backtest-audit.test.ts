/** The figures of a backtest against the recording and the table of its fills, counted without any of their code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { readReport } from '../../src/report/report-files.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';

const MAKER = -0.0007;
const START = 1_767_614_400_000;

/** A market that moves further within the latency than quotes stand away: what was to rest takes, several levels at once. */
function recording(): string {
  const head = { event: 300, market: 3001 };
  const lines: object[] = [{ t: START, type: 'status', ...head, status: 'open', resolution: null }];
  for (let step = 0; step < 300; step++) {
    const t = START + step * 700;
    const mid = 50 + Math.round(14 * Math.sin(step / 4));
    const levels = (sign: number) => [2, 3, 4].map((gap) => [(mid + sign * gap) / 100, 12 + (step % 5)]);
    const side = step % 2 === 0 ? 'bid' : 'ask';
    const price = (mid + (side === 'bid' ? 2 : -2)) / 100;
    lines.push({ t: t + 1, type: 'book', ...head, bid: levels(-1), ask: levels(1) });
    for (const shares of [3, 4.5])
      lines.push({ t: t + 400, type: 'trade', ...head, price, shares, taker_side: side });
  }
  lines.push({ t: START + 220_000, type: 'status', ...head, status: 'resolved', resolution: 'long' });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const CONFIG = `
seed: 7
exchange:
  accounts: [{ id: 1, username: a, publicKey: k, privateKey: p, balances: { OOM: '1000' } }]
  fees: { play_money: { taker: '0.003', maker: '${MAKER}' } }
events: [{ id: 300, markets: [{ id: 3001 }] }]
instances:
  - name: rain
    strategy: fixed-spread
    markets: [3001]
    params: { halfSpread: '0.01', shares: 20, levels: 3, maxInventory: 200 }
    limits: { maxPositionShares: 500, maxEventLoss: 500 }
backtest:
  recordings: [audit.ndjson]
  balance: '1000'
  latency: { feedMs: 300, requestMs: 500, responseMs: 400 }
`;

interface Row {
  readonly scenario: string;
  readonly time: number;
  /** +1 bought long or sold short. */
  readonly direction: number;
  /** Of the long side. */
  readonly amount: number;
  readonly fee: number;
  readonly shares: number;
}

async function audited() {
  const folder = scratchFolder();
  const file = join(folder, 'audit.yaml');
  writeFileSync(file, CONFIG);
  writeFileSync(join(folder, 'audit.ndjson'), recording());
  const result = await runBacktest({ ...loadBotSettings(file, {}), out: folder });
  const written = join(folder, result.runId);
  const [head, ...lines] = readFileSync(join(written, 'report-fills.csv'), 'utf8').trim().split('\n');
  const names = head!.split(',');
  const rows = lines.map((line): Row => {
    const cells = Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell]));
    const isLong = cells['position'] === 'long';
    const shares = Number(cells['shares']);
    // A row without shares corrects what fills of its order cost.
    const amount = isLong ? Number(cells['amount']) : shares - Number(cells['amount']);
    return {
      scenario: cells['scenario']!,
      time: Date.parse(cells['bot_time']!),
      direction: (cells['side'] === 'bid') === isLong ? 1 : -1,
      amount,
      fee: Number(cells['fee']),
      shares,
    };
  });
  return { result, report: readReport(written), rows };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('a backtest in which orders rest and take', () => {
  it('comes to what its fills come to at the outcome', async () => {
    const { result, report, rows } = await audited();
    for (const [index, { scenario, total }] of report.scenarios.entries()) {
      const fills = rows.filter((row) => row.scenario === scenario);
      const taken = total.fills.shares * (1 - total.fills.makerShare!);
      expect(taken).toBeGreaterThan(30);
      const { fees, rebates, spread, inventory, resolution } = total.profit;
      const gross = sum(fills.map(({ direction, amount, shares }) => direction * (shares - amount)));
      expect(sum(fills.map(({ fee }) => fee))).toBeCloseTo(total.profit.fees - total.profit.rebates, 6);
      expect(gross - fees + rebates).toBeCloseTo(total.profit.total, 6);
      expect(total.profit.total).toBeCloseTo(result.scenarios[index]!.profit, 6);
      expect(spread + inventory + resolution - fees + rebates).toBeCloseTo(total.profit.total, 9);
      expect(total.markOuts.at(-1)!.profit).toBeCloseTo(gross, 6);
      expect(rebates).toBeCloseTo(-MAKER * (total.fills.shares - taken), 4);
      const { byKind } = report.scenarios[index]!.requests;
      const named = ['create-orders', 'replace-orders', 'cancel-orders'].map((kind) => byKind[kind] ?? 0);
      expect(total.sent.requests).toBe(sum(named));
      expect(fills.filter(({ shares }) => shares > 0).length).toBe(total.fills.count);
      expect(result.scenarios[index]!.fills).toBe(total.fills.count);
    }
  });
});
