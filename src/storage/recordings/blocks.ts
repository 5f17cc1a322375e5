/**
 * Decoded recordings, as columns of numbers in shared memory. Several threads trade on one recording, and columns take a
 * tenth of the memory of objects. So a large recording is decoded once and kept.
 */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { BookCut, RecordedLine } from '../../domain/recorded.js';
import type { Micros, PriceUnits, Shares } from '../../domain/units.js';
import type { Resolution, Side } from '../../domain/vocabulary.js';

/** Kinds of rows. */
export const ROW = { book: 0, trade: 1, status: 2, order: 3 } as const;

/** Consecutive rows of one recording. A finished block never changes. */
export interface TapeBlock {
  readonly rows: number;
  /** Exchange time, microseconds; never decreasing, also from block to block. */
  readonly at: Float64Array;
  /** One of {@link ROW}. */
  readonly kind: Uint8Array;
  /** Index in the list of markets of the tape. */
  readonly market: Uint16Array;
  /**
   * Index of the row's first level. A book has bids, then asks, best first. A trade has one level. An order has two levels at
   * its price: its shares, and the shares ahead of it; `bids` or `asks` is 1 for its side.
   */
  readonly first: Int32Array;
  readonly bids: Uint8Array;
  readonly asks: Uint8Array;
  /** Order: {@link changeOf}. Book: {@link cutOf}. Trade: {@link takerOf}. Status: {@link statusOf}. */
  readonly word: Uint8Array;
  /** Number of the line in its file, from 1. */
  readonly line: Int32Array;
  /** Of each level: price units of the long side. */
  readonly prices: Int32Array;
  /** Of each level: share units. */
  readonly shares: Float64Array;
}

/** A market with its name in lines. */
export interface TapeMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
}

/** A status line. */
export interface StatusWord {
  readonly status: 'open' | 'closed' | 'resolved';
  readonly resolution: Resolution | null;
  readonly inPlay: boolean;
}

const TAKERS: readonly (Side | null)[] = [null, 'bid', 'ask'];
const STATUSES = ['open', 'closed', 'resolved'] as const;
/** `payout`: what a long share pays is the price of the row's one level. */
const RESOLUTIONS = [null, 'long', 'short', 'void', 'payout'] as const;
const BIDS_CUT = 1;
const ASKS_CUT = 2;
const WHOLE: BookCut = { bids: false, asks: false };
const IN_PLAY = 4;
const RESOLUTION = 8;

const cutWord = (cut: BookCut | undefined): number =>
  cut === undefined ? 0 : (cut.bids ? BIDS_CUT : 0) + (cut.asks ? ASKS_CUT : 0);
export const cutOf = (word: number): BookCut =>
  word === 0 ? WHOLE : { bids: (word & BIDS_CUT) !== 0, asks: (word & ASKS_CUT) !== 0 };

const CHANGES = ['join', 'leave', 'restate'] as const;
/** Changes of orders: one joins its queue, shares leave it, or a trade leaves its level with a stated size. */
export type OrderChange = (typeof CHANGES)[number];
export const changeWord = (change: OrderChange): number => CHANGES.indexOf(change);
export const changeOf = (word: number): OrderChange => CHANGES[word] ?? 'join';

export const takerWord = (side: Side | null): number => TAKERS.indexOf(side);
export const takerOf = (word: number): Side | null => TAKERS[word] ?? null;

const statusWord = ({ status, resolution, inPlay }: StatusWord): number =>
  STATUSES.indexOf(status) +
  (inPlay ? IN_PLAY : 0) +
  RESOLUTION * RESOLUTIONS.indexOf(typeof resolution === 'number' ? 'payout' : resolution);

export function statusOf({ word: words, first, prices }: TapeBlock, row: number): StatusWord {
  const word = words[row]!;
  const resolution = RESOLUTIONS[Math.floor(word / RESOLUTION)] ?? null;
  return {
    status: STATUSES[word % IN_PLAY] ?? 'open',
    resolution: resolution === 'payout' ? prices[first[row]!]! : resolution,
    inPlay: word % RESOLUTION >= IN_PLAY,
  };
}

