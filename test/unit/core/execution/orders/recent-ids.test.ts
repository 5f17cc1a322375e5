import { expect, it } from 'vitest';
import { orderId } from '../../../../../src/domain/ids.js';
import { RecentIds } from '../../../../../src/core/execution/orders/recent-ids.js';

it('remembers the last ten thousand ids at least, and no more than twice as many', () => {
  const ids = new RecentIds();
  for (let id = 1; id <= 50_000; id++) ids.add(orderId(id));
  expect(ids.has(orderId(40_001))).toBe(true);
  expect(ids.has(orderId(30_000))).toBe(false);
  ids.delete(orderId(50_000));
  expect(ids.has(orderId(50_000))).toBe(false);
});
