/** What holds a bot back and outlives it: the fence that a guard raised, and the kill switch on the disk. */
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { KillReason } from '../../core/risk/kill-switch.js';
import { FolderWatch } from '../../storage/files/whole-files.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import type { StatePaths } from './account-folder.js';
import { KillFile } from './kill-file.js';

/** A guard withdrew this bot's orders, and nobody has looked since. */
export class FencedError extends OddsmithError {
  readonly code = 'ODDSMITH_FENCED';
  readonly exit = EXIT.killLatched;
}

export interface LatchOptions {
  readonly paths: Pick<StatePaths, 'fence' | 'kill' | 'killCopy'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The engine's kill switch; null while quoting is allowed. */
  readonly killed: () => KillReason | null;
  readonly kill: (reason: string) => void;
  /** A person accepts whatever latched. */
  readonly resume: () => void;
  /** The fence was cleared: what else latched holds. */
  readonly release: () => void;
}

/** Reason of a kill that lasts exactly as long as the fence. */
const FENCED = 'a guard raised its fence';
/**
 * A look at the files serves for so long. A guard raises its fence after a second of silence at the earliest, and a
 * process that stood still looks again, because the clock that measures this went on.
 */
const LOOK_SERVES_US = 50_000;

/**
 * Keeps the engine's kill switch and the files in agreement, whoever moves first: a file that appears kills, one that
 * a person removes resumes, and a switch that latched by itself is written down.
 */
export class Latches {
  private readonly fence: LatchFile;
  private readonly kill: KillFile;
  /** Where a fence was seen. */
  private readonly sight: FolderWatch;
  /** What a person killed, until it is written down. */
  private owed: KillReason | null = null;
  private lookedAt = -Infinity;
  private found: 'fenced' | 'killed' | null = null;

  constructor(private readonly options: LatchOptions) {
    const { paths, logger } = options;
    this.fence = new LatchFile(paths.fence);
    this.kill = new KillFile(paths, logger);
    this.sight = new FolderWatch(paths.fence);
  }

  /** Asked when an order is about to leave. @returns why it must not, or null */
  objection(): 'fenced' | 'killed' | null {
    const at = this.options.clock.monotonic();
    if (at - this.lookedAt < LOOK_SERVES_US) return this.found;
    this.lookedAt = at;
    this.found = this.fence.isUp ? 'fenced' : this.kill.isUpInFolder ? 'killed' : null;
    return this.found;
  }

  /** Brings switch and files into agreement. Called several times a second and after every command. */
  review(): void {
    this.lookedAt = -Infinity;
    if (this.owed !== null && this.write(this.owed)) this.owed = null;
    const killed = this.options.killed();
    if (killed === null) this.obey();
    else if (this.kill.isUp) this.kill.note();
    else if (this.kill.wasSeen) this.accept(killed);
    else if (killed.reason !== FENCED) this.write(killed);
    else if (this.owed === null) this.unfence();
  }

  /** A person kills: that holds whatever has latched the switch before, and whenever a fence is cleared. */
  latch(reason: string): void {
    this.options.kill(reason);
    this.owed = { reason, at: this.options.clock.now() };
    this.review();
  }

  /** A person resumes. @returns false while a fence stands: it has to be cleared first */
  clear(): boolean {
    if (this.fence.isUp) return false;
    this.kill.clear();
    this.owed = null;
    this.options.resume();
    return true;
  }

  private obey(): void {
    const isUp = this.kill.isUp;
    if (isUp) this.kill.note();
    else if (this.kill.wasSeen) this.kill.clear();
    if (this.fence.isUp) this.sight.note();
    if (this.fence.isUp) this.options.kill(FENCED);
    else if (isUp) this.options.kill(this.kill.read()?.reason ?? '');
  }

  /** A person has looked at the orders; what guards latched, and losses, are another matter. */
  private unfence(): void {
    if (this.fence.isUp || !this.sight.isSame) return;
    this.options.release();
  }

  /** A person removed the file, and not its whole folder. */
  private accept(killed: KillReason): void {
    if (this.fence.isUp) return;
    if (!this.kill.isFolderSame) return void this.write(killed);
    this.kill.clear();
    this.options.resume();
  }

  /** @returns whether it is written down */
  private write({ reason, at }: KillReason): boolean {
    return this.kill.write({ reason, at: isoTime(at) });
  }
}

export interface EarlyKill extends Pick<LatchOptions, 'clock' | 'logger'> {
  readonly paths: Pick<StatePaths, 'kill' | 'killCopy'>;
  readonly reason: string;
}

/**
 * A person kills before the bot has started: the switch holds for that bot, should it start, and for the next.
 * @returns false when it could not be written down: who starts the bot has to tell it
 */
export const killBeforeStart = ({ paths, clock, logger, reason }: EarlyKill): boolean =>
  new KillFile(paths, logger).write({ reason, at: isoTime(clock.now()) });

/** @throws FencedError while the fence of a guard stands */
export function requireNoFence(path: string, file: string): void {
  const record = new LatchFile(path).read();
  if (record === null) return;
  throw new FencedError(
    `a fence stands since ${record.at} (${path}): ${record.reason}. Look at the orders and holdings of the account, ` +
      `then: oddsmith guard clear ${file}`,
  );
}

export const isoTime = (at: Micros): string => new Date(at / 1_000).toISOString();
