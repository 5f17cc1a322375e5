/** Books that were asked for: a tape keeps them as answers of an engine, or as they came where none ran. */
import { marketId } from '../../domain/ids.js';
import type { AnswerBody } from '../../domain/answers.js';
import type { Input } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import { CURRENCY_MODES } from '../../domain/vocabulary.js';
import { readBook } from '../../venues/futuur/protocol/read/book.js';
import type { RestRecord } from '../tape/records.js';

type ReadBook = Extract<AnswerBody, { readonly kind: 'read-book' }>;

/** A book as it stood some time before its answer came, our own shares included. */
export interface BookReading {
  /** Wall time at which the first byte of the request left. */
  readonly askedAt: Micros;
  readonly book: ReadBook;
}

/** @returns null for what is no answer to that question, or none that can be read */
export function bookRead(input: Input): BookReading | null {
  if (input.kind !== 'answer' || !input.outcome.ok || input.sentAt === null) return null;
  const { body } = input.outcome;
  return body.kind === 'read-book' ? { askedAt: input.sentAt, book: body } : null;
}

/** @returns null for what is no answer to that question, or none that can be read */
export function bookReceived({ endpoint, path, sentAt, status, answer }: RestRecord): BookReading | null {
  if (endpoint !== 'book' || status !== 200 || answer === null || sentAt === null) return null;
  const { pathname, searchParams } = new URL(path, 'http://venue');
  const market = MARKET.exec(pathname);
  const mode = CURRENCY_MODES.find((one) => one === searchParams.get('currency_mode'));
  const received = parsed(answer);
  if (market === null || mode === undefined || received === undefined) return null;
  const book = readBook(received, marketId(Number(market[1])), mode);
  return book.ok ? { askedAt: sentAt, book: book.value } : null;
}

const MARKET = /\/markets\/(\d+)\/book\/$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
