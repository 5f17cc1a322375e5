import type { Floor } from '../floor.js';
import type { LedgerColumns } from '../books/market-ledger.js';
import type { BookSettlement } from '../money/book-settlements.js';
import type { WagerState } from '../wagers/wager.js';
import { holdingAt, placeOf, type HoldingPlace } from './wager-state.js';

/** A settlement as plain JSON: stakes and holdings by place, wagers by id. */
export interface SavedSettlement {
  readonly book: number;
  readonly flows: readonly { readonly account: number; readonly currency: number; readonly amount: number }[];
  readonly holdings: readonly { readonly place: HoldingPlace; readonly shares: number }[];
  readonly wagers: readonly {
    readonly wager: number;
    readonly before: WagerState;
    readonly amount: number;
  }[];
  readonly ledger: LedgerColumns;
}

/** Book by book, oldest first each. */
export const saveSettlements = ({ markets, settlements }: Floor): readonly SavedSettlement[] =>
  markets.books.flatMap((book) => settlements.of(book).map((settlement) => saved(book.index, settlement)));

const saved = (book: number, { flows, holdings, wagers, ledger }: BookSettlement): SavedSettlement => ({
  book,
  flows: flows.map(({ stake, currency, amount }) => ({ account: stake.account.index, currency, amount })),
  holdings: holdings.map(({ holding, shares }) => ({ place: placeOf(holding), shares })),
  wagers: wagers.map(({ wager, before, amount }) => ({ wager: wager.id, before, amount })),
  ledger,
});

/** Puts settlements back, whose stakes and wagers must exist already. */
export function loadSettlements(floor: Floor, settlements: readonly SavedSettlement[]): void {
  for (const { book: index, flows, holdings, wagers, ledger } of settlements) {
    const book = floor.markets.bookAt(index);
    const stakeOf = (account: number) => floor.stakes.at(floor.accounts.at(account), book);
    floor.settlements.add(book, {
      flows: flows.map(({ account, ...flow }) => ({ stake: stakeOf(account), ...flow })),
      holdings: holdings.map(({ place, shares }) => ({ holding: holdingAt(floor, place), shares })),
      wagers: wagers.map(({ wager, ...state }) => ({ wager: floor.wagers.at(wager), ...state })),
      ledger,
    });
  }
}
