/** The journal's records as sealed lines. */
import { readRecord, recordText, type StoredRecord } from './record-text.js';
import { judgeSeal, sealLine } from '../log/sealed-line.js';

/** What stands in a line of the file; `altered` and `broken` as in `sealed-line.ts`. */
export type LineVerdict =
  | { readonly state: 'intact'; readonly record: StoredRecord; readonly sum: number }
  | { readonly state: 'altered' }
  | { readonly state: 'broken' };

/** @returns the line with its line feed, and its sum for the next one */
export const encodeLine = (record: StoredRecord, previous: number): { text: string; sum: number } =>
  sealLine(recordText(record), previous);

/** @param text one line without its line feed */
export function judgeLine(text: string, previous: number): LineVerdict {
  const verdict = judgeSeal(text, previous);
  if (verdict.state !== 'intact') return verdict;
  const record = readRecord(verdict.body);
  return record === null ? { state: 'broken' } : { state: 'intact', record, sum: verdict.sum };
}
