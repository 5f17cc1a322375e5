import { EXIT, type ExitCode, OddsmithError } from '../domain/errors.js';

/** The exit code that an error ends the process with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof OddsmithError) return error.exit;
  return environmentProblem(error) === null ? EXIT.internal : EXIT.usage;
}

/** What a person reads: the message alone for what they can mend, the stack for what is our bug. */
export function describeFailure(error: unknown): string {
  if (error instanceof OddsmithError && error.exit !== EXIT.internal) return error.message;
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
