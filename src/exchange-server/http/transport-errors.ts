/** Requests that never reach the pipeline: broken HTTP, bodies beyond the limit, sockets that stall. */
import type { Socket } from 'node:net';
import { JournalError } from '../../core/ports/journal.js';
import type { OtherErrorCode } from '../../venues/futuur/protocol/errors.js';
import { type Answer, refused } from './answer.js';
import { rawAnswer } from './raw-answer.js';

const PARSER_REFUSALS: Readonly<Record<string, OtherErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
};

/** Answers what Node's parser refused, then ends the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(rawAnswer(refused(PARSER_REFUSALS[error.code ?? ''] ?? 'MalformedRequest')));
}

const STATUS_REFUSALS: Readonly<Record<number, OtherErrorCode>> = {
  400: 'MalformedBody',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
};

/** The answer to an error thrown while a request was read or served. */
export function refusalOf(error: unknown): Answer {
  if (error instanceof JournalError) return refused('ServiceUnavailable');
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return refused(STATUS_REFUSALS[status] ?? 'InternalError');
}
