/** Recordings in the neutral form: book, trade and status lines as NDJSON, plain or gzipped. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type EventId, eventId, type MarketId, marketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import { RESOLUTIONS, type Resolution } from '../../domain/vocabulary.js';
import { jsonObject } from '../log/segment.js';
import { LineSplitter, type OnRead, textOf } from '../tape/packed-text.js';
import type { NamedMarket } from '../tape/records.js';
import { RecordingError, TapeError } from '../tape/tape-files.js';
import { BlockBuilder, type TapeBlock, type TapeMarket } from './blocks.js';

/** A recording as a stream of blocks. The list of markets grows as blocks come. */
export interface BlockStream {
  readonly markets: readonly TapeMarket[];
  readonly blocks: AsyncIterable<TapeBlock>;
  /** Complete when all blocks have come. */
  readonly about: () => AboutRecording;
}

/** Facts about a recording besides its rows. */
export interface AboutRecording {
  /** Markets with their names and grids. */
  readonly named: readonly NamedMarket[];
  /** Corrections that were made before trading on it, as sentences for people. */
  readonly notes: readonly string[];
  /** Markets whose trades were inferred from books and turnover. */
  readonly inferred?: readonly MarketId[];
}

const GZIP_MAGIC = 0x1f8b;
/** The year 2100, in microseconds. A later time was written in microseconds instead of milliseconds. */
const LATEST_TIME = Date.UTC(2100, 0, 1) * 1_000;
/** The year 2000, in microseconds. If all times are earlier, they may have been written in seconds. */
const EARLY = Date.UTC(2000, 0, 1) * 1_000;
/** Most microseconds between two lines. A larger step is a damaged time. */
const LONGEST_PAUSE = 366 * 86_400 * 1_000_000;
const LONGEST_LINE_MIB = 16;
/** More shares than any venue has. A larger number is damaged. */
const MOST_SHARES = 1_000_000_000;
/** JSON numbers are floats, so a number this close to the grid is on it. */
const FLOAT_NOISE = 1e-6;
const CUT_OFF = 'the gzip data are cut off or damaged; fetch the file again';

/**
 * Decodes a recording with only a few blocks in memory.
 * @throws RecordingError, from the iteration, with line and offset. Nothing is repaired silently
 */
export function decodeRecording(file: string, onRead: OnRead = () => undefined): BlockStream {
  const decoder = new NeutralDecoder(file);
  return {
    markets: decoder.markets,
    blocks: blocksOf(file, decoder, onRead),
    about: () => ({ named: [], notes: decoder.notes }),
  };
}

async function* blocksOf(file: string, decoder: NeutralDecoder, onRead: OnRead): AsyncGenerator<TapeBlock> {
  try {
    for await (const piece of textOf(file, onRead, 'whole')) yield* decoder.push(piece);
  } catch (error) {
    throw error instanceof TapeError ? decoder.faultOf(error) : error;
  }
  yield* decoder.end();
  if (decoder.markets.length === 0) throw new RecordingError(file, 0, 'the recording is empty');
}

/** Turns pieces of text into blocks. */
export class NeutralDecoder {
  private readonly builder = new BlockBuilder();
  private readonly reader: NeutralReader;
  private readonly splitter: LineSplitter;
  private count = 0;

  /** @param file for messages */
  constructor(private readonly file: string) {
    this.reader = new NeutralReader(file);
    this.splitter = new LineSplitter((bytes, from, to, offset) =>
      this.line(bytes.toString('utf8', from, to), offset),
    );
  }

  get markets(): readonly TapeMarket[] {
    return this.builder.markets;
  }

  get notes(): readonly string[] {
    return this.reader.notes;
  }

  /** @returns blocks that are complete now @throws RecordingError */
  push(piece: Buffer): readonly TapeBlock[] {
    this.splitter.push(piece);
    if (this.splitter.pending <= LONGEST_LINE_MIB * 1_048_576) return this.builder.take();
    const text = `expected a line of at most ${LONGEST_LINE_MIB} MiB`;
    throw new RecordingError(this.file, this.count + 1, text, this.splitter.taken);
  }

  /** @returns the last blocks @throws RecordingError */
  end(): readonly TapeBlock[] {
    this.splitter.end();
    return this.builder.end();
  }

  /** Reports an error of the file at its last whole line. */
  faultOf({ problem, cause }: TapeError): RecordingError {
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) return new RecordingError(this.file, 0, problem);
    if (this.count === 0) return new RecordingError(this.file, 0, CUT_OFF);
    return new RecordingError(this.file, this.count, `behind this line ${CUT_OFF}`, this.splitter.taken);
  }

  private line(text: string, offset: number): void {
    this.count += 1;
    const line = this.reader.read(text, this.count, offset);
    const refusal = line === null ? null : this.builder.add(line, this.count);
    if (refusal !== null) throw new RecordingError(this.file, this.count, refusal, offset);
  }
}

/**
 * Reads a whole recording, plain or gzipped.
 * @returns its lines in order; at least one
 * @throws RecordingError with file and line. Nothing is repaired silently
 */
