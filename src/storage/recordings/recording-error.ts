import { UsageError } from '../../domain/errors.js';

/** A recording that cannot be used: file, line, what was found, what was expected. */
export class RecordingError extends UsageError {
  /**
   * @param line   from 1; 0 when the whole file is meant
   * @param offset bytes of the unpacked text before the line, where it is known
   */
  constructor(
    readonly file: string,
    readonly line: number,
    readonly text: string,
    readonly offset: number | null = null,
  ) {
    const place = line === 0 ? file : `${file}:${line}`;
    super(`${place}: ${text}${offset === null ? '' : ` (at byte ${offset})`}`);
  }
}
