/** The kill switch of an account on disk. */
import { statSync } from 'node:fs';
import type { Logger } from '../../core/ports/logger.js';
import { FolderWatch } from '../../storage/files/whole-files.js';
import { LatchFile, type LatchRecord } from '../../storage/state/latch-file.js';
import type { StatePaths } from './account-folder.js';
import { RetriedWrite } from './retried-write.js';

const UNWRITTEN = 'the kill switch cannot be written down; a restart would forget it';
const HALF_WRITTEN =
  'the kill switch cannot be written down beside the journal; it stands among the files of the user alone';
const COPY_UNWRITTEN =
  'the kill switch cannot be written down among the files of the user; a start from another folder would not know of it';
const COPY_UNCLEARED =
  'the kill switch was reset and cannot be removed among the files of the user; the next start is killed by it';

/** What a command did with both files. */
export interface Raised {
  /** The first file that this call wrote; null: the switch was up already, or no file could be written. */
  readonly path: string | null;
  /** A file that exists now; null: none. */
  readonly standing: string | null;
  readonly errors: readonly Error[];
}

/**
 * Keeps the kill switch as two files: one in the account's folder, and a copy in the user's own folder. Either one stops
 * the bot from quoting. The copy helps when the account's folder is deleted or not writable. A person who removes the first
 * file resets both. A folder that was deleted or unmounted resets nothing.
 */
export class KillFile {
  readonly #own: Place;
  readonly #copy: Place | null;
  #seen: Place | null = null;

  constructor(
    { kill, killCopy }: Pick<StatePaths, 'kill' | 'killCopy'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    const copy = killCopy === null ? null : new LatchCopy(killCopy);
    this.#copy = copy && placeOf(copy, (err) => logger.error(COPY_UNWRITTEN, { path: killCopy, err }));
    this.#own = placeOf(new LatchFile(kill), (err) =>
      logger.error(copy?.isUp === true ? HALF_WRITTEN : UNWRITTEN, { path: kill, err }),
    );
  }

  get isUp(): boolean {
    return this.#standing !== null;
  }

  /** Tells whether the file in the account's folder exists. Cheap enough for every order. */
  get isUpInFolder(): boolean {
    return this.#own.latch.isUp;
  }

  /** The switch was up, and {@link clear} was not called since. */
  get wasSeen(): boolean {
    return this.#seen !== null;
  }

  /** Tells whether the folder is still the one where the file was seen. Then a missing file was removed by a person. */
  get isFolderSame(): boolean {
    return this.#seen?.sight.isSame ?? false;
  }

  read(): LatchRecord | null {
    return this.#own.latch.read() ?? this.#copy?.latch.read() ?? null;
  }

  /** Remembers where the switch is up, and writes the missing file. */
  note(): void {
    this.#seen = this.#standing;
    this.#seen?.sight.note();
    const isHalf = this.#seen !== this.#own || this.#copy?.latch.isUp === false;
    if (isHalf) this.write(this.read() ?? { reason: '', at: '' });
  }

  /** @returns whether either file exists. A failure is logged once and tried again with the next call */
  write(record: LatchRecord): boolean {
    const [own, copy] = [this.#own, this.#copy];
    const hasCopy = copy !== null && copy.writes.attempt(() => copy.latch.raise(record));
    const hasOwn = own.writes.attempt(() => own.latch.raise(record));
    const place = hasOwn ? own : hasCopy ? copy : null;
    if (place === null) return false;
    this.#seen = place;
    place.sight.note();
    return true;
  }

  /** Writes both files, for a command that reports failures itself. */
  raise(record: LatchRecord): Raised {
    const latches = [this.#own, this.#copy].flatMap((place) => place?.latch ?? []);
    const errors: Error[] = [];
    const raised = latches.filter((latch) => {
      try {
        return latch.raise(record);
      } catch (error) {
        errors.push(error as Error);
        return false;
      }
    });
    const standing = latches.find(({ isUp }) => isUp)?.path ?? null;
    return { path: raised[0]?.path ?? null, standing, errors };
  }

  /** Removes both for a person. @returns the files that existed. @throws an error of the file system for the first one */
  clear(): readonly string[] {
    const cleared = this.#own.latch.clear() ? [this.#own.latch.path] : [];
    this.#seen = null;
    const copy = this.#copy?.latch;
    try {
      return copy?.clear() === true ? [...cleared, copy.path] : cleared;
    } catch (err) {
      this.logger.error(COPY_UNCLEARED, { path: copy?.path, err });
      return cleared;
    }
  }

  get #standing(): Place | null {
    if (this.#own.latch.isUp) return this.#own;
    return this.#seen !== this.#own && this.#copy?.latch.isUp === true ? this.#copy : null;
  }
}

/** One of the two files. */
interface Place {
  readonly latch: LatchFile;
  readonly sight: FolderWatch;
  readonly writes: RetriedWrite;
}

const placeOf = (latch: LatchFile, report: (error: unknown) => void): Place => ({
  latch,
  sight: new FolderWatch(latch.path),
  writes: new RetriedWrite(report),
});

/** A bot needs no home folder. An unreadable one counts as having no copy. */
class LatchCopy extends LatchFile {
  override get isUp(): boolean {
    try {
      return statSync(this.path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }

  override read(): LatchRecord | null {
    return this.isUp ? super.read() : null;
  }

  override clear(): boolean {
    return this.isUp && super.clear();
  }
}
