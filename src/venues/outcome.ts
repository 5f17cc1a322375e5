import type { RequestFailure } from '../domain/answers.js';
import { EXIT, OddsmithError } from '../domain/errors.js';
import type { Micros } from '../domain/units.js';

/** What became of a request: a value, never an exception. `sentAt` is null when no byte of it left. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value; readonly sentAt: Micros }
  | { readonly ok: false; readonly failure: RequestFailure; readonly sentAt: Micros | null };

export const notSent = (reason: string): Outcome<never> => ({
  ok: false,
  failure: { kind: 'not-sent', reason },
  sentAt: null,
});

/** What a listing shows is compared with when orders were asked for: one that nobody can date tells nothing. */
export const undated = (sentAt: Micros): Outcome<never> => ({
  ok: false,
  failure: { kind: 'unknown', reason: 'our clock has leapt' },
  sentAt,
});

/** The same outcome with another value. */
export const mapValue = <From, To>(outcome: Outcome<From>, to: (value: From) => To): Outcome<To> =>
  outcome.ok ? { ...outcome, value: to(outcome.value) } : outcome;

/** Thrown right before a first byte: the request is not to be sent after all. */
export class WithheldError extends OddsmithError {
  readonly code = 'ODDSMITH_WITHHELD';
  readonly exit = EXIT.internal;
}
