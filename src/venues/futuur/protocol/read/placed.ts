/** A reading of something received: a domain value, or why it could not be placed. Never a throw across the border. */
import { EXIT, OddsmithError } from '../../../../domain/errors.js';
import { DecimalError } from '../decimals.js';
import { firstProblem } from '../errors.js';
import type { Shape } from '../shape.js';
import { TimestampError } from '../timestamps.js';

export type Placed<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

/** A value that is well-formed JSON of the right shape and still means nothing here. */
export class PlacementError extends OddsmithError {
  readonly code = 'ODDSMITH_PLACEMENT';
  readonly exit = EXIT.internal;
}

/** Checks the shape, then translates; what either refuses becomes the reason. */
export function place<Wire, Value>(
  shape: Shape<Wire>,
  received: unknown,
  translate: (wire: Wire) => Value,
): Placed<Value> {
  if (!shape.accepts(received)) return { ok: false, reason: firstProblem(shape.problems(received)) };
  try {
    return { ok: true, value: translate(received) };
  } catch (error) {
    if (isRefusal(error)) return { ok: false, reason: error.message };
    throw error;
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof DecimalError || error instanceof TimestampError || error instanceof PlacementError;
