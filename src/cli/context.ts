/** What every command that runs something needs: clock, chance, log. */
import { accessSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/ports/clock.js';
import type { Random } from '../core/ports/random.js';
import { seededRandom } from '../storage/clocks/seeded-random.js';
import { SystemClock } from '../storage/clocks/system-clock.js';
import { type BotSettings, type Loaded, SettingsError } from '../settings/index.js';
import { createLogger, type Logger, type LogLevel } from '../ops/telemetry/logger.js';
import { UsageError } from '../domain/errors.js';
import { makeFolder, refuseUnmakeable } from '../storage/files/whole-files.js';
import { Console } from 'node:console';
import { Writable } from 'node:stream';

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
  { settings, source }: Loaded<BotSettings>,
  secrets: readonly string[],
  hasScreen: boolean,
): RunContext {
  requireStateDir({ settings, source });
  const runId = newRunId();
  const logFile = hasScreen && process.stderr.isTTY ? join(settings.stateDir, 'logs', `${runId}.log`) : null;
  const logger = openLogger(settings.log.level, secrets, logFile).child({ runId });
  globalThis.console = loggingConsole(logger);
  return { clock: new SystemClock(), random: seededRandom(settings.seed), runId, logFile, logger };
}

/** A folder that is there, or can be made. @throws SettingsError at the key */
export function requireStateDir({ settings, source }: Loaded<BotSettings>): void {
  const { stateDir } = settings;
  try {
    refuseUnmakeable(stateDir);
    if (existsSync(stateDir)) accessSync(`${stateDir}/.`, constants.W_OK);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = error instanceof UsageError ? message : `${stateDir} cannot be written (${code})`;
    const text = `${reason}; the state of the bot is kept there`;
    throw new SettingsError(source.file, [source.problem(['stateDir'], text)]);
  }
}

/** What strategies and libraries print on the console goes to the log: standard output is for results and the screen. */
const loggingConsole = (logger: Logger): Console =>
  new Console(
    new Writable({
      decodeStrings: false,
      write(chunk: unknown, _encoding, done) {
        logger.info(String(chunk).trimEnd());
        done();
      },
    }),
  );

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
