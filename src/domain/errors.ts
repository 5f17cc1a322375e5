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

/**
 * Failures of the environment are errors with a literal `code`; outcomes of the market (rejected, refused by
 * risk, duplicate, unknown) are values. Nothing may branch on the text of a message.
 */
export abstract class OddsmithError extends Error {
  abstract readonly code: string;
  /** What a command ends with that nothing could save; `internal` where it should have been caught: a bug, with its stack. */
  abstract readonly exit: Exclude<ExitCode, typeof EXIT.clean>;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Something that cannot be, was: stop quoting, try to cancel everything, end with exit code 1. */
export class InvariantError extends OddsmithError {
  readonly code = 'ODDSMITH_INVARIANT';
  readonly exit = EXIT.internal;
}

/** The user's input (configuration, arguments, a file) is wrong: exit code 2, no stack trace. */
export class UsageError extends OddsmithError {
  readonly code = 'ODDSMITH_USAGE';
  readonly exit = EXIT.usage;
}

/** The venue refuses the keys: exit code 3. */
export class KeysRefusedError extends OddsmithError {
  readonly code = 'ODDSMITH_KEYS_REFUSED';
  readonly exit = EXIT.keysRefused;
}

/** The venue cannot be reached: exit code 4. */
export class VenueUnreachableError extends OddsmithError {
  readonly code = 'ODDSMITH_VENUE_UNREACHABLE';
  readonly exit = EXIT.venueUnreachable;
}

/** The disk, a quota or the size that the shell allows a file is used up. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * A file system that does not take what is to be written is for a person to mend.
 * @param path   of a file or a folder
 * @param thenDo where there is no room: what is kept, and what to do
 * @returns a UsageError for what the operating system says, by its code; any other error as it is
 */
export function cannotWrite(path: string, error: unknown, thenDo = 'make room, run the same again'): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { code } = error as { readonly code?: unknown };
  if (error instanceof OddsmithError || typeof code !== 'string') return error;
  const advice = NO_ROOM.has(code) ? `, there is no room; ${thenDo}` : '';
  return new UsageError(`${path} cannot be written (${code}${advice})`, { cause: error });
}

/** @throws InvariantError with the given text when the condition is false */
export function invariant(condition: unknown, text: string): asserts condition {
  if (!condition) throw new InvariantError(text);
}
