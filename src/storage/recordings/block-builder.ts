import type { EventId, MarketId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Side } from '../../domain/vocabulary.js';
import {
  bytesOf,
  changeWord,
  copyOf,
  cutWord,
  newBlock,
  type OrderChange,
  ROW,
  statusWord,
  takerWord,
  type TapeBlock,
  type TapeMarket,
} from './tape-block.js';

/** Rows of a full block. */
const ROWS = 4_096;
const MARKETS_MOST = 65_535;
/** Most levels of one side. */
export const LEVELS_MOST = 255;

/** Collects rows and hands them over as blocks. */
export class BlockBuilder {
  /** Every market met so far, in the order of its first line; places never change. */
  readonly markets: TapeMarket[] = [];
  private open = newBlock(ROWS, ROWS * 16);
  private readonly places = new Map<MarketId, number>();
  private rows = 0;
  private levels = 0;
  /** First level of the row that is being written. */
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
    const room = this.open.prices.length;
    if (this.levels + 2 * LEVELS_MOST > room) this.makeRoom(2 * room);
  }

  /** Adds a level to the row that was begun; at most {@link LEVELS_MOST} a side. */
  level(price: number, shares: number): void {
    this.open.prices[this.levels] = price;
    this.open.shares[this.levels] = shares;
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
    const { rows, open } = this;
    open.at[rows] = row.at;
    open.kind[rows] = row.kind;
    open.market[rows] = row.market;
    open.first[rows] = this.begun;
    open.bids[rows] = row.bids;
    open.asks[rows] = row.asks;
    open.word[rows] = row.word;
    open.line[rows] = row.line;
    this.rows = rows + 1;
  }

  /** @returns why the line cannot be added, for people; null when it was added */
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
    return copyOf(this.open, rows, levels);
  }

  private makeRoom(levels: number): void {
    const { prices, shares } = this.open;
    this.open = { ...this.open, prices: new Int32Array(levels), shares: new Float64Array(levels) };
    this.open.prices.set(prices);
    this.open.shares.set(shares);
  }

  private side({ prices, shares }: Levels): void {
    for (let at = 0; at < prices.length; at++) this.level(prices[at]!, shares[at]!);
  }
}

/** Bytes of decoded blocks that recordings may hold together. */
export class BlockBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @returns whether there is room for so many bytes; if not, nothing is taken */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** Blocks of one recording: all of them, or none once one does not fit into the budget. */
export class KeptBlocks {
  #blocks: TapeBlock[] | null = [];

  constructor(private readonly budget: BlockBudget) {}

  /** null: they did not fit. */
  get blocks(): readonly TapeBlock[] | null {
    return this.#blocks;
  }

  add(block: TapeBlock): void {
    if (this.#blocks === null) return;
    if (this.budget.take(bytesOf(block))) this.#blocks.push(block);
    else this.drop();
  }

  /** Gives everything back, and keeps nothing that comes. */
  drop(): void {
    for (const block of this.#blocks ?? []) this.budget.giveBack(bytesOf(block));
    this.#blocks = null;
  }
}
