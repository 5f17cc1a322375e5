import { describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../../../src/exchange/contract.js';
import { audit } from '../../support/exchange/auditor.js';
import {
  CoreRun,
  FLOW_ACCOUNTS,
  FLOW_MARKET,
  flowAccount,
  flowConfig,
  flowTick,
} from '../../support/exchange/core-flow.js';
import { CORE_TOTALS, coreTotals } from '../../support/exchange/core-totals.js';
import { SlowCoreRun } from '../../support/exchange/slow-core-run.js';
import type { Ofw1Name } from '../../support/matching/ofw1.js';
import { OFW1_CASES, recordOfw1 } from '../../support/matching/ofw1.js';

/** `OFW1_OPERATIONS=1000000` holds whole workloads against the slow core, `deep` at most 50,000 of them. */
const OPERATIONS = Number(process.env['OFW1_OPERATIONS'] ?? 10_000);
const names = Object.keys(OFW1_CASES) as Ofw1Name[];

/** Trades as price, shares and accounts: the two number their orders differently. */
function tradesOf(events: readonly ExchangeEvent[], tick: number): unknown[] {
  return events.flatMap((event) =>
    event.kind === 'trade'
      ? [[event.taker.account, event.maker.account, event.price / tick, event.shares]]
      : [],
  );
}

describe('the order-flow workload OFW1 through the whole core', () => {
  it.each(names)('%s gives the trades and the money of the slow core', { timeout: 1_200_000 }, (name) => {
    const flow = OFW1_CASES[name];
    const count = name === 'deep' ? Math.min(OPERATIONS, 50_000) : OPERATIONS;
    const tape = recordOfw1(flow, count);
    const fast = new CoreRun(flow, tape);
    const slow = new SlowCoreRun(flow, tape);
    for (let at = 0; at < count; at++) {
      const trades = tradesOf(fast.step(at), flowTick(flow));
      const expected = slow
        .step(at)
        .map(({ taker, maker, tick, shares }) => [flowAccount(taker), flowAccount(maker), tick, shares]);
      if (trades.length === 0 && expected.length === 0) continue;
      expect(trades, `operation ${at}`).toEqual(expected);
    }
    audit(fast.exchange, { fees: flowConfig(flow).fees, mayCross: false });
    for (let number = 0; number < FLOW_ACCOUNTS; number++) compareAccount(fast, slow, number);
  });

  it.each(names)('%s gives the pinned totals', { timeout: 120_000 }, (name) => {
    const flow = OFW1_CASES[name];
    expect(coreTotals(flow, recordOfw1(flow, 1_000_000))).toEqual(CORE_TOTALS[name]);
  });

  function compareAccount({ exchange }: CoreRun, slow: SlowCoreRun, number: number): void {
    const id = flowAccount(number);
    const rows = exchange.ledger().accounts.filter((row) => row.id === id && row.currency === 'OOM');
    const held = (position: string): number =>
      rows[0]?.shares.find((one) => one.marketId === FLOW_MARKET && one.position === position)?.shares ?? 0;
    expect(rows[0]?.cash).toBe(slow.spendable(id));
    expect([held('long'), held('short')]).toEqual(slow.shares.get(id) ?? [0, 0]);
  }
});
