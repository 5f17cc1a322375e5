/** Stops that outlive a bot: the fence of a guard, and the kill switch on disk. */
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Logger } from '../../core/ports/logger.js';
import type { KillReason } from '../../core/risk/kill-switch.js';
import { FolderWatch } from '../../storage/files/whole-files.js';
import { LatchFile } from '../../storage/state/latch-file.js';
import type { StatePaths } from './account-folder.js';
import { KillFile } from './kill-file.js';

/** A guard withdrew the bot's orders, and no person has cleared its fence since. */
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
  /** A person resets everything that latched. */
  readonly resume: () => void;
  /** The fence was cleared. Other latches hold. */
  readonly release: () => void;
}

/** Reason of a kill that ends with the fence. */
const FENCED = 'a guard raised its fence';
/**
 * The files are read again after this time. A guard raises its fence after a second of silence at the earliest. A process
 * that stood still reads again, because its clock went on.
 */
const LOOK_SERVES_US = 50_000;

/**
 * Keeps the engine's kill switch and the files equal. A new file kills. A file that a person removed resumes. A switch that
 * latched by itself is written.
 */
export class Latches {
  private readonly fence: LatchFile;
  private readonly kill: KillFile;
  /** File of the fence that was seen. */
  private readonly sight: FolderWatch;
  /** A kill by a person, until it is written. */
  private owed: KillReason | null = null;
  private lookedAt = -Infinity;
  private found: 'fenced' | 'killed' | null = null;

  constructor(private readonly options: LatchOptions) {
    const { paths, logger } = options;
    this.fence = new LatchFile(paths.fence);
    this.kill = new KillFile(paths, logger);
    this.sight = new FolderWatch(paths.fence);
  }

  /** Asked before an order leaves. @returns why it must not leave, or null */
  objection(): 'fenced' | 'killed' | null {
    const at = this.options.clock.monotonic();
    if (at - this.lookedAt < LOOK_SERVES_US) return this.found;
    this.lookedAt = at;
    this.found = this.fence.isUp ? 'fenced' : this.kill.isUpInFolder ? 'killed' : null;
    return this.found;
  }

  /** Makes switch and files equal. Called several times a second and after every command. */
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

  /** Kills for a person. The kill stays when a fence is cleared. */
  latch(reason: string): void {
    this.options.kill(reason);
    this.owed = { reason, at: this.options.clock.now() };
    this.review();
  }

  /** Resumes for a person. @returns false while a fence stands, which has to be cleared first */
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

  /** Ends the kill of a fence that a person cleared. Latches of guards and losses stay. */
  private unfence(): void {
    if (this.fence.isUp || !this.sight.isSame) return;
    this.options.release();
  }

  /** Resumes after a person removed the file. A missing folder resumes nothing. */
  private accept(killed: KillReason): void {
    if (this.fence.isUp) return;
    if (!this.kill.isFolderSame) return void this.write(killed);
    this.kill.clear();
    this.options.resume();
  }

  /** @returns whether it was written */
  private write({ reason, at }: KillReason): boolean {
    return this.kill.write({ reason, at: isoTime(at) });
  }
}

export interface EarlyKill extends Pick<LatchOptions, 'clock' | 'logger'> {
  readonly paths: Pick<StatePaths, 'kill' | 'killCopy'>;
  readonly reason: string;
}

/**
 * Kills for a person before the bot has started. The switch holds for that bot and for the next.
 * @returns false when it could not be written: the caller has to kill the bot after its start
 */
export const killBeforeStart = ({ paths, clock, logger, reason }: EarlyKill): boolean =>
  new KillFile(paths, logger).write({ reason, at: isoTime(clock.now()) });

/** @throws FencedError while the fence of a guard stands */
export function requireNoFence(path: string, file: string): void {
  const record = new LatchFile(path).read();
  if (record === null) return;
  throw new FencedError(
    `a fence is up since ${record.at} (${path}): ${record.reason}. Look at the orders and holdings of the account, ` +
      `then: oddsmith guard clear ${file}`,
  );
}

export const isoTime = (at: Micros): string => new Date(at / 1_000).toISOString();
