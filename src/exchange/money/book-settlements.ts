import type { Book } from '../books/books.js';
import type { LedgerColumns } from '../books/market-ledger.js';
import type { Holding, Stake } from './stakes.js';
import type { Wager, WagerState } from '../wagers/wager.js';

/** What a payout or a refund changed at one book. Money and share units. */
export interface BookSettlement {
  readonly flows: readonly { readonly stake: Stake; readonly currency: number; readonly amount: number }[];
  /** Shares that were held before. */
  readonly holdings: readonly { readonly holding: Holding; readonly shares: number }[];
  readonly wagers: readonly {
    readonly wager: Wager;
    readonly before: WagerState;
    readonly amount: number;
  }[];
  /** The venue's own columns before. */
  readonly ledger: LedgerColumns;
}

/** What was paid out and refunded, so that it can be taken back. */
export class BookSettlements {
  private readonly byBook = new Map<Book, BookSettlement[]>();

  add(book: Book, settlement: BookSettlement): void {
    this.byBook.set(book, [...this.of(book), settlement]);
  }

  /** Oldest first. */
  of(book: Book): readonly BookSettlement[] {
    return this.byBook.get(book) ?? [];
  }

  /** Takes a book's settlements out, latest first. */
  takeAll(book: Book): readonly BookSettlement[] {
    const settlements = this.of(book);
    this.byBook.delete(book);
    return settlements.toReversed();
  }
}
