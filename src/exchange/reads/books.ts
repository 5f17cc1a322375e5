/** `GET /markets/{id}/book/` (specification 2.7, 4.14), and what simulated venues ask of a book. */
import type { AccountId, MarketId, OrderId } from '../contract/ids.js';
import type { Levels } from '../../domain/levels.js';
import type { Money, Shares, Ticks } from '../../domain/units.js';
import type { CurrencyMode, Position } from '../../domain/vocabulary.js';
import type { Account } from '../accounts/accounts.js';
import type { BookLevelView, BookView, DepthView, QueuePlace } from '../contract.js';
import { ownPrice, type Book } from '../markets/book.js';
import { ASK, BID, type BookSide, type RestingOrder } from '../matching/index.js';
import { feeDue } from '../money/ledger.js';
import type { State } from '../state.js';

export interface BookRequest {
  readonly market: MarketId;
  readonly mode: CurrencyMode;
  readonly position: Position;
  /** null: nobody signed. */
  readonly viewer: AccountId | null;
}

/** All levels; the short side's book is the mirror of the long one at 1 - p. null: unknown market. */
export function readBook(state: State, request: BookRequest): BookView | null {
  const book = bookOf(state, request);
  if (book === null) return null;
  const { position, viewer } = request;
  const own = viewer === null ? null : ownLevels(state, book, viewer);
  const bids = levelsOf(book, BID, position, own);
  const asks = levelsOf(book, ASK, position, own);
  return position === 'short' ? { bids: asks, asks: bids } : { bids, asks };
}

/**
 * What the viewer could trade against at once, at long-side prices: as many levels as are published, without own shares
 * and without levels that a recording has not shown since they left its depth. null: unknown market
 */
export function readDepth(state: State, request: Omit<BookRequest, 'position'>): DepthView | null {
  const book = bookOf(state, request);
  if (book === null) return null;
  const own = request.viewer === null ? null : ownLevels(state, book, request.viewer);
  const side = (of: BookSide): Levels => {
    const levels = book.matching
      .seen(of, state.config.topN)
      .map(({ tick, shares }) => ({ tick, shares: shares - (userShares(own, of, tick) ?? 0) }))
      .filter(({ shares }) => shares > 0);
    return {
      prices: levels.map(({ tick }) => book.price(tick)),
      shares: levels.map(({ shares }) => shares as Shares),
    };
  };
  return { bids: side(BID), asks: side(ASK) };
}

/** null: the order does not rest in this book. */
export function readQueuePlace(
  state: State,
  request: { readonly market: MarketId; readonly mode: CurrencyMode; readonly order: OrderId },
): QueuePlace | null {
  const matching = bookOf(state, request)?.matching;
  const order = state.orders.find(request.order);
  const resting = matching?.order(request.order);
  if (matching === undefined || order === null || !resting) return null;
  const queue = matching.queue(resting.side, resting.tick);
  const own = ownInQueue(state, queue, resting.id, order.owner.account);
  return {
    ahead: (matching.ahead(resting.id) - own.ahead) as Shares,
    others: (matching.volumeAt(resting.side, resting.tick) - own.all) as Shares,
  };
}

/** Shares of an order's owner at its price: those before the order, and all of them. */
function ownInQueue(
  { orders }: State,
  queue: Iterable<RestingOrder>,
  order: OrderId,
  account: Account,
): { readonly ahead: number; readonly all: number } {
  let [ahead, all, isBefore] = [0, 0, true];
  for (const { id, shares } of queue) {
    if (id === order) isBefore = false;
    if (orders.get(id).owner.account !== account) continue;
    all += shares;
    if (isBefore) ahead += shares;
  }
  return { ahead, all };
}

function bookOf(
  { markets }: State,
  { market: id, mode }: { readonly market: MarketId; readonly mode: CurrencyMode },
): Book | null {
  const market = markets.market(id);
  return market === null ? null : markets.book(market, mode);
}

/** Own unfilled shares by book side and tick. */
type OwnLevels = readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>];

function ownLevels(state: State, book: Book, viewer: AccountId): OwnLevels {
  const account = state.accounts.find(viewer);
  const owner = account?.inBook.get(book);
  if (owner === undefined) return [new Map(), new Map()];
  return [owner.ownShares(BID), owner.ownShares(ASK)];
}

function levelsOf(book: Book, side: BookSide, position: Position, own: OwnLevels | null): BookLevelView[] {
  let shares = 0;
  let amount = 0;
  let fees = 0;
  return [...book.matching.levels(side)].map((level) => {
    const price = ownPrice(book.price(level.tick), position);
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
