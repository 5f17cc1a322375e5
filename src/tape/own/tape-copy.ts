/** A tape that is made from others or from recordings, as fast as it can be read and no faster than the disk takes it. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { PassThrough, type Transform, type Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { UsageError } from '../../domain/errors.js';
import { LineWriter } from './line-text.js';
import { type HeadRecord, type Received, TAPE_VERSION, type TapeRecord } from './records.js';
import { CHAIN_START, sumDigits } from './seal.js';
import { segmentName } from './tape-writer.js';

const SEGMENT_BYTES = 64 * 1_048_576;
const NOWHERE: Received = { at: 0 as Received['at'], mono: 0 };

export class TapeCopy {
  private readonly lines = new LineWriter({ n: 0, sum: CHAIN_START });
  private packing: Transform = new PassThrough();
  private file: Writable = new PassThrough();
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
   * @throws UsageError when something is there already
   */
  static async create(out: string, head: HeadRecord, at: Received): Promise<TapeCopy> {
    const isThere = existsSync(out) && (isPlain(out) || readdirSync(out).length > 0);
    if (isThere) throw new UsageError(`${out} is there already; name another place with --out`);
    const copy = new TapeCopy(out, head);
    copy.last = at;
    await copy.open();
    await copy.put(head, at);
    return copy;
  }

  /** Lines so far. */
  get written(): number {
    return this.lines.last.n;
  }

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

  /** Takes away what was written so far: half a tape would look like a whole one that was killed. */
  async abandon(): Promise<void> {
    this.packing.destroy();
    this.file.destroy();
    await once(this.file, 'close').catch(() => undefined);
    rmSync(this.out, { recursive: true, force: true });
  }

  private async put(record: TapeRecord, received: Received): Promise<void> {
    const text = this.lines.write(record, received);
    this.last = received;
    this.bytes += text.length;
    if (!this.packing.write(text)) await once(this.packing, 'drain');
  }

  private async open(): Promise<void> {
    this.number += 1;
    this.bytes = 0;
    mkdirSync(isPlain(this.out) ? dirname(this.out) : this.out, { recursive: true, mode: 0o700 });
    const path = isPlain(this.out) ? this.out : join(this.out, segmentName(this.number));
    this.packing = isPlain(this.out) ? new PassThrough() : createGzip();
    this.file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.packing.pipe(this.file);
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
    await finished(this.file);
  }
}

const isPlain = (out: string): boolean => out.endsWith('.ndjson');
