import type { WagerId } from '../../domain/ids.js';
import type { Floor } from '../floor.js';
import type { SavedRing } from '../ring-table.js';
import type { Holding } from '../money/stakes.js';
import { Wager } from '../wagers/wager.js';

/** Where a holding is: indexes of account and book, codes. */
export interface HoldingPlace {
  readonly account: number;
  readonly book: number;
  readonly position: number;
  readonly currency: number;
}

type WagerFigures = Omit<Wager, 'id' | 'holding'>;

/** Wagers and their actions as plain JSON. */
export interface SavedWagers {
  /** In the order of their ids. */
  readonly list: readonly { readonly place: HoldingPlace; readonly figures: WagerFigures }[];
  readonly actions: SavedRing;
}

export const placeOf = ({ stake, position, currency }: Holding): HoldingPlace => ({
  account: stake.account.index,
  book: stake.book.index,
  position,
  currency,
});

export const holdingAt = (floor: Floor, { account, book, position, currency }: HoldingPlace): Holding =>
  floor.stakes.at(floor.accounts.at(account), floor.markets.bookAt(book)).holding(position, currency);

export const saveWagers = ({ wagers }: Floor): SavedWagers => ({
  list: wagers.list.map(({ id: _, holding, ...figures }) => ({ place: placeOf(holding), figures })),
  actions: wagers.actions.save(),
});

/** Puts wagers back, whose stakes must exist already. */
export function loadWagers(floor: Floor, { list, actions }: SavedWagers): void {
  for (const { place, figures } of list) {
    const id = (floor.wagers.list.length + 1) as WagerId;
    const wager = new Wager(id, holdingAt(floor, place), figures.lastPurchase);
    floor.wagers.list.push(Object.assign(wager, figures));
  }
  floor.wagers.actions.load(actions);
}
