/**
 * The exchange on the wire, client and server in two processes on the same machine.
 *
 * `single`: signed single orders, signed as they are sent. `batch`: pre-signed batches of 20, nested `python`. Both
 * over 8 keep-alive connections, one request under way on each; verification, matching, ledger and answer included.
 * `fan-out`: realtime messages to 100 subscribers of 20 events, none lost, beside one that has stopped reading.
 * `markets`: REST answers while two makers quote 1,000 markets and two takers trade.
 */
import { benchOptions, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { type FanOutResult, measureFanOut } from './fan-out.js';
import { measureMarkets, type MarketsResult } from './markets.js';
import { measureOrders, type OrdersResult } from './orders.js';

const CASES = ['single', 'batch', 'fan-out', 'markets'] as const;
type Case = (typeof CASES)[number];

const ORDERS_PER_REQUEST = { single: 1, batch: 20 } as const;

/** One measurement, in a process of its own. */
export function job({ case: name }: { readonly case: Case }): Promise<Result> {
  if (name === 'markets') return measureMarkets();
  return name === 'fan-out' ? measureFanOut() : measureOrders(ORDERS_PER_REQUEST[name]);
}

type Result = OrdersResult | FanOutResult | MarketsResult;

/** Measures every case once a round. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, CASES);
  const results = new Map<Case, Result[]>(cases.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of cases) results.get(name)?.push(await fresh('exchange', { case: name }));
  }
  for (const [name, measured] of results) printCase(name, measured);
}

const UNITS: Readonly<Record<string, string>> = {
  ordersPerSecond: 'orders/s',
  messagesPerSecond: 'messages/s',
  p50: 'ms',
  p99: 'ms',
};

function printCase(name: Case, measured: readonly Result[]): void {
  const rows = measured.map((result): Readonly<Record<string, number>> => ({ ...result }));
  for (const figure of Object.keys(rows[0] ?? {})) {
    const values = rows.map((row) => row[figure] ?? Number.NaN);
    printFigure({
      bench: 'exchange',
      case: name,
      engine: 'oddsmith',
      figure,
      unit: UNITS[figure] ?? '',
      values,
    });
  }
}
