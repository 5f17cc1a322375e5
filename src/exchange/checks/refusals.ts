import type { OrderRefusal, OrderRefusalCode } from '../contract.js';

/** Why an order is refused, or null. Every check of this folder answers so. */
export type Verdict = OrderRefusal | null;

export const refuse = (code: OrderRefusalCode): OrderRefusal => ({ code });

/** A field of the wire (specification 2.4) that is wrong. */
export const refuseField = (field: string, problem: string): OrderRefusal => ({
  code: 'ValidationError',
  fields: { [field]: [problem] },
});
