/** A tape made from other tapes or recordings, no faster than the disk takes it. */
import { createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PassThrough, type Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { cannotWrite, UsageError } from '../../domain/errors.js';
import { makeFolder } from '../files/whole-files.js';
import { LineWriter } from './tape-line.js';
import { type HeadRecord, type Received, TAPE_VERSION, type TapeRecord } from './records.js';
import { sumDigits } from '../log/sealed-line.js';
import { segmentName } from './tape-files.js';

const SEGMENT_BYTES = 64 * 1_048_576;
const NOWHERE: Received = { at: 0 as Received['at'], mono: 0 };

export class TapeCopy {
  private readonly lines = new LineWriter();
  private packing: Transform = new PassThrough();
  /** Resolves when the present file is written, rejects when the disk does not take it. */
  private written: Promise<void> = Promise.resolve();
  private number = 0;
  private bytes = 0;
  private last: Received = NOWHERE;

  private constructor(
    private readonly out: string,
    private readonly head: HeadRecord,
  ) {}

  /**
   * @param out a folder that is empty or not there; a name that ends in `.ndjson` makes one file of plain text
   * @param at  of the first line
   * @throws UsageError when something is there already, or nothing can be written there
   */
  static async create(out: string, head: HeadRecord, at: Received): Promise<TapeCopy> {
    if (isTaken(out)) throw new UsageError(`${out} is there already; name another place with --out`);
    const copy = new TapeCopy(out, head);
    copy.last = at;
    await copy.open();
    await copy.put(head, at);
    return copy;
  }

  /** Lines so far. */
  get count(): number {
    return this.lines.last.n;
  }

  /** @throws UsageError when the disk does not take it */
  async write(record: TapeRecord, received: Received): Promise<void> {
    if (this.bytes >= SEGMENT_BYTES && !isPlain(this.out)) {
      await this.finish(true);
      await this.open();
    }
    await this.put(record, received);
  }

  async close(): Promise<void> {
    await this.finish(false);
  }

  /** Removes what was written so far: half a tape would look like a whole one that was killed. */
  async abandon(): Promise<void> {
    this.packing.destroy();
    await this.written.catch(() => undefined);
    rmSync(this.out, { recursive: true, force: true });
  }

  private async put(record: TapeRecord, received: Received): Promise<void> {
    const text = this.lines.write(record, received);
    this.last = received;
    this.bytes += text.length;
    if (this.packing.destroyed) return this.written;
    if (!this.packing.write(text)) await once(this.packing, 'drain').catch(() => this.written);
  }

  private async open(): Promise<void> {
    this.number += 1;
    this.bytes = 0;
    const path = isPlain(this.out) ? this.out : join(this.out, segmentName(this.number));
    makeFolder(dirname(path));
    this.packing = isPlain(this.out) ? new PassThrough() : createGzip();
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.written = pipeline(this.packing, file).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
    // Reported with the next line, or at the end.
    this.written.catch(() => undefined);
    const chain = sumDigits(this.lines.last.sum);
    const { number, head } = this;
    await this.put(
      { kind: 'segment', version: TAPE_VERSION, number, run: head.run, chain, restart: false },
      this.last,
    );
  }

  private async finish(more: boolean): Promise<void> {
    await this.put({ kind: 'close', more }, this.last);
    this.packing.end();
    await this.written;
  }
}

/** Whether something would be overwritten. */
function isTaken(out: string): boolean {
  if (!existsSync(out)) return false;
  return isPlain(out) || !statSync(out).isDirectory() || readdirSync(out).length > 0;
}

const isPlain = (out: string): boolean => out.endsWith('.ndjson');
