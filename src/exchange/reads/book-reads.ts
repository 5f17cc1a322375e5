/** `GET /markets/{id}/book/` (specification 2.7, 4.14). */
import type { AccountId, MarketId, OrderId } from '../../domain/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import type { CurrencyMode, Position } from '../../domain/vocabulary.js';
import type { Book } from '../books/books.js';
import { modeCode, positionCode, SHORT } from '../codes.js';
import type { BookLevelView, BookView, DepthView, QueuePlace } from '../contract.js';
import { feeDue } from '../money/fees.js';
import type { Floor } from '../floor.js';
import { ASK, BID, type BookSide, type RestingOrder } from '../matching/index.js';
import { engineId, rowOf } from '../orders/order-rows.js';
import { stakeOf } from '../orders/order-stake.js';
import { ownShares } from '../orders/own-orders.js';
import { ownPrice } from '../books/sweep.js';

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
  const own = request.viewer === null ? null : ownLevels(floor, book, request.viewer);
  const bids = levelsOf(book, BID, position, own);
  const asks = levelsOf(book, ASK, position, own);
  return position === SHORT ? { bids: asks, asks: bids } : { bids, asks };
}

/**
 * What the viewer could trade against at once, at long-side prices: as many levels as are published, without own shares
 * and without levels that a recording has not shown since they left its depth. null: unknown market
 */
export function readDepth(floor: Floor, request: Omit<BookRequest, 'position'>): DepthView | null {
  const market = floor.markets.market(request.market);
  if (market === null) return null;
  const book = floor.markets.book(market, modeCode(request.mode));
  const own = request.viewer === null ? null : ownLevels(floor, book, request.viewer);
  const side = (of: BookSide): Levels => {
    const levels = book.matching
      .seen(of, floor.config.topN)
      .map(({ tick, shares }) => ({ tick, shares: shares - (userShares(own, of, tick) ?? 0) }))
      .filter(({ shares }) => shares > 0);
    return {
      prices: levels.map(({ tick }) => book.price(tick)),
      shares: levels.map(({ shares }) => shares as Shares),
    };
  };
  return { bids: side(BID), asks: side(ASK) };
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
  const own = ownInQueue(floor, matching.queue(resting.side, resting.tick), row);
  return {
    ahead: (matching.ahead(resting.id) - own.ahead) as Shares,
    others: (matching.volumeAt(resting.side, resting.tick) - own.all) as Shares,
  };
}

/** Shares of the owner of an order at its price: those that stand before it, and all of them. */
function ownInQueue(
  floor: Floor,
  queue: Iterable<RestingOrder>,
  order: number,
): { readonly ahead: number; readonly all: number } {
  const { account } = stakeOf(floor, order);
  let [ahead, all, isBefore] = [0, 0, true];
  for (const { id, shares } of queue) {
    if (id === engineId(order)) isBefore = false;
    if (stakeOf(floor, rowOf(id)).account !== account) continue;
    all += shares;
    if (isBefore) ahead += shares;
  }
  return { ahead, all };
}

/** Own shares not yet filled, by book side and tick. */
type OwnLevels = readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>];

function ownLevels(floor: Floor, book: Book, viewer: AccountId): OwnLevels {
  const account = floor.accounts.find(viewer);
  const stake = account === null ? undefined : floor.stakes.find(account, book);
  if (stake === undefined) return [new Map(), new Map()];
  return [ownShares(floor, stake, BID), ownShares(floor, stake, ASK)];
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
      userShares: userShares(own, side, level.tick),
    };
  });
}

const userShares = (own: OwnLevels | null, side: BookSide, tick: Ticks): Shares | null =>
  own === null ? null : ((own[side].get(tick) ?? 0) as Shares);
