import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../../src/domain/ids.js';
import { OrdersById } from '../../../../src/execution/orders/orders-by-id.js';
import { momentOf } from '../../../../src/execution/orders/moment.js';
import { TrackedOrder } from '../../../../src/execution/orders/tracked-order.js';
import { limitOrder } from '../../../support/order-scenario.js';
import { ms } from '../../../support/own-order-reports.js';

/** Some hash to the same slot, some lie beyond 32 bits. */
const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.maxSafeNat()) as fc.Arbitrary<number & OrderId>;
const story = fc.array(fc.tuple(fc.constantFrom('set', 'set', 'delete', 'delete-other'), id), {
  maxLength: 120,
});

describe('orders by id', () => {
  it('are found as in a map, whatever came and went', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const orders = new OrdersById();
        const model = new Map<OrderId, TrackedOrder>();
        steps.forEach(([step, orderId], serial) => {
          const order = new TrackedOrder(limitOrder(48, 10), limitOrder(48, 10), serial, momentOf(ms(0)));
          order.orderId = orderId;
          const carrier = model.get(orderId);
          const given = step === 'delete' && carrier !== undefined ? carrier : order;
          const isTakenOut = step !== 'set' && orders.delete(orderId, given);
          if (step === 'set') orders.set(orderId, order);
          if (step === 'set') model.set(orderId, order);
          else if (step === 'delete') model.delete(orderId);
          expect(isTakenOut).toBe(step === 'delete' && carrier !== undefined);
          for (const [, known] of steps) expect(orders.get(known)).toBe(model.get(known));
        });
      }),
    );
  });
});
