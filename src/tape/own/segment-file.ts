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
  /** Bytes are written only once this is over: the file before is complete whenever this one has any. */
  readonly after: Promise<void>;
  readonly onError: (error: Error) => void;
}

/** Packs in the thread pool and appends. Nothing here waits for the disk. */
export class SegmentFile {
  /** Resolves when all is written, or when the file has failed. */
  readonly done: Promise<void>;
  readonly #gzip: Gzip = createGzip({ level: LEVEL });
  #file: WriteStream | null = null;
  #isOver = false;

  constructor({ path, open, after, onError }: SegmentFileOptions) {
    this.done = new Promise((resolve) => {
      const fail = (error: Error): void => {
        if (!this.#isOver) onError(error);
        this.#isOver = true;
        this.#gzip.destroy();
        resolve();
      };
      this.#gzip.on('error', fail);
      const begin = (): void => {
        this.#file = open(path);
        this.#file.on('error', fail).on('close', resolve);
        this.#gzip.pipe(this.#file);
      };
      void after.then(begin);
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

  end(): Promise<void> {
    if (!this.#isOver) this.#gzip.end();
    return this.done;
  }
}
