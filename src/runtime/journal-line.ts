/**
 * The journal's lines: `{"sum":"<8 hex digits>","record":{...}}`. The sum is a CRC-32 over the text of the record
 * that continues the sum of the line before, so a line that was altered, lost or moved breaks the chain there.
 */
import { crc32 } from 'node:zlib';
import type { AnswerBody } from '../domain/inputs.js';
import type { JournalRecord } from '../ports/journal.js';

/** First line of every file. `chain` is the last sum of the file before, or the start value. */
export interface SegmentHeader {
  readonly kind: 'segment';
  readonly version: number;
  readonly number: number;
  readonly chain: number;
}

export type StoredRecord = JournalRecord | SegmentHeader;

/** What stands in a line of the file. */
export type LineVerdict =
  | { readonly state: 'intact'; readonly record: StoredRecord; readonly sum: number }
  /** A whole line whose sum does not continue the chain: it or a line before it was changed or lost. */
  | { readonly state: 'altered' }
  /** Not a line of a journal: what a write leaves that was cut short. */
  | { readonly state: 'broken' };

/** Sum before the first line of the first file. */
export const CHAIN_START = 0;

const WHOLE_LINE = /^\{"sum":"([0-9a-f]{8})","record":(\{.*\})\}$/;

/** @returns the line with its line feed, and its sum for the next one */
export function encodeLine(record: StoredRecord, previous: number): { text: string; sum: number } {
  const body = JSON.stringify(hasMap(record) ? withEntries(record) : record);
  const sum = crc32(body, previous);
  return { text: `{"sum":"${sum.toString(16).padStart(8, '0')}","record":${body}}\n`, sum };
}

/** @param text one line without its line feed */
export function judgeLine(text: string, previous: number): LineVerdict {
  const [, digits, body] = WHOLE_LINE.exec(text) ?? [];
  if (digits === undefined || body === undefined) return { state: 'broken' };
  const record = parsed(body);
  if (record === null) return { state: 'broken' };
  const sum = crc32(body, previous);
  return sum === Number.parseInt(digits, 16) ? { state: 'intact', record, sum } : { state: 'altered' };
}

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

/** The sum vouches for the shape: only {@link encodeLine} writes it. */
function parsed(body: string): StoredRecord | null {
  try {
    return JSON.parse(body, entriesAsMap) as StoredRecord;
  } catch {
    return null;
  }
}
