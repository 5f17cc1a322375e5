import type { EventId, MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Side } from '../../domain/vocabulary.js';
import {
  changeWord,
  cutWord,
  type OrderChange,
  ROW,
  statusWord,
  takerWord,
  type TapeBlock,
  type TapeMarket,
} from './tape-block.js';

/** Rows of a full block: large enough that work per block vanishes, small enough that a few stay in the cache. */
const ROWS = 4_096;
const MARKETS_MOST = 65_535;
/** Levels of one side that fit. */
export const LEVELS_MOST = 255;

/** Collects rows and hands them over as blocks. */
export class BlockBuilder {
  /** Every market met so far, in the order of its first line. Grows; places never change. */
  readonly markets: TapeMarket[] = [];
  private readonly at = new Float64Array(ROWS);
  private readonly kind = new Uint8Array(ROWS);
  private readonly market = new Uint16Array(ROWS);
  private readonly first = new Int32Array(ROWS);
  private readonly bids = new Uint8Array(ROWS);
  private readonly asks = new Uint8Array(ROWS);
  private readonly word = new Uint8Array(ROWS);
  private readonly line = new Int32Array(ROWS);
  private prices = new Int32Array(ROWS * 16);
  private shares = new Float64Array(ROWS * 16);
  private readonly places = new Map<MarketId, number>();
  private rows = 0;
  private levels = 0;
  /** Where the row that is being written began. */
  private begun = 0;

  get isFull(): boolean {
    return this.rows === ROWS;
  }

  get isEmpty(): boolean {
    return this.rows === 0;
  }

  /** Begins a row; {@link abandon} forgets it, {@link end} keeps it. */
  begin(): void {
    this.begun = this.levels;
    if (this.levels + 2 * LEVELS_MOST <= this.prices.length) return;
    this.prices = grown(this.prices, new Int32Array(this.prices.length * 2));
    this.shares = grown(this.shares, new Float64Array(this.shares.length * 2));
  }

  /** Adds a level to the row that was begun; at most {@link LEVELS_MOST} a side. */
  level(price: number, shares: number): void {
    this.prices[this.levels] = price;
    this.shares[this.levels] = shares;
    this.levels += 1;
  }

  /** Levels of the row that was begun. */
  get written(): number {
    return this.levels - this.begun;
  }

  abandon(): void {
    this.levels = this.begun;
  }

  /** @param at microseconds @param word of a trade or status */
  end(row: {
    readonly kind: number;
    readonly at: number;
    readonly market: number;
    readonly bids: number;
    readonly asks: number;
    readonly word: number;
    readonly line: number;
  }): void {
    const { rows } = this;
    this.at[rows] = row.at;
    this.kind[rows] = row.kind;
    this.market[rows] = row.market;
    this.first[rows] = this.begun;
    this.bids[rows] = row.bids;
    this.asks[rows] = row.asks;
    this.word[rows] = row.word;
    this.line[rows] = row.line;
    this.rows = rows + 1;
  }

  /** A line that another reader has read. @returns why it cannot be added, for people; null when it was */
  add(line: RecordedLine, number: number): string | null {
    const market = this.place(line.eventId, line.marketId);
    if (market === null)
      return this.places.has(line.marketId)
        ? `market ${line.marketId} stood under another event before`
        : `more than ${MARKETS_MOST} markets`;
    this.begin();
    const row = { at: line.at, market, line: number, bids: 0, asks: 0, word: 0 };
    if (line.kind === 'book') {
      const levels = Math.max(line.bids.prices.length, line.asks.prices.length);
      if (levels > LEVELS_MOST) return `expected at most ${LEVELS_MOST} levels a side, found ${levels}`;
      this.side(line.bids);
      this.side(line.asks);
      this.end({
        ...row,
        kind: ROW.book,
        word: cutWord(line.cut),
        bids: line.bids.prices.length,
        asks: line.asks.prices.length,
      });
    } else if (line.kind === 'trade') {
      this.level(line.price, line.shares);
      this.end({ ...row, kind: ROW.trade, word: takerWord(line.takerSide) });
    } else this.end({ ...row, kind: ROW.status, word: statusWord(line) });
    return null;
  }

  /** An order that joins, leaves or whose level is restated. */
  order(
    order: {
      readonly at: number;
      readonly line: number;
      readonly side: Side;
      readonly change: OrderChange;
      readonly price: number;
      readonly shares: number;
      readonly ahead: number;
    },
    market: number,
  ): void {
    const { at, line, side, change, price } = order;
    this.begin();
    this.level(price, order.shares);
    this.level(price, order.ahead);
    const sides = side === 'bid' ? { bids: 1, asks: 0 } : { bids: 0, asks: 1 };
    this.end({ at, line, market, kind: ROW.order, ...sides, word: changeWord(change) });
  }

  /** @returns the market's place; null when it was met as another event's, or there are too many */
  place(eventId: EventId, marketId: MarketId): number | null {
    const known = this.places.get(marketId);
    if (known !== undefined) return this.markets[known]!.eventId === eventId ? known : null;
    const place = this.markets.length;
    if (place > MARKETS_MOST) return null;
    this.markets.push({ eventId, marketId });
    this.places.set(marketId, place);
    return place;
  }

  /** Hands over the rows so far and begins anew. */
  take(): TapeBlock {
    const { rows, levels } = this;
    this.rows = 0;
    this.levels = 0;
    return {
      rows,
      at: sharedDoubles(this.at, rows),
      kind: sharedBytes(this.kind, rows),
      market: sharedShorts(this.market, rows),
      first: sharedInts(this.first, rows),
      bids: sharedBytes(this.bids, rows),
      asks: sharedBytes(this.asks, rows),
      word: sharedBytes(this.word, rows),
      line: sharedInts(this.line, rows),
      prices: sharedInts(this.prices, levels),
      shares: sharedDoubles(this.shares, levels),
    };
  }

  private side({ prices, shares }: Levels): void {
    for (let at = 0; at < prices.length; at++) this.level(prices[at]!, shares[at]!);
  }
}

interface Column {
  readonly length: number;
  set(from: this): void;
  subarray(from: number, to: number): this;
}

function grown<C extends Column>(from: C, to: C): C {
  to.set(from);
  return to;
}

function copied<C extends Column>(from: C, to: C): C {
  to.set(from.subarray(0, to.length));
  return to;
}

const sharedDoubles = (from: Float64Array, length: number): Float64Array =>
  copied<Float64Array>(from, new Float64Array(new SharedArrayBuffer(length * 8)));
const sharedInts = (from: Int32Array, length: number): Int32Array =>
  copied<Int32Array>(from, new Int32Array(new SharedArrayBuffer(length * 4)));
const sharedShorts = (from: Uint16Array, length: number): Uint16Array =>
  copied<Uint16Array>(from, new Uint16Array(new SharedArrayBuffer(length * 2)));
const sharedBytes = (from: Uint8Array, length: number): Uint8Array =>
  copied<Uint8Array>(from, new Uint8Array(new SharedArrayBuffer(length)));
