/** Facts about markets from tables beside recordings: names, times of the close, results. CSV or JSON. */
import { readFileSync } from 'node:fs';
import { RecordingError } from '../storage/tape/tape-files.js';
import { timeOf } from './frames.js';
import type { Settlement } from './import-options.js';

export interface MarketRecord {
  readonly event?: string;
  readonly title?: string;
  readonly exclusive?: boolean;
  /** Unix milliseconds. */
  readonly closeAt?: number;
  readonly settlement?: Settlement;
  readonly settledAt?: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Columns by meaning; the first that a row has counts. */
const COLUMNS = {
  id: [
    'venue_id',
    'ticker',
    'market_ticker',
    'window',
    'condition_id',
    'conditionId',
    'market_id',
    'market',
    'id',
  ],
  selection: ['selection', 'selection_id', 'selectionId'],
  event: ['event_ticker', 'event_id', 'event'],
  title: ['runner', 'title', 'question', 'name'],
  close: ['close_time', 'close_t', 'close_ts', 'end_date', 'endDate'],
  result: ['result', 'resolution', 'outcome'],
  value: ['payout', 'settlement_value_dollars', 'settlement_value'],
  settled: ['settlement_ts', 'settled_time', 'resolved_t', 'settled_ts', 'determination_ts'],
} as const;

export class MarketRecords {
  private readonly rows = new Map<string, MarketRecord>();
  /** Ids of single results that no market has taken. */
  private readonly stated = new Set<string>();

  /** @param selection of a runner @returns undefined where nothing is known */
  of(id: string, selection?: number): MarketRecord | undefined {
    return this.rows.get(selection === undefined ? id : `${id} ${selection}`);
  }

  /** What pays at a market, by a table or a single result. @returns undefined where nothing is known */
  settlementOf(id: string): Settlement | undefined {
    this.stated.delete(id);
    return this.of(id)?.settlement;
  }

  /** Ids of single results that no market has asked for. */
  unmet(): readonly string[] {
    return [...this.stated];
  }

  get size(): number {
    return this.rows.size;
  }

  /** Reads a table. Later tables add to earlier ones. @throws RecordingError */
  read(path: string): void {
    const rows = rowsOf(path);
    if (rows.length > 0 && rows.every((row) => text(row, COLUMNS.id) === undefined))
      throw new RecordingError(
        path,
        1,
        `no row has an id of a market; expected a column with one of the names ${COLUMNS.id.join(', ')}`,
      );
    for (const [at, row] of rows.entries()) {
      const id = text(row, COLUMNS.id);
      if (id === undefined) continue;
      const selection = text(row, COLUMNS.selection);
      const key = selection === undefined ? id : `${id} ${selection}`;
      const result = text(row, COLUMNS.result);
      const value = text(row, COLUMNS.value);
      const settlement =
        result === undefined && value === undefined ? undefined : settlementOf(result, value);
      if (settlement === null && result !== undefined)
        throw new RecordingError(
          path,
          at + 2,
          `result: expected yes, no, void or a value from 0 to 1, found ${result}`,
        );
      const event = text(row, COLUMNS.event);
      const title = text(row, COLUMNS.title);
      const closeAt = timeOf(text(row, COLUMNS.close) ?? null);
      const settledAt = timeOf(text(row, COLUMNS.settled) ?? null);
      this.add(key, {
        ...(event !== undefined && { event }),
        ...(title !== undefined && { title }),
        ...(closeAt !== null && { closeAt }),
        ...(settlement !== undefined && settlement !== null && { settlement }),
        ...(settledAt !== null && { settledAt }),
        ...(typeof row['exclusive'] === 'boolean' && { exclusive: row['exclusive'] }),
      });
    }
  }

  /** Takes `ID=yes`, `ID=void` or `ID=0.5`. @returns false for text of another form */
  state(text: string): boolean {
    const [, id, word] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
    if (id === undefined || word === undefined) return false;
    const settlement = settlementOf(word, undefined);
    if (settlement === null) return false;
    this.add(id, { settlement });
    this.stated.add(id);
    return true;
  }

  private add(key: string, record: MarketRecord): void {
    this.rows.set(key, { ...this.rows.get(key), ...record });
  }
}

/** @param value what a share pays, where the result is no plain yes or no @returns null for an unknown result */
export function settlementOf(
  result: string | undefined,
  value: number | string | undefined,
): Settlement | null {
  const word = result?.toLowerCase() ?? '';
  if (['yes', 'long', 'winner', 'placed'].includes(word)) return 1;
  if (['no', 'short', 'loser'].includes(word)) return 0;
  if (['void', 'cancelled', 'canceled', 'removed'].includes(word)) return 'void';
  const found = value !== undefined && value !== '' ? Number(value) : word === '' ? Number.NaN : Number(word);
  return found >= 0 && found <= 1 ? found : null;
}

function text(row: Row, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = row[name];
    if (typeof found === 'string' && found !== '') return found;
    if (typeof found === 'number') return String(found);
  }
  return undefined;
}

/** A CSV with a head, a JSON list, `{"markets":[...]}`, or a JSON object a line. */
function rowsOf(path: string): readonly Row[] {
  const source = readFileSync(path, 'utf8').trim();
  if (!/^[[{]/.test(source)) return csvRows(source);
  try {
    const found: unknown = JSON.parse(source);
    const list = Array.isArray(found) ? found : ((found as Row)['markets'] ?? [found]);
    return (list as readonly unknown[]).filter((row): row is Row => typeof row === 'object' && row !== null);
  } catch {
    return source.split('\n').flatMap((line, at) => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line) as Row];
      } catch {
        throw new RecordingError(path, at + 1, 'expected JSON or CSV with a head');
      }
    });
  }
}

function csvRows(source: string): readonly Row[] {
  const [head = '', ...lines] = source.split(/\r?\n/);
  const names = cells(head);
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at] ?? '', cell])));
}

/** Cells of a line; a quoted cell may have commas. The comma in front gives every cell one, an empty first one, too. */
const cells = (line: string): readonly string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
