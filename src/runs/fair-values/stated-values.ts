/** Reads fair values as people and programs write them: CSV with a header, NDJSON, or JSON. */
import type { Micros } from '../../domain/units.js';

/** One value as a source states it. Nothing in it has been judged. */
export interface StatedValue {
  /** What the source calls the market. */
  readonly market: string;
  /** Of a signal; null: a fair value. */
  readonly name: string | null;
  /** Probability of a fair value, or value of a signal, as found; a number if it can be read as one. */
  readonly value: unknown;
  readonly confidence: unknown;
  /** null: the source states no time. */
  readonly at: Micros | null;
  /** When it came, as whoever recorded it says; null: nobody does. */
  readonly arrived: Micros | null;
}

/** Why something was refused. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly found: string;
  readonly expected: string;
}

/** The words are labels of a metric. */
export const REFUSAL_REASONS = [
  'unreadable',
  'not-a-probability',
  'not-a-number',
  'unknown-market',
  'from-the-future',
  'older',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export type Reading =
  { readonly ok: true; readonly value: StatedValue } | { readonly ok: false; readonly refusal: Refusal };

/** A piece of a source with its place, for messages. */
export interface Piece {
  /** 1, 2, 3 and so on: of the line, or of the item of a JSON list. */
  readonly line: number;
  /** Text of a line, or an item of a JSON list. */
  readonly content: unknown;
}

/** A whole text in pieces: the items of a JSON list, one JSON object, or lines. */
export function piecesOf(text: string): readonly Piece[] {
  // trim() takes away a byte order mark as well.
  const whole = /^\s*[[{]/.test(text) ? parsed(text.trim()) : undefined;
  const contents =
    whole === undefined
      ? text.split(/\r?\n/)
      : Array.isArray(whole)
        ? (whole as readonly unknown[])
        : [whole];
  return contents.map((content, place) => ({ line: place + 1, content }));
}

type Column = 'market' | 'probability' | 'name' | 'value' | 'confidence' | 'time' | 'arrived';
const HEADER = 'a header line such as market,probability,confidence,time';
/** Milliseconds; a smaller number is no time of today, such as one in seconds. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;
const SHOWN = 80;

/** Reads one source piece after piece; it remembers the header of CSV. */
export class ValueReader {
  private columns: readonly string[] | null = null;

  /** A new text begins, which may have another header, or none. */
  begin(): void {
    this.columns = null;
  }

  /** @returns null for what holds no value: an empty line, or a header */
  read(content: unknown): Reading | null {
    if (typeof content !== 'string') return fromItem(content);
    const line = content.trim();
    if (line === '') return null;
    if (line.startsWith('{')) return fromItem(parsed(line), line);
    const cells = cellsOf(line);
    if (cells.includes('market') && (cells.includes('probability') || cells.includes('value'))) {
      this.columns = cells;
      return null;
    }
    if (this.columns === null) return unreadable(line, HEADER);
    return fromFields(Object.fromEntries(this.columns.map((name, place) => [name, cells[place] ?? ''])));
  }
}

function fromItem(item: unknown, line = JSON.stringify(item) ?? 'nothing'): Reading {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return unreadable(line, 'JSON such as {"market": "HOME", "probability": 0.52}');
  return fromFields(item);
}

function fromFields(fields: Readonly<Partial<Record<Column, unknown>>>): Reading {
  const { market, confidence } = fields;
  const name = isAbsent(fields.name) ? null : String(fields.name);
  if ((typeof market !== 'string' && typeof market !== 'number') || market === '')
    return unreadable(JSON.stringify(fields), 'a field market');
  const [at, arrived] = [microsOf(fields.time), microsOf(fields.arrived)];
  if (at === undefined || arrived === undefined)
    return unreadable(
      at === undefined ? `time ${JSON.stringify(fields.time)}` : `arrived ${JSON.stringify(fields.arrived)}`,
      'ISO 8601 with zone, or milliseconds since 1970, such as 1786400000000',
    );
  return {
    ok: true,
    value: {
      market: String(market),
      name,
      value: numeric(name === null ? fields.probability : fields.value),
      confidence: isAbsent(confidence) ? 1 : numeric(confidence),
      at,
      arrived,
    },
  };
}

const isAbsent = (field: unknown): boolean => field === undefined || field === null || field === '';

const unreadable = (found: string, expected: string): Reading => ({
  ok: false,
  refusal: { reason: 'unreadable', found: found.slice(0, SHOWN), expected },
});

/** @returns null for none, undefined for what is no time */
function microsOf(time: unknown): Micros | null | undefined {
  if (isAbsent(time)) return null;
  const found = numeric(time);
  if (typeof found === 'number') return found >= EARLIEST_MS && found < 1e14 ? micros(found) : undefined;
  const ms = typeof found === 'string' && ISO.test(found) ? Date.parse(found) : NaN;
  return Number.isNaN(ms) ? undefined : micros(ms);
}

const micros = (ms: number): Micros => Math.round(ms * 1_000) as Micros;

const numeric = (field: unknown): unknown =>
  typeof field === 'string' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(field.trim())
    ? Number(field)
    : field;

/** Cells may stand in double quotes; a quote within is doubled. */
function cellsOf(line: string): readonly string[] {
  const cells = `,${line}`.matchAll(/,(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g);
  return [...cells].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare?.trim() ?? '');
}

/** @returns undefined for what is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longer lines are cut, so that a source without line feeds fills no memory. */
const MOST_BYTES = 65_536;
const LINE_FEED = 0x0a;

/** Bytes in lines. A line counts once its line feed has come: half a number is another number. */
export class LineSplitter {
  private pending: Buffer = Buffer.alloc(0);
  private count = 0;

  /** @returns the lines that are whole now, numbered from 1 */
  push(bytes: Buffer): readonly Piece[] {
    const lines: Piece[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      this.keep(bytes.subarray(from, end));
      this.count += 1;
      lines.push({ line: this.count, content: this.pending.toString('utf8') });
      this.pending = Buffer.alloc(0);
      from = end + 1;
    }
    this.keep(bytes.subarray(from));
    return lines;
  }

  private keep(bytes: Buffer): void {
    if (bytes.length > 0) this.pending = Buffer.concat([this.pending, bytes]).subarray(0, MOST_BYTES);
  }
}

/** A fair value as a program states it. */
export interface GivenFairValue {
  /** Key of the market in the source of kind `push`, or its id where it has no key. */
  readonly market: string | number;
  /** Of the long side, 0 to 1; of a signal left out. */
  readonly probability?: number;
  /** Of a signal of kind `external`, with its value; left out: a fair value. */
  readonly name?: string;
  readonly value?: number;
  /** 0 to 1; left out: 1. */
  readonly confidence?: number;
  /** When it was true: milliseconds since 1970, or ISO 8601 with zone; left out: now. */
  readonly time?: number | string;
}
