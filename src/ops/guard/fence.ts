import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../../storage/files/whole-files.js';
import { LatchFile, type LatchRecord } from '../../storage/state/latch-file.js';
import type { StatePaths } from '../state/account-folder.js';

/**
 * A file that stops every bot of the account from creating orders. Beside it is the proof of a guard that no order of the
 * bot is left at the venue. Methods throw errors of the file system.
 */
export class Fence extends LatchFile {
  readonly #proof: string;

  constructor({ fence, proof }: Pick<StatePaths, 'fence' | 'proof'>) {
    super(fence);
    this.#proof = proof;
  }

  /** A guard has proved it since this fence was raised. A proof for an earlier fence does not count. */
  get isProved(): boolean {
    const record = this.read();
    if (record === null) return false;
    try {
      return readFileSync(this.#proof, 'utf8') === textOf(record);
    } catch {
      return false;
    }
  }

  prove(): void {
    const record = this.read();
    if (record !== null) replaceFile(this.#proof, textOf(record));
  }

  takeProofBack(): void {
    rmSync(this.#proof, { force: true });
  }
}

const textOf = (record: LatchRecord): string => JSON.stringify(record);
