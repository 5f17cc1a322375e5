/** The kill switch of a place on the disk: beside its journal, and among the files of the user. */
import type { Logger } from '../../core/ports/logger.js';
import { FolderWatch } from '../../storage/files/whole-files.js';
import { LatchFile, type LatchRecord } from '../../storage/state/latch-file.js';
import { ToldFailures } from './told-failures.js';
import type { UserKill } from './user-kills.js';

const UNWRITTEN = 'the kill switch cannot be written down; a restart would forget it';
const HALF_WRITTEN =
  'the kill switch cannot be written down beside the journal; it stands among the files of the user alone';
const USER_UNWRITTEN =
  'the kill switch cannot be written down among the files of the user; a start from another folder would not know of it';
const USER_UNCLEARED =
  'the kill switch was reset and cannot be taken away among the files of the user; the next start is killed by it';

/**
 * Both files of a bot that runs. It is up while either is; the one beside the journal leads once it was seen, so that a
 * person who takes it away resets both. A folder that was swept or unmounted is nobody's word.
 */
export class KillOnDisk {
  readonly #here: LatchFile;
  readonly #sight: FolderWatch;
  readonly #userSight: FolderWatch | null;
  #seen: 'here' | 'user' | null = null;
  readonly #failures: ToldFailures;
  readonly #userFailures: ToldFailures;

  /** @param user the same among the files of the user; null: nobody else is to know of it */
  constructor(
    path: string,
    private readonly user: UserKill | null,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    this.#here = new LatchFile(path);
    this.#sight = new FolderWatch(path);
    this.#userSight = user === null ? null : new FolderWatch(user.path);
    this.#failures = new ToldFailures((err) =>
      logger.error(user?.isUp === true ? HALF_WRITTEN : UNWRITTEN, { path, err }),
    );
    this.#userFailures = new ToldFailures((err) => logger.error(USER_UNWRITTEN, { path: user?.path, err }));
  }

  get isUp(): boolean {
    return this.#standing !== null;
  }

  /** As an order asks that is about to leave. */
  get isUpHere(): boolean {
    return this.#here.isUp;
  }

  /** It was up, and nobody has reset it since by way of {@link clear}. */
  get wasSeen(): boolean {
    return this.#seen !== null;
  }

  /** Its folder is the one in which it was seen: if it is gone, a person took it away. */
  get isFolderSame(): boolean {
    return (this.#seen === 'user' ? this.#userSight : this.#sight)?.isSame ?? false;
  }

  read(): LatchRecord | null {
    return this.#here.read() ?? this.user?.read() ?? null;
  }

  /** It is up: from now on that it is gone means something, and where one file is missing it is written. */
  note(): void {
    this.#seen = this.#standing;
    if (this.#seen === 'here') this.#sight.note();
    else this.#userSight?.note();
    if (this.#seen === 'user' || this.user?.isUp === false) this.write(this.read() ?? { reason: '', at: '' });
  }

  /** @returns whether it stands in either place. What fails is told once and tried again with the next call */
  write(record: LatchRecord): boolean {
    const { user } = this;
    const isWide = user !== null && this.#userFailures.attempt(() => user.raise(record));
    const isHere = this.#failures.attempt(() => this.#here.raise(record));
    if (isHere) this.#seeHere();
    else if (isWide) this.#seeUser();
    return isHere || isWide;
  }

  /** A person resets it. @throws an error of the file system when it stands beside the journal afterwards */
  clear(): void {
    this.#here.clear();
    this.#seen = null;
    try {
      this.user?.clear();
    } catch (err) {
      this.logger.error(USER_UNCLEARED, { path: this.user?.path, err });
    }
  }

  get #standing(): 'here' | 'user' | null {
    if (this.#here.isUp) return 'here';
    return this.#seen !== 'here' && this.user?.isUp === true ? 'user' : null;
  }

  #seeHere(): void {
    this.#seen = 'here';
    this.#sight.note();
  }

  #seeUser(): void {
    this.#seen = 'user';
    this.#userSight?.note();
  }
}
