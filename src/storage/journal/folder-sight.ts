import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Tells a file that somebody took away from one whose folder went with it: a disk that is unmounted, or a folder that was
 * swept and made anew, is nobody's word about the file.
 */
export class FolderSight {
  readonly #folder: string;
  #seen = '';

  /** @param path of the file */
  constructor(path: string) {
    this.#folder = dirname(path);
  }

  /** The file is there now. */
  note(): void {
    this.#seen = identityOf(this.#folder);
  }

  /** Whether the folder is the one in which the file was seen last. */
  get isSame(): boolean {
    return this.#seen !== '' && identityOf(this.#folder) === this.#seen;
  }
}

/** @returns nothing for a folder that is not there */
function identityOf(folder: string): string {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}/${ino}`;
  } catch {
    return '';
  }
}