/** Levels of a row. */
export function levelCount({ kind, word, bids, asks }: TapeBlock, row: number): number {
  if (kind[row] === ROW.order) return 2;
  if (kind[row] === ROW.trade) return 1;
  if (kind[row] === ROW.book) return bids[row]! + asks[row]!;
  return RESOLUTIONS[Math.floor(word[row]! / RESOLUTION)] === 'payout' ? 1 : 0;
}

/** Restores the line of a row. Rows of orders have no line. */
export function lineOf(block: TapeBlock, row: number, markets: readonly TapeMarket[]): RecordedLine {
  const at = { at: block.at[row]! as Micros, ...markets[block.market[row]!]! };
  const first = block.first[row]!;
  const word = block.word[row]!;
  if (block.kind[row] === ROW.status) return { ...at, kind: 'status', ...statusOf(block, row) };
  if (block.kind[row] === ROW.trade) {
    const [price, shares] = [block.prices[first]! as PriceUnits, block.shares[first]! as Shares];
    return { ...at, kind: 'trade', price, shares, takerSide: takerOf(word) };
  }
  const between = first + block.bids[row]!;
  const bids = levelsOf(block, first, between);
  const asks = levelsOf(block, between, between + block.asks[row]!);
  return { ...at, kind: 'book', bids, asks, ...(word === 0 ? {} : { cut: cutOf(word) }) };
}

const levelsOf = (block: TapeBlock, from: number, to: number): Levels => ({
  prices: [...block.prices.subarray(from, to)] as PriceUnits[],
  shares: [...block.shares.subarray(from, to)] as Shares[],
});

/** A span of time in microseconds, without `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds the first row at or after a time. */
export function rowAt({ at, rows }: TapeBlock, time: number): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ROW_COLUMNS = ['at', 'kind', 'market', 'first', 'bids', 'asks', 'word', 'line'] as const;
const LEVEL_COLUMNS = ['prices', 'shares'] as const;

/** Bytes of a block's columns. */
export const bytesOf = (block: TapeBlock): number =>
  [...ROW_COLUMNS, ...LEVEL_COLUMNS].reduce((sum, column) => sum + block[column].byteLength, 0);

/** Makes an empty block in shared memory. */
export const newBlock = (rows: number, levels: number): TapeBlock => ({
  rows,
  at: new Float64Array(shared(rows, 8)),
  kind: new Uint8Array(shared(rows, 1)),
  market: new Uint16Array(shared(rows, 2)),
  first: new Int32Array(shared(rows, 4)),
  bids: new Uint8Array(shared(rows, 1)),
  asks: new Uint8Array(shared(rows, 1)),
  word: new Uint8Array(shared(rows, 1)),
  line: new Int32Array(shared(rows, 4)),
  prices: new Int32Array(shared(levels, 4)),
  shares: new Float64Array(shared(levels, 8)),
});

const shared = (length: number, bytes: number): SharedArrayBuffer => new SharedArrayBuffer(length * bytes);

/** Copies the first rows and levels of a block. */
function copyOf(from: TapeBlock, rows: number, levels: number): TapeBlock {
  const block = newBlock(rows, levels);
  for (const column of ROW_COLUMNS) block[column].set(from[column].subarray(0, rows));
  for (const column of LEVEL_COLUMNS) block[column].set(from[column].subarray(0, levels));
  return block;
}

/** Returns the rows of a block within a span, without a copy. There may be none. */
export function partOf(block: TapeBlock, span: Span): TapeBlock {
  const [from, to] = [rowAt(block, span.from), rowAt(block, span.to)];
  const columns = ROW_COLUMNS.map((column) => [column, block[column].subarray(from, to)] as const);
  return { ...block, ...Object.fromEntries(columns), rows: to - from };
}

/** Rows of a full block. */
const ROWS = 4_096;
const MARKETS_MOST = 65_535;
/** Most levels of one side. */
const LEVELS_MOST = 255;

