import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunDescription } from '../../../src/analytics/observer.js';
import type { Fill } from '../../../src/domain/fill.js';
import { orderId } from '../../../src/domain/ids.js';
import { micros, money, shares } from '../../../src/domain/units.js';
import { FillTable, fillTableFile } from '../../../src/report/fill-table.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { fillOf } from '../../support/orders/fills.js';

const usual = fillOf(48, 4);
const run = {
  scenario: 'live',
  currency: 'OOM',
  events: [{ eventId: usual.eventId, markets: [{ marketId: usual.marketId, strategy: 'mine' }] }],
} as unknown as RunDescription;

/** Cells of each row by the name of their column. */
function rowsOf(fills: readonly Fill[]): readonly Readonly<Record<string, string>>[] {
  const folder = scratchFolder();
  const table = new FillTable(fillTableFile(folder), run);
  for (const fill of fills) table.filled(fill);
  table.close();
  const [head, ...lines] = readFileSync(join(folder, 'report-fills.csv'), 'utf8').trimEnd().split('\n');
  const names = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at]!, cell])));
}

const inferred = fillOf(48, 4, { id: 1, isInferred: true, orderId: orderId(5) });
/** A message tells that order 6 bought three of them at 0.47. */
const told = fillOf(48, 0, {
  id: 2,
  orderId: orderId(6),
  liquidity: 'maker',
  amount: money(300 * -100),
  replaces: { id: 1, orderId: orderId(5), shares: shares(300), amount: money(300 * 4_800), fee: money(0) },
});

it('has a row for each fill, however many there are', () => {
  const fills = Array.from({ length: 5_000 }, (_, index) =>
    fillOf(48, 4, { id: index + 1, at: micros(index) }),
  );
  const rows = rowsOf(fills);
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
  });
});

it('says which fills are inferred, and holds of each what no message has told of', () => {
  expect(rowsOf([inferred])).toMatchObject([{ inferred: 'yes', order: '5', shares: '4', price: '0.48' }]);
  expect(rowsOf([inferred, { ...told, at: micros(9) }])).toMatchObject([
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

it('has no row of an inferred fill that holdings contradict, and another price where cash says so', () => {
  const replaces = { ...told.replaces!, shares: shares(400), amount: money(400 * 4_800) };
  const undone = {
    ...inferred,
    id: 3,
    isInferred: false,
    shares: -400 as never,
    amount: money(400 * -4_800),
    replaces,
  };
  expect(rowsOf([inferred, undone])).toEqual([]);
  const nothing = { ...replaces, shares: shares(0), amount: money(0) };
  const dearer = { ...inferred, id: 3, shares: shares(0), amount: money(40_000), replaces: nothing };
  expect(rowsOf([inferred, dearer])).toMatchObject([
    { fill: '1', shares: '4', price: '0.49', amount: '1.96' },
  ]);
});
