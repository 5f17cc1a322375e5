import { expect, it } from 'vitest';
import { Bookkeeping, type BookkeepingParts } from '../../../../../src/core/engine/accounting/bookkeeping.js';
import type { Micros } from '../../../../../src/domain/units.js';

it.each([
  ['may count a lock twice is read again', true, [7]],
  ['counts every lock once is left alone', false, []],
])('a balance that %s', (_what, isUnclear, asked) => {
  const moved: Micros[] = [];
  const parts = {
    funds: { areUnclear: () => isUnclear },
    mirror: { balanceMoved: (at: Micros) => moved.push(at) },
    positions: { readDue: null },
    desk: { orders: { endsReadDue: null } },
  };
  new Bookkeeping(parts as unknown as BookkeepingParts).review(7 as Micros);
  expect(moved).toEqual(asked);
});
