import type { AdminOutcome, Command, ExchangeCore } from '../../exchange/contract.js';
import type { Pair } from '../../venues/futuur/protocol/form.js';
import type { Shape } from '../../venues/futuur/protocol/shape.js';
import type { CommandFunnel } from '../command-funnel.js';
import type { FaultDesk } from '../faults/fault-desk.js';
import { type Answer, answered, refused, refusedFields } from '../http/answer.js';
import type { InputReading } from '../http/order-input.js';
import type { AdminReaders } from './bodies.js';

/** An administrator's request after authentication. */
export interface AdminRequest {
  /** Number in the path; 0 where the path has none. */
  readonly id: number;
  readonly body: unknown;
  readonly pairs: readonly Pair[];
}

export interface AdminRoute {
  readonly method: 'GET' | 'POST';
  /** `:id` stands for an integer. */
  readonly path: `/admin/${string}/`;
  readonly handle: (request: AdminRequest) => Answer;
}

/** What the admin interface works with. */
export interface AdminParts {
  readonly exchange: ExchangeCore;
  readonly funnel: CommandFunnel;
  readonly faults: FaultDesk;
  readonly readers: AdminReaders;
  /** What the exchange has counted since it started, as `GET /admin/counts/` shows it. */
  readonly counts: () => object;
}

/** Commands that answer an administrator. */
export type AdminCommand = Extract<
  Command,
  {
    readonly kind:
      | 'add-event'
      | 'add-market'
      | 'set-event-status'
      | 'set-market-status'
      | 'resolve-event'
      | 'reverse-event'
      | 'set-live'
      | 'deposit'
      | 'post-comment'
      | 'send-test-event';
  }
>;

/** A route that reads a body into a command and executes it. */
export const commanding = (
  parts: AdminParts,
  path: AdminRoute['path'],
  read: (request: AdminRequest) => InputReading<AdminCommand>,
): AdminRoute => ({
  method: 'POST',
  path,
  handle: (request) => {
    const reading = read(request);
    return reading.ok ? answerOutcome(parts.funnel.execute(reading.value)) : refusedFields(reading.fields);
  },
});

/** Checks the body's shape, then makes something of it. */
export const shaped = <Body, Value>(
  shape: Shape<Body>,
  { body }: AdminRequest,
  make: (body: Body) => Value,
): InputReading<Value> =>
  shape.accepts(body) ? { ok: true, value: make(body) } : { ok: false, fields: shape.problems(body) };

/** Makes something of what a reader accepts. */
export const made = <Read, Value>(
  reading: InputReading<Read>,
  make: (value: Read) => Value,
): InputReading<Value> => (reading.ok ? { ok: true, value: make(reading.value) } : reading);

function answerOutcome(outcome: AdminOutcome): Answer {
  if (outcome.ok) return answered({});
  if (outcome.why === 'not-found') return refused('NotFound', outcome.detail);
  return refusedFields({ [outcome.field]: [outcome.detail] });
}
