/** Bugs in how the venue is asked, and in how its answers are taken. */
import { type Call, cancelWholeAccount } from '../../../../src/venues/futuur/rest/calls.js';
import type { Outcome } from '../../../../src/venues/outcome.js';
import type { Caller } from '../seam.js';

type Taken = <Value>(call: Call<Value>, outcome: Outcome<Value>) => Outcome<Value>;

const taking =
  (taken: Taken) =>
  (wire: Caller): Caller => ({
    call: async (call, sending) => taken(call, await wire.call(call, sending)),
  });

const CREATING: readonly string[] = ['createOrder', 'batchCreate', 'batchUpdate'];

/** Whoever does not answer has refused. */
export const timeoutAsRejection = taking((call, outcome) => {
  if (outcome.ok || outcome.failure.kind !== 'unknown' || !CREATING.includes(call.endpoint)) return outcome;
  return { ...outcome, failure: { kind: 'not-sent', reason: outcome.failure.reason } };
});

const NO_ORDERS = { orders: [], total: 0, nextOffset: null };

/** A listing that failed lists nothing. */
export const failureAsEmpty = taking((call, outcome) =>
  outcome.ok || call.endpoint !== 'orders' || outcome.sentAt === null
    ? outcome
    : { ok: true, value: NO_ORDERS as never, sentAt: outcome.sentAt },
);

/** Orders that are processing or partly filled are none. */
export const onlyOpenListed = taking((call, outcome) => {
  const status = call.query.find(([name]) => name === 'status')?.[1];
  if (!outcome.ok || call.endpoint !== 'orders' || status === 'open') return outcome;
  return { ...outcome, value: NO_ORDERS as never };
});

/** Every try has a key of its own. */
export const keyedAnew = (wire: Caller): Caller => {
  let tries = 0;
  const anew = (key: string): string => `${key}-${++tries}`;
  return {
    call: (call, sending) => {
      const key = sending?.idempotencyKey;
      return wire.call(call, key === undefined ? sending : { ...sending, idempotencyKey: anew(key) });
    },
  };
};

/** The scope is forgotten. */
export const unscopedCancelAll = (wire: Caller): Caller => ({
  call: (call, sending) => {
    if (call.endpoint !== 'cancelAll') return wire.call(call, sending);
    const whole = cancelWholeAccount({ kind: 'account-wide', confirmedBy: 'operator' });
    return wire.call({ ...call, body: whole.body }, sending);
  },
});
