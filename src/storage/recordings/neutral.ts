/** Recordings in the neutral form: gzipped NDJSON of book, trade and status lines. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type EventId, eventId, type MarketId, marketId, writtenId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import { type Micros, type PriceUnits, type Shares, PRICE_ONE, SHARE_ONE } from '../../domain/units.js';
import { RESOLUTIONS, type Resolution } from '../../domain/vocabulary.js';
import { RecordingError } from './recording-error.js';

const GZIP_MAGIC = 0x1f8b;
/** Microseconds. Later than the year 2100 is a time that was written in microseconds. */
export const LATEST_TIME = Date.UTC(2100, 0, 1) * 1_000;
/** Microseconds that may pass from one line to the next; more is a damaged time. */
export const LONGEST_PAUSE = 366 * 86_400 * 1_000_000;
/** Bytes of a line: far more than all levels that a book can have. */
export const LONGEST_LINE = 16 * 1024 * 1024;
export const longLine = (): string => `expected a line of at most ${LONGEST_LINE / 1_024 / 1_024} MiB`;
/** More shares than any venue has. A larger number is damaged, and would leave exact arithmetic. */
const MOST_SHARES = 1_000_000_000;
/** JSON numbers are floats: so close to the grid counts as on it. */
const FLOAT_NOISE = 1e-6;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a whole recording.
 * @param file plain or gzipped
 * @returns its lines in order; at least one
 * @throws RecordingError naming file and line; nothing is repaired silently
 */
export function readNeutralRecording(file: string): readonly RecordedLine[] {
  return parseNeutral(readText(file), file);
}

/** @throws RecordingError */
export function parseNeutral(text: string, file: string): readonly RecordedLine[] {
  const lines: RecordedLine[] = [];
  const facts = new MarketFacts();
  let latest = -Infinity;
  text.split('\n').forEach((raw, index) => {
    if (raw.trim() === '') return;
    const line = readNeutralLine(raw, file, index + 1);
    const fault = timeFault(line.at, latest) ?? facts.fault(line);
    if (fault !== null) throw new RecordingError(file, index + 1, fault);
    latest = line.at;
    lines.push(line);
  });
  if (lines.length === 0) throw new RecordingError(file, 0, 'the recording is empty');
  return lines;
}

/**
 * What is wrong with the time of a line, null: nothing.
 * @param before time of the line above; not finite or zero for the first
 */
