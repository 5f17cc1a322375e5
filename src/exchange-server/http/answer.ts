import { STATUS_CODES } from 'node:http';
import {
  type FieldProblems,
  type VenueErrorCode,
  errorBody,
  VENUE_ERRORS,
} from '../../venues/futuur/protocol/errors.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What goes back for one request: final text, so that stored answers repeat byte for byte. */
export class Answer {
  constructor(
    readonly status: number,
    /** Empty for an answer without a body. */
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = NO_HEADERS,
    readonly contentType: string = JSON_TYPE,
  ) {}
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** A successful answer with a JSON body. */
export const answered = (body: unknown, status = 200): Answer => new Answer(status, JSON.stringify(body));

/** A successful answer without a body. */
export const answeredEmpty = (): Answer => new Answer(204, '');

/** A failed request, in the shape of facts "Signing", with the status that belongs to its code. */
export const refused = (code: VenueErrorCode, detail?: string, fields?: FieldProblems): Answer =>
  new Answer(VENUE_ERRORS[code].status, JSON.stringify(errorBody(code, detail, fields)));

/** 400 with the fields that were wrong. */
export const refusedFields = (fields: FieldProblems): Answer =>
  refused('ValidationError', `Invalid: ${Object.keys(fields).join(', ')}.`, fields);

/** 429. @param seconds until the caller may ask again */
export function refusedForNow(seconds: number): Answer {
  const { status, text } = refused('Throttled');
  return new Answer(status, text, { 'Retry-After': String(seconds) });
}

/** An answer as bytes, for sockets that never became a request or have ceased to be one; the connection ends. */
export function rawAnswer(answer: Answer): string {
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    `Content-Type: ${answer.contentType}`,
    `Content-Length: ${Buffer.byteLength(answer.text)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${answer.text}`;
}
