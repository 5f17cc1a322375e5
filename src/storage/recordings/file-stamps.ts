/** Whether files are still what they were: a recording that is read twice has to be the same one both times. */
import { statSync } from 'node:fs';
import { RecordingError } from './recording-error.js';

/** What changes when somebody writes to a file or puts another in its place. */
export interface FileStamp {
  readonly file: string;
  readonly bytes: number;
  /** Of the last change, Unix milliseconds. */
  readonly changedMs: number;
  readonly inode: number;
}

/** Files that are not there have none. */
export const stampsOf = (files: readonly string[]): readonly FileStamp[] =>
  files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined
      ? []
      : [{ file, bytes: found.size, changedMs: found.mtimeMs, inode: found.ino }];
  });

/**
 * @param files of the recording as it is now
 * @throws RecordingError when they are others than before, or changed
 */
export function refuseChanged(name: string, files: readonly string[], before: readonly FileStamp[]): void {
  const now = stampsOf(files);
  const isSame = now.length === before.length && now.every((stamp, at) => isEqual(stamp, before[at]!));
  if (isSame) return;
  const changed = now.find((stamp, at) => before[at] === undefined || !isEqual(stamp, before[at]));
  throw new RecordingError(
    changed?.file ?? name,
    0,
    'it changed while it was being read; if it is still being recorded, wait for its end or cut a part of it',
  );
}

const isEqual = (one: FileStamp, other: FileStamp): boolean =>
  one.file === other.file &&
  one.bytes === other.bytes &&
  one.changedMs === other.changedMs &&
  one.inode === other.inode;
