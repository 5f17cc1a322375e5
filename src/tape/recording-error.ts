import { UsageError } from '../domain/errors.js';

/** A recording that cannot be used: file, line, what was found, what was expected. */
export class RecordingError extends UsageError {
  constructor(
    readonly file: string,
    readonly line: number,
    text: string,
  ) {
    super(line === 0 ? `${file}: ${text}` : `${file}:${line}: ${text}`);
  }
}
