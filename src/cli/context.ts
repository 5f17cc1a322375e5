/** What every command that runs something needs: clock, chance, log. */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/ports/clock.js';
import type { Random } from '../core/ports/random.js';
import { seededRandom } from '../storage/clocks/seeded-random.js';
import { SystemClock } from '../storage/clocks/system-clock.js';
import type { BotSettings } from '../settings/index.js';
import { createLogger, type Logger, type LogLevel } from '../ops/telemetry/logger.js';
import { makeFolder } from '../storage/files/whole-files.js';

export interface RunContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly runId: string;
  /** Where the log goes when a screen occupies the terminal; null: standard error. */
  readonly logFile: string | null;
}

/** @param hasScreen lines on standard error would tear the screen apart: they go to a file then */
export function openContext(
  settings: BotSettings,
  secrets: readonly string[],
  hasScreen: boolean,
): RunContext {
  const runId = newRunId();
  const logFile = hasScreen && process.stderr.isTTY ? join(settings.stateDir, 'logs', `${runId}.log`) : null;
  return {
    clock: new SystemClock(),
    random: seededRandom(settings.seed),
    runId,
    logFile,
    logger: openLogger(settings.log.level, secrets, logFile).child({ runId }),
  };
}

function openLogger(level: LogLevel, secrets: readonly string[], logFile: string | null): Logger {
  if (logFile === null) return createLogger({ level, secrets });
  makeFolder(join(logFile, '..'));
  const file = openSync(logFile, 'a', 0o600);
  return createLogger({ level, secrets, style: 'json', write: (line) => void writeSync(file, line) });
}

/** Sortable by time and never the same twice: `20260701-142233-9f3a1c`. */
function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
