/** A book among others' liquidity, driven in plain numbers. */
import type { OrderId } from '../../../src/exchange/contract/ids.js';
import type { Ticks } from '../../../src/domain/units.js';
import type { ForeignOptions } from '../../../src/exchange/matching/index.js';
import { ASK, BID, MatchingBook } from '../../../src/exchange/matching/index.js';
import type { CommandBook } from '../matching/book-pair.js';
import { listFills } from '../matching/book-pair.js';
import type { LevelRow } from '../matching/naive-book.js';
import { recordedSide } from '../tape/recorded-side.js';

export class OthersScene {
  readonly book: MatchingBook;
  readonly orders: CommandBook;

  constructor(options: Partial<ForeignOptions> = {}) {
    const foreign = { depth: 3, ...options };
    this.book = new MatchingBook({ minTick: 1 as Ticks, maxTick: 99 as Ticks, foreign });
    this.orders = this.book;
  }

  line(bids: readonly LevelRow[], asks: readonly LevelRow[] = []): void {
    this.book.recordBook(recordedSide(bids), recordedSide(asks));
  }

  print(taker: 'bid' | 'ask', tick: number, shares: number): void {
    this.orders.recordPrint(taker === 'bid' ? BID : ASK, tick, shares);
  }

  /** Maker and shares of each fill of the last command. */
  get fills(): (readonly [maker: number, shares: number])[] {
    return listFills(this.book.fills).map(({ makerId, shares }) => [makerId, shares]);
  }

  ahead(id: number): number {
    return this.book.ahead(id as OrderId);
  }
}
