/** Where a line of a file begins, for what is found wrong with it only when it is traded. */
import { statSync } from 'node:fs';
import { RecordingError } from './recording-error.js';
import { LineSplitter, textOf } from '../tape/packed-text.js';
import type { TradesModel } from '../tape-market/market-flow.js';
import { tapeFiles, TapeError } from '../tape/tape-files.js';
import { OPENING } from '../log/sealed-line.js';
import { decodeOrders, ORDERS_HEAD } from './order-by-order.js';
import { decodeOwnTape } from './own-recording.js';
import { type BlockStream, decodeRecording } from './neutral-file.js';

/** What fails with a line of a recording names the byte of that line, too. Lines of own tapes are numbered through all files. */
export async function withOffsets<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof RecordingError ? await withOffset(error) : error;
  }
}

async function withOffset(error: RecordingError): Promise<RecordingError> {
  const { file, line, text, offset } = error;
  if (line === 0 || offset !== null || (await isOwnTape(file))) return error;
  return new RecordingError(file, line, text, await offsetOf(file, line));
}

async function offsetOf(file: string, line: number): Promise<number | null> {
  let count = 0;
  let found: number | null = null;
  const splitter = new LineSplitter((_bytes, _from, _to, offset) => {
    count += 1;
    if (count === line) found = offset;
  });
  for await (const piece of textOf(file, () => undefined)) {
    splitter.push(piece);
    if (found !== null) return found;
  }
  splitter.end();
  return found;
}

/** Which form a recording has: its first bytes tell, its name does not. */

export interface RecordingForm {
  /** Its files, in order. */
  readonly files: readonly string[];
  /** Decodes it from its beginning. */
  readonly open: () => BlockStream;
}

/**
 * @param path a file in the neutral form or order by order; a file or the folder of a tape of our own; the folder of a run
 * @param trades whether trades on a tape are inferred
 * @throws RecordingError, TapeError when there is no such recording
 */
export async function formOf(path: string, trades: TradesModel): Promise<RecordingForm> {
  const own = { open: () => decodeOwnTape(path, trades) };
  if (isFolder(path)) return { files: tapeFiles(path), ...own };
  const beginning = await beginningOf(path);
  if (beginning.startsWith(OPENING)) return { files: [path], ...own };
  if (beginning.startsWith(ORDERS_HEAD)) return { files: [path], open: () => decodeOrders(path) };
  return { files: [path], open: () => decodeRecording(path) };
}

/** Whether it is a tape of our own: a folder, or one of its files. @throws RecordingError when there is nothing */
export const isOwnTape = async (path: string): Promise<boolean> =>
  isFolder(path) || (await beginningOf(path)).startsWith(OPENING);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** First bytes of the unpacked text; none of a damaged file, which its decoder reports. */
async function beginningOf(path: string): Promise<string> {
  try {
    for await (const piece of textOf(path, () => undefined))
      return piece.toString('latin1', 0, ORDERS_HEAD.length);
  } catch (error) {
    if (!(error instanceof TapeError)) throw error;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new RecordingError(path, 0, error.problem);
  }
  return '';
}
