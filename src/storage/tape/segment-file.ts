/** One gzip file of a tape while it is written. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { constants, createGzip, type Gzip } from 'node:zlib';

/** Fast: recording runs beside trading. */
const LEVEL = 1;

/** Where the packed bytes go; a file that must not exist yet, unless a test says otherwise. */
export type OpenFile = (path: string) => WriteStream;

export const openNewFile: OpenFile = (path) => createWriteStream(path, { flags: 'ax', mode: 0o600 });

export interface SegmentFileOptions {
  readonly path: string;
  readonly open: OpenFile;
  /** Bytes are written only once this is over, and said that the file before is complete. */
  readonly after: Promise<boolean>;
  readonly onError: (error: Error) => void;
}

/** Packs in the thread pool and appends. Nothing here waits for the disk. */
export class SegmentFile {
  /** Whether all is written, once that is known: not where this file, or one before it, has failed. */
  readonly done: Promise<boolean>;
  readonly #gzip: Gzip = createGzip({ level: LEVEL });
  #file: WriteStream | null = null;
  #isOver = false;

  constructor({ path, open, after, onError }: SegmentFileOptions) {
    this.done = new Promise((resolve) => {
      const fail = (error: Error): void => {
        if (!this.#isOver) onError(error);
        giveUp();
      };
      const giveUp = (): void => {
        this.#isOver = true;
        this.#gzip.destroy();
        resolve(false);
      };
      this.#gzip.on('error', fail);
      const begin = (): void => {
        this.#file = open(path);
        this.#file.on('error', fail).on('close', () => resolve(true));
        this.#gzip.pipe(this.#file);
      };
      void after.then((isComplete) => (isComplete ? begin() : giveUp()));
    });
  }

  /** Bytes of text and of packed data that wait for the disk. */
  get waiting(): number {
    return this.#gzip.writableLength + this.#gzip.readableLength + (this.#file?.writableLength ?? 0);
  }

  write(text: string): void {
    if (!this.#isOver) this.#gzip.write(text);
  }

  /** What was written so far can be read from the file soon, whatever becomes of the process. */
  flush(): void {
    if (!this.#isOver) this.#gzip.flush(constants.Z_SYNC_FLUSH);
  }

  end(): Promise<boolean> {
    if (!this.#isOver) this.#gzip.end();
    return this.done;
  }
}
