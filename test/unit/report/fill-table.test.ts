import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunDescription } from '../../../src/analytics/observer.js';
import type { Fill } from '../../../src/domain/fill.js';
import { orderId } from '../../../src/domain/ids.js';
import { micros, money, shares } from '../../../src/domain/units.js';
import { FillNotes, fillNotesFile, writeFillTables } from '../../../src/report/fill-table.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { fillOf } from '../../support/orders/fills.js';

const usual = fillOf(48, 4);
const run = {
  scenario: 'live',
  currency: 'OOM',
  events: [{ eventId: usual.eventId, markets: [{ marketId: usual.marketId, strategy: 'mine' }] }],
} as unknown as RunDescription;

const TITLES = new Map([
  [`event ${usual.eventId}`, 'Rain, tomorrow'],
  [`market ${usual.marketId}`, 'Yes'],
]);

function note(folder: string, fills: readonly Fill[], scenario = 'live'): void {
  const notes = new FillNotes(fillNotesFile(folder, scenario), { ...run, scenario });
  for (const fill of fills) notes.filled(fill);
  notes.close();
}

/** Cells of each row by the name of their column. */
async function rowsOf(fills: readonly Fill[]): Promise<readonly Readonly<Record<string, string>>[]> {
  const folder = scratchFolder();
  note(folder, fills);
  await writeFillTables(folder, [fillNotesFile(folder, 'live')], 'live', TITLES);
  const [head, ...lines] = readFileSync(join(folder, 'report-fills.csv'), 'utf8').trimEnd().split('\n');
  const names = head!.split(',');
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at]!, cell])));
}

/** A title may hold a comma. */
const cellsOf = (line: string): readonly string[] =>
  line.replace('"Rain, tomorrow"', 'Rain; tomorrow').split(',');

const inferred = fillOf(48, 4, { id: 1, isInferred: true, orderId: orderId(5) });
/** A message tells that order 6 bought three of them at 0.47. */
const told = fillOf(48, 0, {
  id: 2,
  orderId: orderId(6),
  liquidity: 'maker',
  amount: money(300 * -100),
  replaces: { id: 1, orderId: orderId(5), shares: shares(300), amount: money(300 * 4_800), fee: money(0) },
});

it('has a row for each fill, however many there are', async () => {
  const fills = Array.from({ length: 5_000 }, (_, index) =>
    fillOf(48, 4, { id: index + 1, at: micros(index) }),
  );
  const rows = await rowsOf(fills);
  expect(rows.map(({ fill }) => Number(fill))).toEqual(fills.map(({ id }) => id));
  expect(rows[7]).toMatchObject({
    scenario: 'live',
    fill: '8',
    inferred: 'no',
    bot_time: '1970-01-01T00:00:00.000007Z',
    instance: 'mine',
    event: '873',
    market: '2231',
    order: '1',
    side: 'bid',
    position: 'long',
    price: '0.48',
    shares: '4',
    amount: '1.92',
    fee: '0',
    currency: 'OOM',
    liquidity: 'unknown',
    event_title: 'Rain; tomorrow',
    market_title: 'Yes',
  });
});

it('says which fills are inferred, and holds of each what no message has told of', async () => {
  expect(await rowsOf([inferred])).toMatchObject([
    { inferred: 'yes', order: '5', shares: '4', price: '0.48' },
  ]);
  expect(await rowsOf([inferred, { ...told, at: micros(9) }])).toMatchObject([
    {
      fill: '2',
      inferred: 'no',
      bot_time: '1970-01-01T00:00:00.000000Z',
      order: '6',
      shares: '3',
      price: '0.47',
      liquidity: 'maker',
    },
    { fill: '1', inferred: 'yes', order: '5', shares: '1', price: '0.48' },
  ]);
});

it('has no row of an inferred fill that holdings contradict, and another price where cash says so', async () => {
  const replaces = { ...told.replaces!, shares: shares(400), amount: money(400 * 4_800) };
  const undone = {
    ...inferred,
    id: 3,
    isInferred: false,
    shares: -400 as never,
    amount: money(400 * -4_800),
    replaces,
  };
  expect(await rowsOf([inferred, undone])).toEqual([]);
  const nothing = { ...replaces, shares: shares(0), amount: money(0) };
  const dearer = { ...inferred, id: 3, shares: shares(0), amount: money(40_000), replaces: nothing };
  expect(await rowsOf([inferred, dearer])).toMatchObject([
    { fill: '1', shares: '4', price: '0.49', amount: '1.96' },
  ]);
});

it('gives the page the latest fills of the headline, and leaves nothing but the tables', async () => {
  const folder = scratchFolder();
  const fills = Array.from({ length: 1_234 }, (_, index) => fillOf(48, 4, { id: index + 1 }));
  note(folder, fills.slice(0, 3), 'pessimistic');
  note(folder, fills, 'expected');
  const notes = ['pessimistic', 'expected'].map((name) => fillNotesFile(folder, name));
  const { of, rows } = await writeFillTables(folder, notes, 'expected', TITLES);
  expect(of).toBe(1_234);
  expect(rows.map(({ id }) => id)).toEqual(fills.slice(-500).map(({ id }) => id));
  expect(rows[0]).toMatchObject({ price: 0.48, shares: 4, amount: 1.92, instance: 'mine', currency: 'OOM' });
  expect(readdirSync(folder).toSorted()).toEqual(['report-fills.csv', 'report-fills.parquet']);
  const text = readFileSync(join(folder, 'report-fills.csv'), 'utf8').trimEnd().split('\n');
  expect(text).toHaveLength(1 + 3 + 1_234);
});

it('has the same cells as Parquet', async () => {
  const folder = scratchFolder();
  note(folder, [usual, inferred]);
  await writeFillTables(folder, [fillNotesFile(folder, 'live')], 'live', TITLES);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const file = join(folder, 'report-fills.parquet');
  const read = await connection.runAndReadAll(`SELECT *, price::DOUBLE AS cents FROM '${file}'`);
  expect(read.getRowObjectsJson()).toMatchObject([
    { scenario: 'live', inferred: 'no', cents: 0.48, shares: '4.000000', event_title: 'Rain, tomorrow' },
    { scenario: 'live', inferred: 'yes', order: '5', market_title: 'Yes', venue_mid: null },
  ]);
});
