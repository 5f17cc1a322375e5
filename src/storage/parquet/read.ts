/** Reads small Parquet files whole. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** What is used of hyparquet. */
interface Reader {
  readonly parquetReadObjects: (from: {
    readonly file: ArrayBuffer;
  }) => Promise<readonly Record<string, unknown>[]>;
}

/**
 * Rows of a file by name of the column. Times are dates, decimals are numbers, integers are bigints.
 * @throws an error of the file system, or of a file that is no Parquet
 */
export async function readParquet(path: string): Promise<readonly Record<string, unknown>[]> {
  const { buffer, byteOffset, length } = readFileSync(path);
  const { parquetReadObjects } = await reader();
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) });
}

/** The writer brings the reader along, as its own dependency. */
async function reader(): Promise<Reader> {
  const own = createRequire(import.meta.url);
  const path = createRequire(own.resolve('hyparquet-writer')).resolve('hyparquet');
  return (await import(pathToFileURL(path).href)) as Reader;
}
