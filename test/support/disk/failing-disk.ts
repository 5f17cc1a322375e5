/** A file system that fails at a chosen change. For `vi.mock('node:fs', failingDisk)` through `vi.hoisted`. */
import type * as FileSystem from 'node:fs';

/** Thrown by every change after the kill: what a process would have done next, had it lived. */
export class Killed extends Error {}

/** What goes wrong, and at which change from now on, counted from 1. */
export interface DiskFault {
  readonly at: number;
  /** `kill`: nothing is changed any more. `full`: this change and the next `changes` fail. */
  readonly kind: 'kill' | 'full';
  readonly changes: number;
  /** Whether a write puts half of its bytes down before it fails. */
  readonly halfWrites: boolean;
}

export class Disk {
  #fault: DiskFault | null = null;
  #count = 0;

  /** Changes since the fault was set. */
  get changes(): number {
    return this.#count;
  }

  set(fault: DiskFault | null): void {
    this.#fault = fault;
    this.#count = 0;
  }

  /** Counts a change. @returns what it fails with */
  next(): Error | null {
    this.#count += 1;
    const fault = this.#fault;
    if (fault === null || this.#count < fault.at) return null;
    if (fault.kind === 'kill') return new Killed(`killed at change ${fault.at}`);
    if (this.#count > fault.at + fault.changes) return null;
    return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  }

  get halfWrites(): boolean {
    return this.#fault?.halfWrites ?? false;
  }

  /** Whether the next failing write is the first one. */
  get isFirstFailure(): boolean {
    return this.#count === this.#fault?.at;
  }
}

const CHANGES = [
  'fdatasyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'writeFileSync',
] as const;

/** @returns the file system in which every change passes the disk first */
export function onDisk(real: typeof FileSystem, disk: Disk): typeof FileSystem {
  const counted = CHANGES.map((name) => {
    const change = real[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => passing(disk, () => change(...args))] as const;
  });
  return {
    ...real,
    ...(Object.fromEntries(counted) as Partial<typeof FileSystem>),
    openSync: (path: string, flags: string | number, mode = 0o600) =>
      flags === 'r' ? real.openSync(path, flags) : passing(disk, () => real.openSync(path, flags, mode)),
    fsyncSync: (file: number) => passing(disk, () => real.fsyncSync(file)),
    writeSync: (file: number, bytes: Buffer, offset?: number) =>
      writing(real, disk, file, bytes, offset ?? 0),
  } as typeof FileSystem;
}

function passing<Result>(disk: Disk, change: () => Result): Result {
  const failure = disk.next();
  if (failure !== null) throw failure;
  return change();
}

function writing(real: typeof FileSystem, disk: Disk, file: number, bytes: Buffer, offset: number): number {
  const failure = disk.next();
  if (failure === null) return real.writeSync(file, bytes, offset);
  if (disk.halfWrites && disk.isFirstFailure)
    real.writeSync(file, bytes, offset, (bytes.length - offset) >> 1);
  throw failure;
}
