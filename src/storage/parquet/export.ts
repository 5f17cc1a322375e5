import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite } from '../../domain/errors.js';
import { type Column, ParquetTable, type Row } from '../files/parquet-table.js';
import { makeFolder } from '../files/whole-files.js';
import { endingNote, TapeReader, type TapeReaderOptions } from '../tape/tape-reader.js';
import type { OrderReport } from '../../domain/orders.js';
import type { RecordedBook, RecordedTrade } from '../../domain/recorded.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import type { VenueRequest } from '../../domain/effects.js';
import { frameInput } from '../../venues/futuur/protocol/read/frames.js';
import { MarketData } from '../tape/market-data.js';
import type { TapeLine } from '../tape/records.js';

export interface Exported {
  /** By table. */
  readonly rows: Readonly<Record<TableName, number>>;
  /** What is strange of the tape, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Writes a tape as `books.parquet`, `trades.parquet`, `orders.parquet`, `fills.parquet` and `decisions.parquet`.
 * Prices, shares and money are DECIMAL(18,6), times are UTC in microseconds.
 * @param out folder, created when missing; files of these names are overwritten, once all of them are whole
 * @throws TapeError for a tape that is damaged, or whose inputs are out of order; UsageError when the folder cannot be written
 */
export async function exportParquet(
  path: string,
  out: string,
  options: TapeReaderOptions = {},
): Promise<Exported> {
  const files = TABLES.map((name) => join(out, `${name}.parquet`));
  const reader = new TapeReader(path, { ...options, inputs: 'in order' });
  makeFolder(out);
  try {
    const rows = await writeTables(reader, files.map(unfinished));
    for (const file of files) renameSync(unfinished(file), file);
    const note = endingNote(reader.ending);
    return { rows, notes: note === null ? [] : [note] };
  } catch (error) {
    for (const file of files) rmSync(unfinished(file), { force: true });
    throw cannotWrite(out, error);
  }
}

const unfinished = (file: string): string => `${file}.new`;

/** @param files in the order of {@link TABLES} */
async function writeTables(reader: TapeReader, files: readonly string[]): Promise<Exported['rows']> {
  const opened = TABLES.map(
    async (name, at) => [name, await ParquetTable.open(files[at]!, COLUMNS[name])] as const,
  );
  const tables = new Map(await Promise.all(opened));
  const rows = new TapeRows();
  for await (const batch of reader.batches())
    for (const { line } of batch)
      for (const { table, row } of rows.of(line)) await tables.get(table)!.add(row);
  for (const table of tables.values()) await table.close();
  return Object.fromEntries([...tables].map(([name, { length }]) => [name, length])) as Exported['rows'];
}

/** Lines of a tape as rows of tables. */

const TABLES = ['books', 'trades', 'orders', 'fills', 'decisions'] as const;
export type TableName = (typeof TABLES)[number];

const of = (kind: Column['kind'], ...names: string[]): Column[] => names.map((name) => ({ name, kind }));

const COLUMNS: Readonly<Record<TableName, readonly Column[]>> = {
  books: [
    ...of('integer', 'line'),
    ...of('time', 'received_at', 'at'),
    ...of('integer', 'event', 'market', 'level'),
    ...of('decimal', 'bid_price', 'bid_shares', 'ask_price', 'ask_shares'),
  ],
  trades: [
    ...of('integer', 'line'),
    ...of('time', 'received_at', 'at'),
    ...of('integer', 'event', 'market'),
    ...of('decimal', 'price', 'shares'),
    ...of('text', 'taker_side'),
  ],
  orders: [
    ...of('integer', 'line'),
    ...of('time', 'received_at'),
    ...of('text', 'source', 'action'),
    ...of('integer', 'request', 'item', 'order', 'event', 'market'),
    ...of('text', 'side', 'position'),
    ...of('decimal', 'price', 'shares', 'filled'),
    ...of('text', 'status'),
  ],
  fills: [
    ...of('integer', 'line'),
    ...of('time', 'received_at', 'at'),
    ...of('integer', 'order', 'event', 'market'),
    ...of('text', 'side', 'position'),
    ...of('decimal', 'shares', 'amount', 'fee'),
    ...of('text', 'liquidity'),
    ...of('integer', 'fill'),
    ...of('text', 'inferred'),
    ...of('integer', 'replaces'),
  ],
  decisions: [
    ...of('integer', 'line'),
    ...of('time', 'received_at'),
    ...of('integer', 'input', 'n'),
    ...of('text', 'kind'),
    ...of('integer', 'request'),
    ...of('time', 'deadline'),
    ...of('text', 'details', 'prev'),
  ],
};

/** Counts of 0.000001 of what is counted in 0.0001 and in 0.01. */
const priceOf = (price: PriceUnits): number => price * 100;
const sharesOf = (shares: Shares): number => shares * 10_000;
const optional = <Value, Result>(value: Value | null, of: (value: Value) => Result): Result | null =>
  value === null ? null : of(value);

export interface TableRow {
  readonly table: TableName;
  readonly row: Row;
}

/** Turns lines into rows, in order. */
class TapeRows {
  private readonly data = new MarketData();

