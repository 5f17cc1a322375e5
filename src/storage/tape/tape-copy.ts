/** A tape made from other tapes or recordings. */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cannotWrite, UsageError } from '../../domain/errors.js';
import { makeFolder, writeBytes } from '../files/whole-files.js';
import { sumDigits } from '../log/segment.js';
import { type HeadRecord, type Received, TAPE_VERSION, type TapeRecord } from './records.js';
import { segmentName } from './tape-files.js';
import { LineWriter } from './tape-line.js';

/** Text of a file before the next one begins. */
const SEGMENT_BYTES = 64 * 1_048_576;
/** Text that is packed and written together. */
const PIECE_BYTES = 1_048_576;

export class TapeCopy {
  private readonly lines = new LineWriter();
  private file: number | null = null;
  private text = '';
  private number = 0;
  private bytes = 0;

  /**
   * @param out a folder that is empty or not there; a name that ends in `.ndjson` makes one file of plain text
   * @param last time of the last line; at first that of the first line
   * @throws UsageError when something is there already, or nothing can be written there
   */
  constructor(
    private readonly out: string,
    private readonly head: HeadRecord,
    private last: Received,
  ) {
    if (isTaken(out)) throw new UsageError(`${out} is there already; name another place with --out`);
    this.open();
    this.write(head, last);
  }

  /** Lines so far. */
  get count(): number {
    return this.lines.last.n;
  }

  /** @throws UsageError when the disk does not take it */
  write(record: TapeRecord, received: Received): void {
    if (this.bytes >= SEGMENT_BYTES && !isPlain(this.out)) {
      this.finish(true);
      this.open();
    }
    this.put(record, received);
  }

  /** @throws UsageError when the disk does not take it */
  close(): void {
    this.finish(false);
  }

  /** Removes what was written so far: half a tape would look like a whole one that was killed. */
  abandon(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
    rmSync(this.out, { recursive: true, force: true });
  }

  private open(): void {
    this.number += 1;
    this.bytes = 0;
    makeFolder(dirname(this.path));
    this.file = this.orRefuse(() => openSync(this.path, 'wx', 0o600));
    const chain = sumDigits(this.lines.last.sum);
    const { number, head } = this;
    const segment = { version: TAPE_VERSION, number, run: head.run, chain, restart: false };
    this.put({ kind: 'segment', ...segment }, this.last);
  }

  private put(record: TapeRecord, received: Received): void {
    const line = this.lines.write(record, received);
    this.last = received;
    this.text += line;
    this.bytes += line.length;
    if (this.text.length >= PIECE_BYTES) this.flush();
  }

  private flush(): void {
    const bytes = isPlain(this.out) ? Buffer.from(this.text) : gzipSync(this.text);
    this.text = '';
    this.orRefuse(() => writeBytes(this.file!, bytes));
  }

  private finish(more: boolean): void {
    this.put({ kind: 'close', more }, this.last);
    this.flush();
    closeSync(this.file!);
    this.file = null;
  }

  private get path(): string {
    return isPlain(this.out) ? this.out : join(this.out, segmentName(this.number));
  }

  private orRefuse<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }
}

/** Whether something would be overwritten. */
function isTaken(out: string): boolean {
  if (!existsSync(out)) return false;
  return isPlain(out) || !statSync(out).isDirectory() || readdirSync(out).length > 0;
}

const isPlain = (out: string): boolean => out.endsWith('.ndjson');