export const readNeutralRecording = (file: string): readonly RecordedLine[] =>
  parseNeutral(wholeText(file), file);

/** @throws RecordingError */
export function parseNeutral(text: string, file: string): readonly RecordedLine[] {
  const reader = new NeutralReader(file);
  const lines = text.split('\n').flatMap((raw, index) => reader.read(raw, index + 1, null) ?? []);
  if (lines.length === 0) throw new RecordingError(file, 0, 'the recording is empty');
  return lines;
}

function wholeText(file: string): string {
  try {
    const bytes = readFileSync(file);
    const isPacked = bytes.length > 1 && bytes.readUInt16BE(0) === GZIP_MAGIC;
    return (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new RecordingError(file, 0, code.startsWith('Z_') ? CUT_OFF : `cannot be read (${code})`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the lines of one recording and compares each with the lines before. */
class NeutralReader {
  private readonly events = new Map<MarketId, EventId>();
  private readonly resolutions = new Map<MarketId, Resolution>();
  private readonly ticks = new Map<MarketId, number>();
  private latest = 0;
  private number = 0;
  private offset: number | null = null;
  /** Lines that state what nobody who trades on the recording applies. */
  private reductions = 0;
  private tickChanges = 0;

  constructor(private readonly file: string) {}

  /** Doubts about it, as sentences for people. */
  get notes(): readonly string[] {
    return [
      this.latest >= EARLY ? '' : 'its times lie before the year 2000: they are read as Unix milliseconds',
      this.reductions === 0
        ? ''
        : `${linesText(this.reductions)} a reduction, which is not applied: the venue shrinks shares bought before, ` +
          'so what they pay here is more',
      this.tickChanges === 0
        ? ''
        : `${linesText(this.tickChanges)} another grid than their market had: it is traded on one grid, ` +
          'the finest that its prices need, from its first line on',
    ].filter((note) => note !== '');
  }

  /** @param offset bytes before the line, for messages @returns null for a blank line @throws RecordingError */
  read(raw: string, number: number, offset: number | null): RecordedLine | null {
    this.number = number;
    this.offset = offset;
    if (raw.trim() === '') return null;
    const line = this.line(raw);
    this.checkTime(line.at);
    this.checkMarket(line);
    return line;
  }

  private checkTime(at: Micros): void {
    if (at < this.latest) this.refuse('its time is before that of the line above');
    if (this.latest > 0 && at - this.latest > LONGEST_PAUSE)
      this.refuse('its time is more than a year after that of the line above');
    this.latest = at;
  }

  /** Checks that lines of one market agree on its event and its resolution. */
  private checkMarket(line: RecordedLine): void {
    const { marketId: market, eventId: event } = line;
    const known = this.events.get(market);
    if (known === undefined) this.events.set(market, event);
    else if (known !== event) this.refuse(`market ${market} belonged to another event before`);
    if (line.kind !== 'status' || line.resolution === null) return;
    const before = this.resolutions.get(market) ?? line.resolution;
    this.resolutions.set(market, before);
    if (before !== line.resolution)
      this.refuse(
        `resolution: expected ${before}, as which market ${market} was resolved before, found ${line.resolution}`,
      );
  }

  private line(raw: string): RecordedLine {
    const fields = this.json(raw);
    const version = fields['version'] ?? 1;
    if (version !== 1 && version !== 2) this.fail('version', version, '1 or 2');
    const micros = this.integer(fields, 't') * 1_000;
    if (micros >= LATEST_TIME) this.fail('t', fields['t'], 'Unix milliseconds before the year 2100');
    const at = micros as Micros;
    const event = eventId(this.integer(fields, 'event'));
    const market = marketId(this.integer(fields, 'market'));
    const place = { at, eventId: event, marketId: market };
    if (fields['type'] === 'book') return { kind: 'book', ...place, ...this.book(fields) };
    if (fields['type'] === 'trade') return { kind: 'trade', ...place, ...this.trade(fields) };
    if (fields['type'] === 'status') {
      this.countIgnored(fields, market);
      return { kind: 'status', ...place, ...this.status(fields) };
    }
    return this.fail('type', fields['type'], 'book, trade or status (docs/guides/recordings.md)');
  }

  private json(raw: string): Fields {
    const fields = jsonObject(raw);
    if (fields !== null) return fields;
    const mistake = raw.startsWith('\uFEFF') ? ', found a byte order mark before it' : '';
    const packed = raw.startsWith('\u001F') ? ', found packed data: the file was packed twice' : '';
    return this.refuse(`expected one JSON object${mistake}${packed}`);
  }

  private book(fields: Fields) {
    const bids = this.levels(fields, 'bid', -1);
    const asks = this.levels(fields, 'ask', 1);
    const [bid] = bids.prices;
    const [ask] = asks.prices;
    if (bid !== undefined && ask !== undefined && bid >= ask)
      this.fail('ask', fields['ask'], `a best ask above the best bid of ${bid / 10_000}`);
    return { bids, asks };
  }

  private trade(fields: Fields) {
    const side = fields['taker_side'];
    if (side !== 'bid' && side !== 'ask' && side !== null)
      return this.fail('taker_side', side, 'bid, ask or null');
    const price = this.price(fields['price'], 'price');
    return { price, shares: this.shares(fields['shares'], 'shares'), takerSide: side } as const;
  }

  private status(fields: Fields) {
    const status = fields['status'];
    if (status !== 'open' && status !== 'closed' && status !== 'resolved')
      return this.fail('status', status, 'open, closed or resolved');
    const resolution = this.resolution(fields);
    if (status === 'resolved' && resolution === null)
      this.fail('resolution', fields['resolution'], 'long, short or void, or a payout, of what is resolved');
    return { status, resolution, inPlay: fields['inplay'] === true } as const;
  }

  private countIgnored({ reduction = null, tick = null }: Fields, market: MarketId): void {
    if (reduction !== null) {
      if (!(typeof reduction === 'number' && reduction > 0 && reduction < 1))
        this.fail('reduction', reduction, 'a number inside (0, 1)');
      this.reductions += 1;
    }
    if (tick === null) return;
    const units = this.fine(tick, 'tick');
    const isFirst = !this.events.has(market);
    if (!isFirst && this.ticks.get(market) !== units) this.tickChanges += 1;
    this.ticks.set(market, units);
  }

  private resolution(fields: Fields): Resolution | null {
    if (fields['void'] === true) return 'void';
    const payout = fields['payout'] ?? null;
    if (payout !== null) return this.payout(payout);
    const found = fields['resolution'] ?? null;
    if (found === null) return null;
    const known = RESOLUTIONS.find((resolution) => resolution === found);
    return known ?? this.fail('resolution', found, 'long, short, void or null');
  }

  /** @returns price units; a whole payout is `long` or `short` */
  private payout(found: unknown): Resolution {
    const units = scaled(found, 10_000);
    if (units === 0) return 'short';
    if (units === 10_000) return 'long';
    return units > 0 && units < 10_000
      ? units
      : this.fail('payout', found, 'a number from 0 to 1 in steps of 0.0001');
  }

  /** @param worse sign of the step from a level to the next */
  private levels(fields: Fields, name: 'bid' | 'ask', worse: 1 | -1): Levels {
    const raw = fields[name];
    if (!Array.isArray(raw)) return this.fail(name, raw, 'an array of [price, shares]');
    const prices: PriceUnits[] = [];
    const shares: Shares[] = [];
    let before = worse * -Infinity;
    for (const level of raw as readonly unknown[]) {
      if (!Array.isArray(level) || level.length !== 2) return this.fail(name, level, '[price, shares]');
      const exact = this.fine(level[0], name);
      if ((exact - before) * worse <= 0) this.fail(name, level[0], 'levels in order, best first');
      before = exact;
      const size = this.shares(level[1], name);
      const price = (worse === 1 ? Math.ceil(exact / 10) : Math.floor(exact / 10)) as PriceUnits;
      if (price === 0 || price === 10_000) continue;
      if (price === prices.at(-1)) shares[shares.length - 1] = (shares.at(-1)! + size) as Shares;
      else {
        prices.push(price);
        shares.push(size);
      }
    }
    return { prices, shares };
  }

  private price(found: unknown, name: string): PriceUnits {
    const units = Math.round(this.fine(found, name) / 10);
    return Math.min(Math.max(units, 1), 9_999) as PriceUnits;
  }

  /** A price in steps of 0.00001. Books are put on steps of 0.0001: bids down, asks up. */
  private fine(found: unknown, name: string): number {
    const units = scaled(found, 100_000);
    if (units > 0 && units < 100_000) return units;
    return this.fail(name, found, 'a price inside (0, 1) in steps of 0.00001');
  }

  private shares(found: unknown, name: string): Shares {
    const units = scaled(found, 100);
    if (units > 0 && units <= MOST_SHARES * 100) return units as Shares;
    return this.fail(name, found, 'a positive share count in steps of 0.01, at most a billion');
  }

  private integer(fields: Fields, name: string): number {
    const found = fields[name];
    if (Number.isSafeInteger(found) && (found as number) >= 0) return found as number;
    return this.fail(name, found, 'a non-negative integer');
  }

  private fail(name: string, found: unknown, expected: string): never {
    const shown = (JSON.stringify(found) ?? 'nothing').slice(0, 60);
    return this.refuse(`${name}: expected ${expected}, found ${shown}`);
  }

  private refuse(text: string): never {
    throw new RecordingError(this.file, this.number, text, this.offset);
  }
}

const linesText = (count: number): string => (count === 1 ? '1 line states' : `${count} lines state`);

/** @returns a number on its grid as a count of steps; NaN for anything else */
function scaled(found: unknown, scale: number): number {
  const value = typeof found === 'number' ? found * scale : Number.NaN;
  const units = Math.round(value);
  return Math.abs(value - units) <= FLOAT_NOISE * Math.max(1, Math.abs(value)) ? units : Number.NaN;
}
