/** The kill switch of an account on the disk. */
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

/** What a command did to both files. */
export interface Raised {
  /** The first file that this call made; null: the switch stood already, or stands nowhere. */
  readonly path: string | null;
  /** A file that stands now; null: none. */
  readonly standing: string | null;
  readonly errors: readonly Error[];
}

/**
 * Two files: one in the folder of the account, and a copy among the files of the user, for the case that the folder is
 * swept or takes no files. Either one alone keeps the bot from quoting. Once the first file was seen it leads: a person who
 * removes it resets both. A folder that was swept or unmounted resets nothing.
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

  /** The file in the folder of the account; cheap enough to ask before each order. */
  get isUpInFolder(): boolean {
    return this.#own.latch.isUp;
  }

  /** It was up, and {@link clear} has not been called since. */
  get wasSeen(): boolean {
    return this.#seen !== null;
  }

  /** The file's folder is the one in which it was seen: if the file is gone, a person removed it. */
  get isFolderSame(): boolean {
    return this.#seen?.sight.isSame ?? false;
  }

  read(): LatchRecord | null {
    return this.#own.latch.read() ?? this.#copy?.latch.read() ?? null;
  }

  /** The switch is up: remembers where, and writes the file that is missing. */
  note(): void {
    this.#seen = this.#standing;
    this.#seen?.sight.note();
    const isHalf = this.#seen !== this.#own || this.#copy?.latch.isUp === false;
    if (isHalf) this.write(this.read() ?? { reason: '', at: '' });
  }

  /** @returns whether it stands in either place. A failure is logged once, and tried again with the next call */
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

  /** Raises both at once, for a command that reports what failed itself. */
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

  /** A person resets it. @returns the files that were there. @throws an error of the file system for the first one */
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

/** A bot needs no home folder: where nobody can look, the copy does not stand. */
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
