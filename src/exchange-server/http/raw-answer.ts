import { STATUS_CODES } from 'node:http';
import type { Answer } from './answer.js';

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
