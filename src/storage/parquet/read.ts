/** Reads small Parquet files whole. */
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';

/**
 * Rows of a file by name of the column. Times are dates, decimals are numbers, integers are bigints.
 * @throws an error of the file system, or of a file that is no Parquet
 */
export function readParquet(path: string): Promise<readonly Record<string, unknown>[]> {
  const { buffer, byteOffset, length } = readFileSync(path);
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) });
}
