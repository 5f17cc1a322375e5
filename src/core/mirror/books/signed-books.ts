import type { AnswerBody } from '../../../domain/answers.js';
import type { Levels } from '../../../domain/levels.js';
import type { Micros, Shares, Ticks } from '../../../domain/units.js';
import { priceToTicks, ZERO_SHARES } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { OwnLevels, OwnSide } from './own-levels.js';

/** One side of a signed book read: all shares and, of them, our own as the venue counts them. */
export interface SignedSide {
  readonly ticks: readonly Ticks[];
  readonly foreign: readonly Shares[];
  readonly own: readonly Shares[];
}

/** The last signed `GET book` (specification 2.7), down to where enough of it is foreign: it alone tells what lies behind the top N. */
export interface SignedBook {
  readonly sentAt: Micros;
  readonly bids: SignedSide;
  readonly asks: SignedSide;
}

/** A level of which the venue says that another number of shares is ours than we subtract. */
export interface OwnShareDifference {
  readonly side: Side;
  readonly price: Ticks;
  readonly ours: Shares;
  readonly venue: Shares;
}

/**
 * Keeps what a signed read said of the best levels.
 * @param foreign levels with foreign shares to keep per side
 * @returns null when the read was not signed or a price is off the grid
 */
export function signedBook(
  read: Extract<AnswerBody, { kind: 'read-book' }>,
  sentAt: Micros,
  tickUnits: number,
  foreign: number,
): SignedBook | null {
  if (read.ownBids === null || read.ownAsks === null) return null;
  const bids = signedSide(read.bids, read.ownBids, tickUnits, foreign);
  const asks = signedSide(read.asks, read.ownAsks, tickUnits, foreign);
  return bids === null || asks === null ? null : { sentAt, bids, asks };
}

function signedSide(
  levels: Levels,
  own: readonly Shares[],
  tickUnits: number,
  foreign: number,
): SignedSide | null {
  const side = { ticks: [] as Ticks[], foreign: [] as Shares[], own: [] as Shares[] };
  let found = 0;
  for (let level = 0; level < levels.prices.length && found < foreign; level++) {
    const tick = priceToTicks(levels.prices[level]!, tickUnits);
    if (tick === null) return null;
    const mine = own[level] ?? ZERO_SHARES;
    const others = Math.max(0, levels.shares[level]! - mine) as Shares;
    side.ticks.push(tick);
    side.own.push(mine);
    side.foreign.push(others);
    if (others > 0) found += 1;
  }
  return side;
}

/**
 * Compares the venue's count of our own shares per level with what we would subtract there. Differences are normal
 * while orders are under way, and reads may be seconds old: they are a hint to look, never a correction.
 */
export function ownShareDifferences(book: SignedBook, own: OwnLevels): OwnShareDifference[] {
  return [...sideDifferences('bid', book.bids, own.bids), ...sideDifferences('ask', book.asks, own.asks)];
}

function sideDifferences(side: Side, said: SignedSide, own: OwnSide): OwnShareDifference[] {
  const mine = new Map<Ticks, number>();
  for (let level = 0; level < own.count; level++) {
    const price = own.price(level);
    mine.set(price, (mine.get(price) ?? 0) + own.shares(level));
  }
  const differences: OwnShareDifference[] = [];
  said.ticks.forEach((price, level) => {
    const ours = (mine.get(price) ?? 0) as Shares;
    const venue = said.own[level]!;
    if (ours !== venue) differences.push({ side, price, ours, venue });
  });
  return differences;
}
