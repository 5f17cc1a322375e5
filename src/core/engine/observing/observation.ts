/** What the engine tells an observer of a run beside fills, resolutions and requests, which are told where they happen. */
import type { Depth } from '../../../analytics/series.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { EventStatusInput } from '../../../domain/inputs.js';
import { bookSide, type CurrencyMode } from '../../../domain/vocabulary.js';
import type { Levels } from '../../../domain/levels.js';
import { type Micros, ZERO_SHARES } from '../../../domain/units.js';
import type { ForeignLevel } from '../../mirror/books/foreign-book.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { type ForeignLevels, UNSEEN_BOOK, ownInBook } from '../quoting/book-view.js';
import type { EngineObserver } from './observer.js';
import type { RequestedOrder } from '../../../analytics/observer.js';
import type { VenueRequest } from '../../../domain/effects.js';
import type { Restriction } from '../../risk/quote-restriction.js';
import type { Desk } from '../../execution/desk.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { EngineOptions } from '../options.js';

/** What the last known book of a market is made from. */
export interface DepthParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly desk: Desk;
}

/** The book as it was just looked at, and what of ours stands in it. */
export function tellOfMarket(
  observer: EngineObserver,
  market: MarketId,
  { bids, asks }: ForeignLevels,
  working: readonly OwnOrder[],
  now: Micros,
): void {
  const [bid, ask] = [bids[0], asks[0]];
  const [bidShares, askShares] = [bid?.shares ?? ZERO_SHARES, ask?.shares ?? ZERO_SHARES];
  observer.book?.(market, now, bid?.price ?? null, bidShares, ask?.price ?? null, askShares);
  observer.standing?.(market, now, working.filter(stands));
}

/** What everybody has traded in an event, where the venue says so. */
export function tellOfVolume(
  observer: EngineObserver,
  mode: CurrencyMode,
  change: EventStatusInput,
  now: Micros,
): void {
  const amount = mode === 'play_money' ? change.volumePlayMoney : change.volumeRealMoney;
  if (amount !== null) observer.volume?.(change.eventId, now, amount);
}

/** The last known book of a market, less our own shares. */
export function depthOf({ mirror, desk, options }: DepthParts, market: MarketId, now: Micros): Depth {
  const { graceMs } = options.quoting;
  const book = { bookAt: mirror.bookAt(market), graceMs, now, seen: UNSEEN_BOOK };
  const own = ownInBook(desk.orders.own(market), book);
  const { bids, asks } = mirror.view(market, own, now);
  return { bids: depthLevelsOf(bids), asks: depthLevelsOf(asks) };
}

const stands = ({ ownership, stage }: OwnOrder): boolean =>
  ownership === 'ours' && (stage === 'open' || stage === 'partial');

const depthLevelsOf = (levels: readonly ForeignLevel[]): Levels => ({
  prices: levels.map(({ price }) => price),
  shares: levels.map(({ shares }) => shares),
});

interface KnownOrders {
  byId(id: OrderId): OwnOrder | undefined;
}

/** The orders that a request names, as those hear of them who look on; a cancel of an order that we do not know is left out. */
export function requestedOrders(request: VenueRequest, known: KnownOrders): readonly RequestedOrder[] {
  switch (request.kind) {
    case 'create-orders':
      return request.orders.map(requestedOrder);
    case 'replace-orders':
      return request.replacements.map(({ place }) => requestedOrder(place));
    case 'cancel-orders':
      return request.orderIds.flatMap((id) => known.byId(id) ?? []);
    case 'cancel-scope':
    case 'read-orders':
    case 'read-holdings':
    case 'read-balances':
    case 'read-book':
    case 'read-event':
      return NONE;
  }
}

const NONE: readonly RequestedOrder[] = [];

const requestedOrder = ({
  marketId,
  side,
  position,
}: Pick<OwnOrder, 'marketId' | 'side' | 'position'>): RequestedOrder => ({
  marketId,
  bookSide: bookSide(side, position),
});

/** Guards leave less of the quotes than the strategy wants: smaller, further away, or on one side. */
const LESS_THAN_WANTED = 'less-than-wanted';

/** What speaks against quoting one market in full, told when it changes. */
export class ToldHolds {
  private reason: string | null = null;

  constructor(
    private readonly marketId: MarketId,
    private readonly observer: EngineObserver | null,
  ) {}

  /** @param halt why nothing is quoted; null when something may be */
  tell(halt: string | null, restriction: Restriction, now: Micros): void {
    const reason = halt ?? (isInFull(restriction) ? null : LESS_THAN_WANTED);
    if (reason === this.reason) return;
    this.reason = reason;
    this.observer?.held?.(this.marketId, now, reason);
  }
}

const isInFull = ({ reduceOnly, widenTicks, size }: Restriction): boolean =>
  !reduceOnly && widenTicks === 0 && size === 1;