/** A row without its levels; `bids` and `asks` count its levels, `word` as in {@link TapeBlock}. */
interface NewRow {
  readonly kind: number;
  /** Microseconds. */
  readonly at: number;
  readonly market: number;
  /** Number of the line in its file. */
  readonly line: number;
  readonly bids: number;
  readonly asks: number;
  readonly word: number;
}

/** Collects rows into blocks. */
export class BlockBuilder {
  /** Every market so far, in the order of its first line. Places never change. */
  readonly markets: TapeMarket[] = [];
  private readonly places = new Map<MarketId, number>();
  private readonly full: TapeBlock[] = [];
  private open = newBlock(ROWS, ROWS * 16);
  private rows = 0;
  private levels = 0;

  /** @returns the blocks that became full since the last call */
  take(): readonly TapeBlock[] {
    return this.full.splice(0);
  }

  /** @returns all blocks that are left */
  end(): readonly TapeBlock[] {
    if (this.rows > 0) this.close();
    return this.take();
  }

  /** @returns why the line cannot be added, for people; null when it was added */
  add(line: RecordedLine, number: number): string | null {
    const market = this.place(line.eventId, line.marketId);
    if (market === null)
      return this.places.has(line.marketId)
        ? `market ${line.marketId} belonged to another event before`
        : `more than ${MARKETS_MOST} markets`;
    const { at, kind } = line;
    if (kind === 'status') {
      this.row({ kind: ROW.status, at, market, line: number, word: statusWord(line), bids: 0, asks: 0 });
      if (typeof line.resolution === 'number') this.level(line.resolution, 0);
    } else if (kind === 'trade') {
      const word = takerWord(line.takerSide);
      this.row({ kind: ROW.trade, at, market, line: number, word, bids: 0, asks: 0 });
      this.level(line.price, line.shares);
    } else {
      const [bids, asks, word] = [line.bids.prices.length, line.asks.prices.length, cutWord(line.cut)];
      const most = Math.max(bids, asks);
      if (most > LEVELS_MOST) return `expected at most ${LEVELS_MOST} levels a side, found ${most}`;
      this.row({ kind: ROW.book, at, market, line: number, word, bids, asks });
      for (let level = 0; level < bids; level++)
        this.level(line.bids.prices[level]!, line.bids.shares[level]!);
      for (let level = 0; level < asks; level++)
        this.level(line.asks.prices[level]!, line.asks.shares[level]!);
    }
    return null;
  }

  /** Adds a row; its levels follow. */
  row(row: NewRow): void {
    if (this.rows === ROWS) this.close();
    const { rows, open } = this;
    open.at[rows] = row.at;
    open.kind[rows] = row.kind;
    open.market[rows] = row.market;
    open.first[rows] = this.levels;
    open.bids[rows] = row.bids;
    open.asks[rows] = row.asks;
    open.word[rows] = row.word;
    open.line[rows] = row.line;
    this.rows = rows + 1;
  }

  /** Adds a level to the last row. */
  level(price: number, shares: number): void {
    if (this.levels === this.open.prices.length) this.open = withRoom(this.open, 2 * this.levels);
    this.open.prices[this.levels] = price;
    this.open.shares[this.levels] = shares;
    this.levels += 1;
  }

  /** @returns the place of a market; null for a market of another event, or when there are too many */
  place(eventId: EventId, marketId: MarketId): number | null {
    const known = this.places.get(marketId);
    if (known !== undefined) return this.markets[known]!.eventId === eventId ? known : null;
    const place = this.markets.length;
    if (place > MARKETS_MOST) return null;
    this.markets.push({ eventId, marketId });
    this.places.set(marketId, place);
    return place;
  }

  private close(): void {
    this.full.push(copyOf(this.open, this.rows, this.levels));
    this.rows = 0;
    this.levels = 0;
  }
}

function withRoom(block: TapeBlock, levels: number): TapeBlock {
  const larger = { ...block, prices: new Int32Array(levels), shares: new Float64Array(levels) };
  larger.prices.set(block.prices);
  larger.shares.set(block.shares);
  return larger;
}
