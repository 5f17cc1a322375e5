import { open, type FileHandle, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { Clock } from '../../core/ports/clock.js';
import { micros } from '../../domain/units.js';
import { describeFailure, repeatedly, type ValueSink } from './source-parts.js';
import { LineSplitter } from './stated-values.js';

const EVERY_MS = 200;
const CHUNK = 1_048_576;
/** So much of what was read last is compared, to notice that a file was written anew. */
const COMPARED = 65_536;

/**
 * Follows a file: reads what it holds, then what is appended. A file that was cut, replaced or written anew is read from its
 * beginning.
 * @returns stops following
 */
export function followFile(path: string, clock: Clock, sink: ValueSink): () => Promise<void> {
  const follower = new FileFollower(path, sink);
  return repeatedly(clock, async () => {
    await follower.look();
    return EVERY_MS;
  });
}

class FileFollower {
  private lines = new LineSplitter();
  private offset = 0;
  private inode: number | null = null;
  private modified = 0;
  /** The last bytes before {@link offset}. */
  private tail: Buffer = Buffer.alloc(0);
  private isFirst = true;

  constructor(
    private readonly path: string,
    private readonly sink: ValueSink,
  ) {}

  async look(): Promise<void> {
    try {
      // Opening a pipe would wait for its writer.
      if (!(await stat(this.path)).isFile()) return this.sink.down(`${this.path} is no regular file`);
      const file = await open(this.path, 'r');
      try {
        await this.read(file, await file.stat());
      } finally {
        await file.close();
      }
      this.sink.up();
    } catch (error) {
      this.sink.down(`${this.path} cannot be read (${describeFailure(error)})`);
    }
  }

  private async read(file: FileHandle, stats: Stats): Promise<void> {
    if (await this.isAnother(file, stats)) this.begin();
    this.inode = stats.ino;
    this.modified = stats.mtimeMs;
    // Of what stood there before the bot nobody knows when it came, but it was not after the file was written last.
    const arrivedAt = this.isFirst ? micros(Math.round(stats.mtimeMs * 1_000)) : null;
    while (this.offset < stats.size) {
      const bytes = await bytesAt(file, this.offset, Math.min(CHUNK, stats.size - this.offset));
      if (bytes.length === 0) break;
      this.offset += bytes.length;
      this.tail = Buffer.from(Buffer.concat([this.tail, bytes]).subarray(-COMPARED));
      this.sink.take(this.lines.push(bytes), arrivedAt);
    }
    this.isFirst = false;
  }

  /** A file of the same size that was written since holds something else, and so does one whose read part changed. */
  private async isAnother(file: FileHandle, { ino, size, mtimeMs }: Stats): Promise<boolean> {
    if (ino !== this.inode || size < this.offset) return true;
    if (size === this.offset) return mtimeMs !== this.modified;
    const { length } = this.tail;
    return !(await bytesAt(file, this.offset - length, length)).equals(this.tail);
  }

  private begin(): void {
    this.lines = new LineSplitter();
    this.offset = 0;
    this.tail = Buffer.alloc(0);
    this.sink.begin();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
