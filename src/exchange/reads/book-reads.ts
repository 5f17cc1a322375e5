/** `GET /markets/{id}/book/` (specification 2.7, 4.14). */
import type { AccountId, MarketId, OrderId } from '../../domain/ids.js';
import type { Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import type { CurrencyMode, Position } from '../../domain/vocabulary.js';
import type { Book } from '../books.js';
import { modeCode, positionCode, SHORT } from '../codes.js';
import type { BookLevelView, BookView, QueuePlace } from '../contract.js';
import { feeDue } from '../fees.js';
import type { Floor } from '../floor.js';
import { ASK, BID, type BookSide } from '../matching/index.js';
import { engineId, PROCESSING } from '../orders/order-rows.js';
import type { Stake } from '../stakes.js';
import { ownPrice } from '../sweep.js';

export interface BookRequest {
  readonly market: MarketId;
  readonly mode: CurrencyMode;
  readonly position: Position;
  /** null: nobody signed. */
  readonly viewer: AccountId | null;
}

/** All levels; the short side's book is the mirror of the long one at 1 - p. null: unknown market. */
export function readBook(floor: Floor, request: BookRequest): BookView | null {
  const market = floor.markets.market(request.market);
  if (market === null) return null;
  const book = floor.markets.book(market, modeCode(request.mode));
  const position = positionCode(request.position);
  const own = request.viewer === null ? null : ownShares(floor, book, request.viewer);
  const bids = levelsOf(book, BID, position, own);
  const asks = levelsOf(book, ASK, position, own);
  return position === SHORT ? { bids: asks, asks: bids } : { bids, asks };
}

/** Null: the order does not rest in this book. */
export function readQueuePlace(
  floor: Floor,
  {
    market: id,
    mode,
    order,
  }: { readonly market: MarketId; readonly mode: CurrencyMode; readonly order: OrderId },
): QueuePlace | null {
  const market = floor.markets.market(id);
  if (market === null) return null;
  const { matching } = floor.markets.book(market, modeCode(mode));
  const row = floor.orders.workingRow(order);
  const resting = row === 0 ? null : matching.order(engineId(row));
  if (resting === null) return null;
  const others = matching.foreignAt(resting.side, resting.tick);
  return { ahead: matching.ahead(resting.id), others };
}

interface OwnShares {
  remaining: number;
  requested: number;
}
/** By book side and tick. */
type OwnLevels = readonly [Map<number, OwnShares>, Map<number, OwnShares>];

function ownShares(floor: Floor, book: Book, viewer: AccountId): OwnLevels {
  const levels: OwnLevels = [new Map(), new Map()];
  const account = floor.accounts.find(viewer);
  const stake = account === null ? undefined : floor.stakes.find(account, book);
  if (stake === undefined) return levels;
  for (const side of [BID, ASK] as const) collectOwn(floor, stake, side, levels[side]);
  return levels;
}

function collectOwn({ orders }: Floor, stake: Stake, side: BookSide, levels: Map<number, OwnShares>): void {
  const own = side === BID ? stake.ownBids : stake.ownAsks;
  for (const row of own.toArray()) {
    if (orders.status(row) === PROCESSING) continue;
    const level = levels.get(orders.tick(row)) ?? { remaining: 0, requested: 0 };
    level.remaining += orders.requested(row) - orders.filled(row);
    level.requested += orders.requested(row);
    levels.set(orders.tick(row), level);
  }
}

function levelsOf(book: Book, side: BookSide, position: number, own: OwnLevels | null): BookLevelView[] {
  let shares = 0;
  let amount = 0;
  let fees = 0;
  return book.matching.top(side, book.maxTick).map((level) => {
    const price = ownPrice(book.price(level.tick), position) as PriceUnits;
    const levelFees = feeDue(book.fees.taker * level.shares);
    shares += level.shares;
    amount += price * level.shares;
    fees += levelFees;
    return {
      price,
      shares: level.shares,
      amount: (price * level.shares) as Money,
      fees: levelFees,
      cumulativeShares: shares as Shares,
      cumulativeAmount: amount as Money,
      cumulativeFees: fees as Money,
      ...userColumns(own, side, level.tick),
    };
  });
}

function userColumns(
  own: OwnLevels | null,
  side: BookSide,
  tick: Ticks,
): Pick<BookLevelView, 'userShares' | 'userSharesRequested'> {
  if (own === null) return { userShares: null, userSharesRequested: null };
  const level = own[side].get(tick);
  return {
    userShares: (level?.remaining ?? 0) as Shares,
    userSharesRequested: (level?.requested ?? 0) as Shares,
  };
}
