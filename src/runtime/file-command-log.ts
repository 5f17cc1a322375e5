import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { OddsmithError } from '../domain/errors.js';
import type { CommandLog, CommandRecord } from '../ports/command-log.js';
import { JournalError } from '../ports/journal.js';
import { CHAIN_START, judgeSeal, sealLine } from './sealed-line.js';

/** The log of an exchange cannot be replayed; it stays as it is. */
export class CommandLogError extends OddsmithError {
  readonly code = 'ODDSMITH_COMMAND_LOG';
}

export interface CommandLogOptions {
  /** Folder of this exchange alone, created when missing. */
  readonly dir: string;
  /** What the commands only make sense with: a log of another configuration is refused. */
  readonly configHash: string;
}

export interface OpenedCommandLog<Command> {
  readonly log: FileCommandLog<Command>;
  /** Everything logged so far, to be executed again in order. */
  readonly records: readonly CommandRecord<Command>[];
  /** Bytes of a write cut short by a crash that were removed from the end. */
  readonly tornBytes: number;
}

interface Header {
  readonly kind: 'exchange-commands';
  readonly version: number;
  readonly configHash: string;
}

const VERSION = 1;
const FILE = 'commands.ndjson';
const GROUP_DELAY_MS = 4;

/**
 * Every command of the exchange in one append-only file: in the kernel before the command is executed, on the disk
 * within 5 ms together with its neighbours.
 */
export class FileCommandLog<Command> implements CommandLog<Command> {
  readonly #dir: string;
  readonly #file: number;
  #sum: number;
  #bytes: number;
  #last: number;
  #timer: NodeJS.Timeout | null = null;
  #failed: JournalError | null = null;

  /** @throws CommandLogError when the file is damaged or belongs to another configuration */
  static open<Command>(options: CommandLogOptions): OpenedCommandLog<Command> {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const path = join(options.dir, FILE);
    const scan = scanFile<Command>(path, options.configHash);
    const log = new FileCommandLog<Command>(options, path, scan);
    return { log, records: scan.records, tornBytes: scan.tornBytes };
  }

  private constructor({ dir, configHash }: CommandLogOptions, path: string, scan: Scan<Command>) {
    this.#dir = dir;
    this.#sum = scan.sum;
    this.#bytes = scan.intactBytes;
    this.#last = scan.records.at(-1)?.sequence ?? 0;
    this.#file = openSync(path, 'a', 0o600);
    if (scan.tornBytes > 0) ftruncateSync(this.#file, scan.intactBytes);
    const header: Header = { kind: 'exchange-commands', version: VERSION, configHash };
    if (scan.intactBytes === 0) this.#write(JSON.stringify(header));
  }

  get lastSequence(): number {
    return this.#last;
  }

  append(record: CommandRecord<Command>): void {
    if (this.#failed !== null) throw this.#failed;
    this.#write(JSON.stringify(record));
    this.#last = record.sequence;
    this.#timer ??= setTimeout(() => this.#sync(), GROUP_DELAY_MS);
  }

  close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#failed ??= new JournalError('closed', `the command log in ${this.#dir} is closed`);
    fdatasyncSync(this.#file);
    closeSync(this.#file);
    return Promise.resolve();
  }

  /** Leaves the file as it was when the line does not fit: half a line would make the next one unreadable. */
  #write(body: string): void {
    const { text, sum } = sealLine(body, this.#sum);
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw new JournalError('write-failed', `${this.#dir}: ${(error as Error).message}`, { cause: error });
    }
    this.#sum = sum;
    this.#bytes += bytes.length;
  }

  #sync(): void {
    this.#timer = null;
    fdatasync(this.#file, (cause) => {
      // After a failed sync the kernel may drop the pages, and the next sync would report success.
      if (cause !== null)
        this.#failed ??= new JournalError('sync-failed', `${this.#dir}: ${cause.message}`, { cause });
    });
  }
}

interface Scan<Command> {
  readonly records: readonly CommandRecord<Command>[];
  readonly sum: number;
  readonly intactBytes: number;
  readonly tornBytes: number;
}

function scanFile<Command>(path: string, configHash: string): Scan<Command> {
  const bytes = readIfThere(path);
  const records: CommandRecord<Command>[] = [];
  let sum = CHAIN_START;
  let at = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, at);
    if (end < 0) return { records, sum, intactBytes: at, tornBytes: bytes.length - at };
    const verdict = judgeSeal(bytes.toString('utf8', at, end), sum);
    if (verdict.state === 'broken' && end === bytes.length - 1)
      return { records, sum, intactBytes: at, tornBytes: bytes.length - at };
    if (verdict.state !== 'intact')
      throw new CommandLogError(
        `${path}, line ${line}: the line is damaged. Restore the file from a copy, or move it away to begin anew.`,
      );
    if (line === 1) requireHeader(JSON.parse(verdict.body) as Partial<Header>, configHash, path);
    else records.push(JSON.parse(verdict.body) as CommandRecord<Command>);
    sum = verdict.sum;
    at = end + 1;
  }
}

function requireHeader(header: Partial<Header>, configHash: string, path: string): void {
  if (header.kind !== 'exchange-commands' || header.version !== VERSION)
    throw new CommandLogError(`${path}: not a command log of version ${VERSION}`);
  if (header.configHash !== configHash)
    throw new CommandLogError(
      `${path} was written with another configuration of accounts, events or fees; ` +
        'start with that configuration, or name another dataDir',
    );
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
