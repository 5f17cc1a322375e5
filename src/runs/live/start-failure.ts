import { OddsmithError, UsageError } from '../../domain/errors.js';
import type { BotSettings } from '../../settings/index.js';

/** Who was to begin. */
export interface Beginner {
  readonly who: 'bot' | 'guard';
  readonly settings: Pick<BotSettings, 'stateDir' | 'venue'>;
  /** Of the configuration, for the advice. */
  readonly file: string;
}

/**
 * A bot does not begin without its files, nor does its guard: which room or right is missing is for a person to mend, and
 * what an earlier run may have left at the venue need not wait for that.
 * @returns a UsageError for what the file system says; any other error as it is
 */
export function startFailure(error: unknown, { who, settings, file }: Beginner): unknown {
  // A folder that cannot be made is refused with the word of the file system as its cause.
  const told = error instanceof UsageError ? error.cause : error;
  if (!isOfFiles(told)) return error;
  const { code, message } = told;
  const mending = code === 'ENOSPC' || code === 'EDQUOT' ? 'make room' : 'mend that';
  const text =
    `a ${who} does not begin without its files in ${settings.stateDir} (${message}): ${mending}, then start again` +
    (settings.venue === null
      ? ENDED_WITH_IT
      : `. What an earlier run may have left open, oddsmith kill ${file} withdraws meanwhile`);
  return new UsageError(text, { cause: error });
}

const ENDED_WITH_IT = '. No earlier run has left anything open: its exchange ended with it';

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
  'mkdtemp',
  'open',
  'read',
  'rename',
  'rm',
  'scandir',
  'unlink',
  'write',
]);
