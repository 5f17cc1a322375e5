/** Where a line of a file begins, for what is found wrong with it only when it is traded. */
import { isOwnTape } from './recording-form.js';
import { RecordingError } from './recording-error.js';
import { textOf } from '../tape/text-source.js';
import { LineSplitter } from './line-splitter.js';

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
