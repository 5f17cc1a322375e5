/**
 * Failures of the environment are errors with a literal `code`; outcomes of the market (rejected, refused by
 * risk, duplicate, unknown) are values. Nothing may branch on the text of a message.
 */
export abstract class OddsmithError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Something that cannot be, was: stop quoting, try to cancel everything, end with exit code 1. */
export class InvariantError extends OddsmithError {
  readonly code = 'ODDSMITH_INVARIANT';
}

/** The user's input (configuration, arguments, a file) is wrong: exit code 2, no stack trace. */
export class UsageError extends OddsmithError {
  readonly code = 'ODDSMITH_USAGE';
}

/** The venue refuses the keys: exit code 3. */
export class KeysRefusedError extends OddsmithError {
  readonly code = 'ODDSMITH_KEYS_REFUSED';
}

/** The venue cannot be reached: exit code 4. */
export class VenueUnreachableError extends OddsmithError {
  readonly code = 'ODDSMITH_VENUE_UNREACHABLE';
}

/** The documented exit codes of the command. */
export const EXIT = {
  clean: 0,
  internal: 1,
  usage: 2,
  keysRefused: 3,
  venueUnreachable: 4,
  ordersMayRemain: 5,
  killLatched: 6,
  forced: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** @throws InvariantError with the given text when the condition is false */
export function invariant(condition: unknown, text: string): asserts condition {
  if (!condition) throw new InvariantError(text);
}
