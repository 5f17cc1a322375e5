import { Surveyor, type TapeSurvey } from './survey.js';
import { TapeReader, type TapeReaderOptions } from './tape-reader.js';

/**
 * Reads a whole tape, checks every line against the one before, and counts.
 * @throws TapeError at the first line that is not as it was written
 */
export async function surveyTape(path: string, options: TapeReaderOptions = {}): Promise<TapeSurvey> {
  const reader = new TapeReader(path, options);
  const surveyor = new Surveyor();
  for await (const batch of reader.batches()) for (const placed of batch) surveyor.take(placed);
  return surveyor.result(reader.ending);
}