  of(line: TapeLine): readonly TableRow[] {
    const place = { line: line.n, received_at: line.at };
    return [...this.market(line, place), ...ordersOf(line, place), ...othersOf(line, place)];
  }

  private market(line: TapeLine, place: Row): readonly TableRow[] {
    return this.data
      .of(line)
      .flatMap((said) =>
        said.kind === 'book'
          ? bookRows(said, place)
          : said.kind === 'trade'
            ? [{ table: 'trades', row: tradeRow(said, place) } as const]
            : [],
      );
  }
}

/** One row a level, the shorter side empty; a book without any level is one row of nothing. */
function bookRows({ at, eventId, marketId, bids, asks }: RecordedBook, place: Row): readonly TableRow[] {
  const depth = Math.max(1, bids.prices.length, asks.prices.length);
  return Array.from({ length: depth }, (_, level) => ({
    table: 'books',
    row: {
      ...place,
      at,
      event: eventId,
      market: marketId,
      level: level + 1,
      bid_price: optional(bids.prices[level] ?? null, priceOf),
      bid_shares: optional(bids.shares[level] ?? null, sharesOf),
      ask_price: optional(asks.prices[level] ?? null, priceOf),
      ask_shares: optional(asks.shares[level] ?? null, sharesOf),
    },
  }));
}

const tradeRow = ({ at, eventId, marketId, price, shares, takerSide }: RecordedTrade, place: Row): Row => ({
  ...place,
  at,
  event: eventId,
  market: marketId,
  price: priceOf(price),
  shares: sharesOf(shares),
  taker_side: takerSide,
});

function ordersOf(line: TapeLine, place: Row): readonly TableRow[] {
  if (line.kind === 'decision')
    return requestRows(line.decision.request as VenueRequest, { ...place, request: line.decision.requestId });
  if (line.kind === 'frame') {
    const input = frameInput(line.event, line.channel, line.payload);
    return input.kind === 'order' ? [orderRow(input.report, { ...place, source: 'frame' })] : [];
  }
  if (line.kind !== 'input' || line.input.kind !== 'answer' || !line.input.outcome.ok) return [];
  const { requestId, outcome } = line.input;
  const { body } = outcome;
  if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return [];
  return body.items.flatMap((item, index) =>
    item.ok ? [orderRow(item.value, { ...place, source: 'answer', request: requestId, item: index })] : [],
  );
}

function requestRows(request: VenueRequest, place: Row): readonly TableRow[] {
  const asked = { ...place, source: 'request' };
  const row = (action: string, item: number, facts: Row): TableRow => ({
    table: 'orders',
    row: { ...asked, action, item, ...facts },
  });
  if (request.kind === 'create-orders')
    return request.orders.map(({ eventId, marketId, side, position, price, shares }, item) =>
      row('create', item, {
        event: eventId,
        market: marketId,
        side,
        position,
        price: priceOf(price),
        shares: sharesOf(shares),
      }),
    );
  if (request.kind === 'replace-orders')
    return request.replacements.map(({ orderId, price, shares }, item) =>
      row('replace', item, { order: orderId, price: priceOf(price), shares: sharesOf(shares) }),
    );
  if (request.kind === 'cancel-orders')
    return request.orderIds.map((order, item) => row('cancel', item, { order }));
  if (request.kind !== 'cancel-scope') return [];
  const { scope } = request;
  const market = scope.kind === 'market' ? scope.marketId : null;
  return [row('cancel-all', 0, { event: scope.eventId, market })];
}

const orderRow = (report: OrderReport, place: Row): TableRow => ({
  table: 'orders',
  row: {
    ...place,
    action: 'report',
    order: report.orderId,
    event: report.eventId,
    market: report.marketId,
    side: report.side,
    position: report.position,
    price: optional(report.price, priceOf),
    shares: sharesOf(report.requested),
    filled: optional(report.filled, sharesOf),
    status: report.status,
  },
});

function othersOf(line: TapeLine, place: Row): readonly TableRow[] {
  if (line.kind === 'fill') {
    const { at, orderId, eventId, marketId, side, position, shares, amount, fee, liquidity } = line.fill;
    const { id, isInferred, replaces } = line.fill;
    const ids = { order: orderId, event: eventId, market: marketId };
    const sums = { shares: sharesOf(shares), amount, fee };
    const told = { fill: id, inferred: String(isInferred), replaces: replaces?.id ?? null };
    return [{ table: 'fills', row: { ...place, at, ...ids, side, position, ...sums, liquidity, ...told } }];
  }
  if (line.kind !== 'decision') return [];
  const { in: input, n, kind, requestId, deadline, request, prev } = line.decision;
  const details = JSON.stringify(request);
  return [
    { table: 'decisions', row: { ...place, input, n, kind, request: requestId, deadline, details, prev } },
  ];
}
