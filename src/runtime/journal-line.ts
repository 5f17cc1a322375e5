/** The journal's records as sealed lines. */
import type { AnswerBody } from '../domain/inputs.js';
import type { JournalRecord } from '../ports/journal.js';
import { judgeSeal, sealLine } from './sealed-line.js';

/** First line of every file. `chain` is the last sum of the file before, or the start value. */
export interface SegmentHeader {
  readonly kind: 'segment';
  readonly version: number;
  readonly number: number;
  readonly chain: number;
}

export type StoredRecord = JournalRecord | SegmentHeader;

/** What stands in a line of the file; `altered` and `broken` as in `sealed-line.ts`. */
export type LineVerdict =
  | { readonly state: 'intact'; readonly record: StoredRecord; readonly sum: number }
  | { readonly state: 'altered' }
  | { readonly state: 'broken' };

/** @returns the line with its line feed, and its sum for the next one */
export const encodeLine = (record: StoredRecord, previous: number): { text: string; sum: number } =>
  sealLine(JSON.stringify(hasMap(record) ? withEntries(record) : record), previous);

/** @param text one line without its line feed */
export function judgeLine(text: string, previous: number): LineVerdict {
  const verdict = judgeSeal(text, previous);
  if (verdict.state !== 'intact') return verdict;
  const record = parsed(verdict.body);
  return record === null ? { state: 'broken' } : { state: 'intact', record, sum: verdict.sum };
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
