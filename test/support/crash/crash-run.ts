/** Kills a loaded exchange again and again, and counts what that cost. */
import { VenueClient } from '../wire/venue-client.js';
import { ExchangeProcesses } from './exchange-process.js';
import { OrderLoad } from './order-load.js';

export interface CrashTotals {
  readonly kills: number;
  readonly ordersAcknowledged: number;
  readonly cancelsAcknowledged: number;
  /** Acknowledged orders that no listing shows. */
  readonly ordersLost: number;
  /** Orders that exist twice. */
  readonly ordersDuplicated: number;
  /** Acknowledged cancels whose order is not canceled. */
  readonly cancelsLost: number;
  /** Requests whose repetition got another answer than the first. */
  readonly answersDiffering: number;
  /** Restarts after which the ledger did not add up to zero, in play money. */
  readonly sumsNotZero: number;
}

/** Snapshots are so near to each other that kills strike them, too. */
const SNAPSHOT_EVERY = 60;
const PAGE = 100;

/** @param dir  of this run alone */
export async function crashRun(dir: string, rounds: number): Promise<CrashTotals> {
  const processes = new ExchangeProcesses(dir, SNAPSHOT_EVERY);
  const load = new OrderLoad();
  let sumsNotZero = 0;
  for (let round = 0; round < rounds; round++) {
    const exchange = await processes.start();
    if (Number(await exchange.ledgerSum()) !== 0) sumsNotZero += 1;
    const enough = load.acknowledges(5 + ((round * 97) % 400));
    const running = load.run(exchange.rest);
    await Promise.race([enough, running]);
    await exchange.end('SIGKILL');
    await running;
  }
  const last = await processes.start();
  const answersDiffering = await load.repeatAll(last.rest);
  const counted = await count(last.rest, load);
  if (Number(await last.ledgerSum()) !== 0) sumsNotZero += 1;
  await last.end('SIGTERM');
  return { kills: rounds, ...counted, answersDiffering, sumsNotZero };
}

interface Row {
  readonly id: number;
  readonly shares: number;
  readonly status: string;
}

async function count(rest: string, load: OrderLoad) {
  const rows = [...(await ordersOf(rest, 'maker')), ...(await ordersOf(rest, 'taker'))];
  const known = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = load.placings.flatMap(({ ids }) => ids ?? []);
  return {
    ordersAcknowledged: acknowledged.length,
    cancelsAcknowledged: load.cancelled.size,
    ordersLost: acknowledged.filter((id) => !known.has(id)).length,
    ordersDuplicated: rows.length - new Set(rows.map(({ shares }) => shares)).size,
    cancelsLost: [...load.cancelled].filter((id) => known.get(id)?.status !== 'canceled').length,
  };
}

/** All orders of an account, in every status. */
async function ordersOf(rest: string, name: string): Promise<readonly Row[]> {
  const client = new VenueClient(rest, { publicKey: `pk_${name}`, privateKey: `sk_${name}` });
  const rows: Row[] = [];
  for (const status of ['open', 'partial_filled', 'filled', 'canceled', 'processing'])
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const page = await client.get('/orders/', { status, limit: PAGE, offset, ordering: 'id' });
      total = page.number('pagination.total');
      rows.push(...(page.list('results') as readonly Row[]));
    }
  return rows;
}
