import { OddsmithError, UsageError } from '../domain/errors.js';

/**
 * A bot does not begin without its files: which room or right is missing is for a person to mend, and what it may have
 * left at the venue need not wait for that.
 * @param file of the configuration, for the advice
 * @returns a UsageError for what the file system says; any other error as it is
 */
export function startFailure(error: unknown, stateDir: string, file: string): unknown {
  if (!isOfFiles(error)) return error;
  const { code, message } = error;
  const mending = code === 'ENOSPC' || code === 'EDQUOT' ? 'make room' : 'mend that';
  const text =
    `a bot does not begin without its files in ${stateDir} (${message}): ${mending}, then start again. ` +
    `What an earlier run may have left open, oddsmith kill ${file} withdraws meanwhile`;
  return new UsageError(text, { cause: error });
}

function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || error instanceof OddsmithError) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined && FILE_CALLS.has(syscall);
}

/** As Node.js names them. */
const FILE_CALLS: ReadonlySet<string> = new Set([
  'fdatasync',
  'fsync',
  'ftruncate',
  'link',
  'mkdir',
  'open',
  'read',
  'rename',
  'rm',
  'scandir',
  'unlink',
  'write',
]);
