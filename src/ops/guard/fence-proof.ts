import { readFileSync, rmSync } from 'node:fs';
import type { LatchFile } from '../../storage/state/latch-file.js';
import { replaceFile } from '../../storage/files/whole-files.js';

/** Beside the fence: that a guard has proved, since it stood, that nothing of the bot stands or can still come. */
export class FenceProof {
  constructor(
    private readonly path: string,
    private readonly fence: Pick<LatchFile, 'read'>,
  ) {}

  /** Of the fence that stands now, and of no other. */
  get holds(): boolean {
    const told = this.told();
    if (told === null) return false;
    try {
      return readFileSync(this.path, 'utf8') === told;
    } catch {
      return false;
    }
  }

  /** @throws an error of the file system */
  give(): void {
    const told = this.told();
    if (told !== null) replaceFile(this.path, told);
  }

  /** @throws an error of the file system */
  takeBack(): void {
    rmSync(this.path, { force: true });
  }

  private told(): string | null {
    const record = this.fence.read();
    return record === null ? null : JSON.stringify(record);
  }
}
