import {
  EXIT,
  type ExitCode,
  InvariantError,
  KeysRefusedError,
  OddsmithError,
  UsageError,
  VenueUnreachableError,
} from '../domain/errors.js';

/** The exit code that an error ends the process with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof KeysRefusedError) return EXIT.keysRefused;
  if (error instanceof VenueUnreachableError) return EXIT.venueUnreachable;
  if (error instanceof OddsmithError && error.code === FENCED) return EXIT.killLatched;
  if (error instanceof OddsmithError && error.code === INTERRUPTED) return EXIT.forced;
  if (environmentProblem(error) !== null) return EXIT.usage;
  if (error instanceof UsageError || (error instanceof OddsmithError && USAGE.has(error.code)))
    return EXIT.usage;
  return EXIT.internal;
}

/** A guard's fence stands: like a kill switch, it is a person's to clear. */
const FENCED = 'ODDSMITH_FENCED';

/** A person stopped what is worth nothing unless it is whole. */
const INTERRUPTED = 'ODDSMITH_INTERRUPTED';

/** Errors of other rooms that a person mends by changing what was asked for, or a file that is needed for it. */
const USAGE: ReadonlySet<string> = new Set([
  'ODDSMITH_LOCK_HELD',
  'ODDSMITH_CAUTIONS_UNREADABLE',
  'ODDSMITH_JOURNAL',
  'ODDSMITH_JOURNAL_CORRUPT',
  'ODDSMITH_COMMAND_LOG',
  'ODDSMITH_PORT_BUSY',
  'ODDSMITH_LISTEN',
  'ODDSMITH_REDIS',
]);

/** What a person reads: the message alone for what they can mend, the stack for what is our bug. */
export function describeFailure(error: unknown): string {
  if (error instanceof OddsmithError && !(error instanceof InvariantError)) return error.message;
  const problem = environmentProblem(error);
  if (problem !== null) return problem;
  if (error instanceof Error) return `internal error: ${error.stack ?? error.message}`;
  return `internal error: ${String(error)}`;
}

/** What a file system refuses for reasons that are never ours. */
const OF_THE_DISK: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EDQUOT: 'the quota is used up',
  ENOSPC: 'there is no room',
  ENOTDIR: 'something on the way to it is no folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
};

/** @returns what a person can mend outside of the program, where the operating system says so; null where it does not */
function environmentProblem(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof OddsmithError) return null;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'the working directory is gone: change to one that exists';
  const reason = OF_THE_DISK[code];
  return reason === undefined || path === undefined ? null : `${path}: ${reason} (${code})`;
}
