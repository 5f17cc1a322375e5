import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../../../src/domain/ids.js';
import { OrdersById } from '../../../../../src/core/execution/orders/orders-by-id.js';
import { momentOf } from '../../../../../src/core/execution/orders/moment.js';
import { TrackedOrder } from '../../../../../src/core/execution/orders/tracked-order.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import { ms } from '../../../../support/orders/own-order-reports.js';

/** Some hash to the same slot, some lie beyond 32 bits. */
const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.maxSafeNat()) as fc.Arbitrary<number & OrderId>;
const story = fc.array(fc.tuple(fc.constantFrom('set', 'set', 'delete', 'delete-other'), id), {
  maxLength: 120,
});

/** Numbers of 32 bits more than each other: all of one home, more than its distance can tell. */
const crowded = fc.array(
  fc.tuple(
    fc.constantFrom('set', 'set', 'set', 'set', 'set', 'delete', 'delete-other'),
    fc.nat(500).map((n) => (2 ** 32 * n + (n % 8 === 0 ? 1 : 0)) as OrderId),
  ),
  { minLength: 1_500, maxLength: 2_000, size: 'max' },
);

/** What is found at the end, and what a map would find. */
function lived(steps: readonly (readonly [string, OrderId])[], look: boolean): readonly [unknown, unknown] {
  const orders = new OrdersById();
  const model = new Map<OrderId, TrackedOrder>();
  const found: unknown[][] = [[], []];
  const compare = (): void => {
    for (const [, known] of steps) {
      found[0]!.push(orders.get(known)?.serial);
      found[1]!.push(model.get(known)?.serial);
    }
  };
  steps.forEach(([step, orderId], serial) => {
    const order = new TrackedOrder(limitOrder(48, 10), limitOrder(48, 10), serial, momentOf(ms(0)));
    order.orderId = orderId;
    const carrier = model.get(orderId);
    const given = step === 'delete' && carrier !== undefined ? carrier : order;
    found[0]!.push(step !== 'set' && orders.delete(orderId, given));
    found[1]!.push(step === 'delete' && carrier !== undefined);
    if (step === 'set') orders.set(orderId, order);
    if (step === 'set') model.set(orderId, order);
    else if (step === 'delete') model.delete(orderId);
    if (look) compare();
  });
  compare();
  return [found[0], found[1]];
}

describe('orders by id', () => {
  it.each([
    ['whatever came and went', story, true, 100],
    ['however many want the same place', crowded, false, 10],
  ] as const)('are found as in a map, %s', (_, stories, look, numRuns) => {
    fc.assert(
      fc.property(stories, (steps) => {
        const [ours, maps] = lived(steps, look);
        expect(ours).toEqual(maps);
      }),
      { numRuns },
    );
  });
});
