/** A process that tries for a lock and keeps it: `lock-contender.ts <path>` prints `held` or `refused`. */
import { LockHeldError, acquireLock } from '../../../src/storage/state/lock-file.js';

function attempt(path: string): string {
  try {
    acquireLock(path, 'the contested lock');
    return 'held';
  } catch (error) {
    if (error instanceof LockHeldError) return 'refused';
    throw error;
  }
}

process.stdout.write(attempt(process.argv[2] ?? ''));
process.stdin.resume();
