import { expect, it } from 'vitest';
import { micros } from '../../../../../src/domain/units.js';
import { Tally } from '../../../../../src/core/engine/accounting/tally.js';

const at = (seconds: number) => micros(1_000_000_000 + seconds * 1_000_000);

it('counts what runs before sent for a minute each, though a clock was set back between them', () => {
  const sent = [
    { at: at(3_600), orders: 7 },
    { at: at(-50), orders: 3 },
    { at: at(-20), orders: 2 },
  ];
  const tally = new Tally(sent, at(0));
  const counts = [0, 9, 10, 39, 40, 59, 60].map((second) => tally.ordersLastMinute(at(second)));
  expect(counts).toEqual([12, 12, 9, 9, 7, 7, 0]);
});
