/** What every command that runs something needs: clock, chance, log. */
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/ports/clock.js';
import type { Random } from '../core/ports/random.js';
import { seededRandom } from '../storage/clocks/seeded-random.js';
import { SystemClock } from '../storage/clocks/system-clock.js';
import { type BotSettings, type Loaded, SettingsError } from '../settings/index.js';
import { LogFile } from '../ops/telemetry/log-file.js';
import { createLogger, type Logger } from '../ops/telemetry/logger.js';
import { cannotWrite, UsageError } from '../domain/errors.js';
import { refuseUnmakeable } from '../storage/files/whole-files.js';
import { Console } from 'node:console';
import { Writable } from 'node:stream';

export interface RunContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly runId: string;
  /** Where the log goes: log.file, or a file of its own while a screen occupies the terminal; null: standard error. */
  readonly logFile: string | null;
}

/**
 * @param hasScreen lines on standard error would tear the screen apart: they go to a file then
 * @param isAlone   the process runs nothing else: what is printed on its console goes to this log
 */
export function openContext(
  { settings, source }: Loaded<BotSettings>,
  secrets: readonly string[],
  hasScreen: boolean,
  isAlone = true,
): RunContext {
  requireStateDir({ settings, source });
  const runId = newRunId();
  const onScreen = hasScreen && process.stderr.isTTY ? join(settings.stateDir, 'logs', `${runId}.log`) : null;
  const logFile = settings.log.file ?? onScreen;
  const logger = openLogger(settings.log, secrets, logFile).child({ runId });
  if (isAlone) logConsole(logger);
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
export function logConsole(logger: Logger): void {
  globalThis.console = new Console(
    new Writable({
      decodeStrings: false,
      write(chunk: unknown, _encoding, done) {
        logger.info(String(chunk).trimEnd());
        done();
      },
    }),
  );
}

/** @throws UsageError when the file cannot be opened */
function openLogger(
  { level, maxMiB, keep }: BotSettings['log'],
  secrets: readonly string[],
  logFile: string | null,
): Logger {
  if (logFile === null) return createLogger({ level, secrets });
  try {
    const file = new LogFile({ path: logFile, maxBytes: maxMiB * MIB, keep });
    return createLogger({ level, secrets, style: 'json', write: (line) => file.write(line) });
  } catch (error) {
    throw cannotWrite(logFile, error);
  }
}

const MIB = 1_048_576;

/** Sortable by time and never the same twice: `20260701-142233-9f3a1c`. */
function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
