import type { Floor } from '../floor.js';
import { linkOwn } from '../orders/own-orders.js';
import type { Holding, Stake } from '../money/stakes.js';

interface SavedHolding {
  readonly position: number;
  readonly currency: number;
  readonly shares: number;
  readonly locked: number;
  readonly wager: number;
}

/** A stake as plain JSON; account and book by index, own orders by row. */
export interface SavedStake {
  readonly account: number;
  readonly book: number;
  readonly flow: readonly number[];
  /** Rows of the working orders of both book sides, best first each. */
  readonly orders: readonly number[];
  readonly holdings: readonly SavedHolding[];
}

/** Book by book, in order of first need. */
export const saveStakes = (floor: Floor): readonly SavedStake[] =>
  floor.markets.books.flatMap((book) => floor.stakes.ofBook(book).map((stake) => saveStake(stake)));

function saveStake(stake: Stake): SavedStake {
  return {
    account: stake.account.index,
    book: stake.book.index,
    flow: [...stake.flow],
    orders: [...stake.ownBids.toArray(), ...stake.ownAsks.toArray()],
    holdings: stake.allHoldings().map(saveHolding),
  };
}

const saveHolding = ({ position, currency, shares, locked, wager }: Holding): SavedHolding => ({
  position,
  currency,
  shares,
  locked,
  wager,
});

/** Puts stakes back, whose orders must be in the table already. */
export function loadStakes(floor: Floor, stakes: readonly SavedStake[]): void {
  for (const saved of stakes) {
    const stake = floor.stakes.at(floor.accounts.at(saved.account), floor.markets.bookAt(saved.book));
    stake.flow.set(saved.flow);
    for (const row of saved.orders) loadOrder(floor, stake, row);
    for (const holding of saved.holdings) loadHolding(stake, holding);
  }
}

function loadOrder({ orders }: Floor, stake: Stake, row: number): void {
  orders.setStake(row, stake.index);
  linkOwn(orders, stake, row);
}

function loadHolding(stake: Stake, { position, currency, ...state }: SavedHolding): void {
  Object.assign(stake.holding(position, currency), state);
}
