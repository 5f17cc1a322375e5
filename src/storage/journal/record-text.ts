/** Journal records as JSON. */
import type { AnswerBody } from '../../domain/answers.js';
import type { Micros } from '../../domain/units.js';
import type { JournalRecord } from '../../core/ports/journal.js';
import { isUnreserved } from '../../venues/futuur/protocol/python-text.js';
import { type OrdersBody, ordersOf, ordersText } from './brought-orders.js';
import { requestOf, requestText, type StoredRequest } from './request-text.js';

/**
 * When a record reaches the disk: within 20 ms of its append and together with its neighbours (`group`: survives a
 * kill, not a power loss in between). With `before-send` an outcome is on its way at once, everything else is there when
 * `append` returns, and no line is begun before the one before it is there: a power loss takes the last line at most.
 */
export type JournalSync = 'group' | 'before-send';

/** First line of every file. `chain` is the last sum of the file before, or the start value. */
export interface SegmentHeader {
  readonly kind: 'segment';
  readonly version: number;
  readonly number: number;
  readonly chain: number;
  /** How every line behind it is written; a file of an older version does not say. */
  readonly sync?: JournalSync;
}

export type StoredRecord = JournalRecord | SegmentHeader;

/** @returns one JSON object without line feeds */
export const recordText = (record: StoredRecord): string => recordPieces(record).join('');

/** The same in pieces, the body of a request as it came: in one text it would have to be copied once more to be written. */
export function recordPieces(record: StoredRecord): readonly string[] {
  if (record.kind === 'request') return requestRecordPieces(record);
  if (bringsOrders(record)) return [broughtText(record)];
  return [JSON.stringify(hasMap(record) ? withEntries(record) : record)];
}

/**
 * The record of a text, null when it is not one. Whoever read the text from a file has its sum, which vouches for the
 * shape: only {@link recordPieces} writes it.
 */
export function readRecord(text: string): StoredRecord | null {
  try {
    const record = JSON.parse(text, entriesAsMap) as StoredRecord;
    if (bringsOrders(record))
      return { ...record, outcome: { ok: true, body: ordersOf(record.outcome.body) } };
    if (record.kind !== 'request') return record;
    const { request, body } = record as Omit<RequestRecord, 'request'> & { readonly request: StoredRequest };
    return { ...record, request: requestOf(request, body), body: bodyOf(body) };
  } catch {
    return null;
  }
}

type RequestRecord = Extract<JournalRecord, { kind: 'request' }>;

const requestRecordPieces = ({ requestId, key, at, venueAhead, request, body }: RequestRecord) => [
  `{"kind":"request","requestId":${requestId},"key":${keyText(key)},"at":${microsText(at)},` +
    `${venueAhead === 0 ? NOT_AHEAD : aheadText(venueAhead)}"request":${requestText(request)},"body":`,
  isObjectText(body) ? body : JSON.stringify(body),
  '}',
];

/**
 * A double of 16 digits is turned into decimals by arithmetic of its own, which takes longer than all else of a line; its halves
 * are small integers.
 */
function microsText(at: Micros): string {
  if (!(at >= BILLION && at < MOST_OF_HALVES)) return `${at}`;
  const billions = Math.floor(at / BILLION);
  return `${billions}${`${BILLION + (at - BILLION * billions)}`.substring(1)}`;
}
const BILLION = 1_000_000_000;
/** In which the rounding of a quotient is below a billionth: in the year 2112. */
const MOST_OF_HALVES = 2 ** 52;

/** As mostly. */
const NOT_AHEAD = '"venueAhead":0,';
const aheadText = (venueAhead: number | undefined): string =>
  venueAhead === undefined ? '' : `"venueAhead":${venueAhead},`;

/** Our own keys need no escapes. */
const keyText = (key: string | null): string =>
  key !== null && isUnreserved(key) ? `"${key}"` : JSON.stringify(key);

/** A body is JSON itself and stands as such; one that is no object stands as the text that it is. */
const isObjectText = (body: string): boolean => body.charCodeAt(0) === OPEN_BRACE;
const OPEN_BRACE = 123;

/** `JSON.stringify` wrote it, or what writes the same, so it gives the same bytes again. */
const bodyOf = (stored: unknown): string => (typeof stored === 'string' ? stored : JSON.stringify(stored));

type OrdersAnswer = Extract<JournalRecord, { kind: 'answer' }> & {
  readonly outcome: { readonly ok: true; readonly body: OrdersBody };
};

const bringsOrders = (record: StoredRecord): record is OrdersAnswer =>
  record.kind === 'answer' &&
  record.outcome.ok &&
  (record.outcome.body.kind === 'replace-orders' || record.outcome.body.kind === 'create-orders');

const broughtText = ({ requestId, at, outcome }: OrdersAnswer): string =>
  `{"kind":"answer","requestId":${requestId},"at":${microsText(at)},"outcome":{"ok":true,"body":${ordersText(outcome.body)}}}`;

/** Balances are the one map among the records, and JSON knows none. A replacer would slow down every other line. */
const MAP_ENTRIES = '$entries';

type BalancesAnswer = Extract<JournalRecord, { kind: 'answer' }> & {
  readonly outcome: { readonly body: Extract<AnswerBody, { kind: 'read-balances' }> };
};

const hasMap = (record: StoredRecord): record is BalancesAnswer =>
  record.kind === 'answer' && record.outcome.ok && record.outcome.body.kind === 'read-balances';

const withEntries = ({ outcome, ...record }: BalancesAnswer) => ({
  ...record,
  outcome: {
    ok: true,
    body: { ...outcome.body, balances: { [MAP_ENTRIES]: [...outcome.body.balances] } },
  },
});

const entriesAsMap = (_name: string, value: unknown): unknown =>
  isObject(value) && Array.isArray(value[MAP_ENTRIES]) ? new Map(value[MAP_ENTRIES]) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