export function timeFault(at: Micros, before: number): string | null {
  if (at < before) return 'its time is before that of the line above';
  if (before > 0 && at - before > LONGEST_PAUSE)
    return 'its time is more than a year after that of the line above';
  return null;
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new RecordingError(
      file,
      0,
      `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    );
  }
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== GZIP_MAGIC) return bytes.toString('utf8');
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    throw new RecordingError(file, 0, 'the gzip data are cut off or damaged; fetch the file again');
  }
}

/**
 * Reads one line.
 * @param line   its number, for messages
 * @param offset bytes before it, for messages
 * @throws RecordingError
 */
export const readNeutralLine = (
  raw: string,
  file: string,
  line: number,
  offset: number | null = null,
): RecordedLine => new LineReader(file, line, offset).read(raw);

/** Common mistakes. */
function insteadOf(raw: string): string {
  if (raw.startsWith('\uFEFF')) return ', found a byte order mark before it';
  return raw.startsWith('\u001F') ? ', found packed data: the file was packed twice' : '';
}

/** Checks that lines of one market agree on its event and its resolution. */
export class MarketFacts {
  private readonly events = new Map<MarketId, EventId>();
  private readonly resolutions = new Map<MarketId, Resolution>();

  /** @returns how a line contradicts an earlier one; null when it does not */
  fault(line: RecordedLine): string | null {
    const { marketId: market, eventId: event } = line;
    const known = this.events.get(market) ?? event;
    this.events.set(market, known);
    if (known !== event) return `market ${market} stood under another event before`;
    if (line.kind !== 'status' || line.resolution === null) return null;
    const told = this.resolutions.get(market) ?? line.resolution;
    this.resolutions.set(market, told);
    if (told === line.resolution) return null;
    return `resolution: expected ${told}, as which market ${market} was resolved before, found ${line.resolution}`;
  }
}

/** Microseconds. Times that end before it may have been written in seconds. */
const EARLY = Date.UTC(2000, 0, 1) * 1_000;

/** What is strange of times, in sentences for people. @param latest microseconds */
export const timeNotes = (latest: number): readonly string[] =>
  latest >= EARLY ? [] : ['its times lie before the year 2000: they are read as Unix milliseconds'];

const shortened = (text: string): string => text.slice(0, 60);

/** @returns undefined for what is no JSON */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

class LineReader {
  constructor(
    private readonly file: string,
    private readonly line: number,
    private readonly offset: number | null,
  ) {}

  read(raw: string): RecordedLine {
    const fields = this.json(raw);
    const at = {
      at: this.time(fields),
      eventId: eventId(this.integer(fields, 'event')),
      marketId: marketId(this.integer(fields, 'market')),
    };
    if (fields['type'] === 'book') return { ...at, kind: 'book', ...this.book(fields) };
    if (fields['type'] === 'trade') return { ...at, ...this.trade(fields) };
    if (fields['type'] === 'status') return { ...at, ...this.status(fields) };
    return this.fail('type', fields['type'], 'book, trade or status (docs/guides/recordings.md)');
  }

  private json(raw: string): Fields {
    const value = parsed(raw);
    if (typeof value !== 'object' || value === null)
      return this.refuse(`expected one JSON object${insteadOf(raw)}`);
    const twice = duplicateMember(raw, value);
    if (twice !== null)
      return this.refuse(`${shortened(twice)}: stands twice in the line; expected each member once`);
    return value as Fields;
  }

  private time(fields: Fields): Micros {
    const at = this.integer(fields, 't') * 1_000;
    return at < LATEST_TIME
      ? (at as Micros)
      : this.fail('t', fields['t'], 'Unix milliseconds before the year 2100');
  }

  private book(fields: Fields) {
    const bids = this.levels(fields, 'bid');
    const asks = this.levels(fields, 'ask');
    const [bid] = bids.prices;
    const [ask] = asks.prices;
    if (bid !== undefined && ask !== undefined && bid >= ask)
      return this.fail('ask', fields['ask'], `a best ask above the best bid of ${bid / 10_000}`);
    return { bids, asks };
  }

  private trade(fields: Fields) {
    const side = fields['taker_side'];
    if (side !== 'bid' && side !== 'ask' && side !== null)
      return this.fail('taker_side', side, 'bid, ask or null');
    const price = this.price(fields['price'], 'price');
    return {
      kind: 'trade',
      price,
      shares: this.shares(fields['shares'], 'shares'),
      takerSide: side,
    } as const;
  }

  private status(fields: Fields) {
    const status = fields['status'];
    if (status !== 'open' && status !== 'closed' && status !== 'resolved')
      return this.fail('status', status, 'open, closed or resolved');
    const resolution = this.resolution(fields);
    if (status === 'resolved' && resolution === null)
      return this.fail('resolution', fields['resolution'], 'long, short or void of what is resolved');
    return {
      kind: 'status',
      status,
      resolution,
      inPlay: fields['inplay'] === true,
    } as const;
  }

  private resolution(fields: Fields): Resolution | null {
    if (fields['void'] === true) return 'void';
    const found = fields['resolution'] ?? null;
    if (found === null) return null;
    const known = RESOLUTIONS.find((resolution) => resolution === found);
    return known ?? this.fail('resolution', found, 'long, short, void or null');
  }

  private levels(fields: Fields, name: 'bid' | 'ask'): Levels {
    const raw = fields[name];
    if (!Array.isArray(raw)) return this.fail(name, raw, 'an array of [price, shares]');
    const prices: PriceUnits[] = [];
    const amounts: Shares[] = [];
    for (const level of raw as readonly unknown[]) {
      if (!Array.isArray(level) || level.length !== 2) return this.fail(name, level, '[price, shares]');
      const price = this.price(level[0], name);
      const worse = prices.at(-1);
      if (worse !== undefined && (name === 'bid' ? price >= worse : price <= worse))
        return this.fail(name, level[0], 'levels in order, best first');
      prices.push(price);
      amounts.push(this.shares(level[1], name));
    }
    return { prices, shares: amounts };
  }

  private price(found: unknown, name: string): PriceUnits {
    const units = this.scaled(found, 10_000);
    return units !== null && units > 0 && units < 10_000
      ? (units as PriceUnits)
      : this.fail(name, found, 'a price inside (0, 1) in steps of 0.0001');
  }

  private shares(found: unknown, name: string): Shares {
    const units = this.scaled(found, 100);
    return units !== null && units > 0 && units <= MOST_SHARES * 100
      ? (units as Shares)
      : this.fail(name, found, 'a positive share count in steps of 0.01, at most a billion');
  }

  private scaled(found: unknown, scale: number): number | null {
    if (typeof found !== 'number' || !Number.isFinite(found)) return null;
    const value = found * scale;
    const units = Math.round(value);
    return Math.abs(value - units) <= FLOAT_NOISE * Math.max(1, Math.abs(value)) ? units : null;
  }

  private integer(fields: Fields, name: string): number {
    const found = fields[name];
    return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0
      ? found
      : this.fail(name, found, 'a non-negative integer');
  }

  private fail(name: string, found: unknown, expected: string): never {
    return this.refuse(
      `${name}: expected ${expected}, found ${shortened(JSON.stringify(found) ?? 'nothing')}`,
    );
  }

  private refuse(text: string): never {
    throw new RecordingError(this.file, this.line, text, this.offset);
  }
}

/** What `JSON.parse` passes over: of a member that stands twice it keeps the last. */

/**
 * @param text of one JSON object, as `JSON.parse` took it
 * @param object what came of it
 * @returns the first of its members that stands there again, null: none does; what lies within its members is not looked at
 */
function duplicateMember(text: string, object: object): string | null {
  // Every member has its colon, so that an ordinary line is only counted.
  if (colonsIn(text) === Object.keys(object).length) return null;
  const names = new Set<string>();
  for (const name of namesIn(text)) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return null;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function* namesIn(text: string): Generator<string> {
  let depth = 0;
  let quoted = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') {
      const end = closingQuote(text, at);
      quoted = text.slice(at, end + 1);
      at = end;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ':' && depth === 1) yield JSON.parse(quoted) as string;
  }
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const MICROS_PER_MS = 1_000;

/** One line of the neutral form, without the line feed; {@link parseNeutral} reads it back. */
export function writeNeutralLine(line: RecordedLine): string {
  const head = {
    t: Math.floor(line.at / MICROS_PER_MS),
    type: line.kind,
    event: writtenId(line.eventId),
    market: writtenId(line.marketId),
  };
  if (line.kind === 'book') return JSON.stringify({ ...head, bid: pairs(line.bids), ask: pairs(line.asks) });
  if (line.kind === 'trade')
    return JSON.stringify({
      ...head,
      price: line.price / PRICE_ONE,
      shares: line.shares / SHARE_ONE,
      taker_side: line.takerSide,
    });
  const resolution = line.resolution === 'void' ? null : line.resolution;
  return JSON.stringify({
    ...head,
    status: line.status,
    resolution,
    ...(line.resolution === 'void' ? { void: true } : {}),
    ...(line.inPlay ? { inplay: true } : {}),
  });
}

const pairs = ({ prices, shares }: Levels): readonly (readonly [number, number])[] =>
  prices.map((price, index) => [price / PRICE_ONE, shares[index]! / SHARE_ONE]);
