import { EXIT, type ExitCode } from '../../../domain/errors.js';
import { surveyTape, TapeError, TapeReader, type TapeSurvey } from '../../../storage/index.js';
import { ReadingProgress } from '../../screen/reading-progress.js';
import { infoLines, verdictLines } from './survey-text.js';

export interface SurveyArguments {
  readonly json: boolean;
}

/** `oddsmith tape info <tape>`: what is on it. */
export async function tapeInfo(path: string, { json }: SurveyArguments): Promise<ExitCode> {
  const survey = await surveyed('reading', path);
  print(json ? [JSON.stringify(survey)] : infoLines(survey));
  return EXIT.clean;
}

/** `oddsmith tape verify <tape>`: 0 when every line is as it was written and belongs there, else 1. */
export async function verifyTape(path: string, { json }: SurveyArguments): Promise<ExitCode> {
  try {
    const survey = await surveyed('verifying', path);
    print(json ? [JSON.stringify({ damaged: null, ...survey })] : verdictLines(survey));
    return survey.oddityCount === 0 ? EXIT.clean : EXIT.internal;
  } catch (error) {
    if (!(error instanceof TapeError)) throw error;
    print(json ? [JSON.stringify({ damaged: error.message, place: error.place })] : [error.message]);
    return EXIT.internal;
  }
}

async function surveyed(what: string, path: string): Promise<TapeSurvey> {
  const progress = new ReadingProgress(what, await new TapeReader(path).packedBytes());
  try {
    return await surveyTape(path, { onRead: progress.onRead });
  } finally {
    progress.done();
  }
}

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
