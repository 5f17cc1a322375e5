import { UsageError } from '../../domain/errors.js';

/** Where in a tape: file, its line from 1 (0: the file as a whole), and the byte of the unpacked text it begins at. */
export interface TapePlace {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
}

/** A tape that cannot be used as it is: where, what was found, what was expected. */
export class TapeError extends UsageError {
  constructor(
    readonly place: TapePlace,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${describePlace(place)}: ${problem}`, options);
  }
}

/** `tape/000002.ndjson.gz:17 (byte 9241)` */
export const describePlace = ({ file, line, offset }: TapePlace): string =>
  line === 0 ? file : `${file}:${line} (byte ${offset})`;
