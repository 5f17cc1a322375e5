/** What a strategy sees besides the book. */
import type { Fill } from '../../../domain/fill.js';
import type { MarketId } from '../../../domain/ids.js';
import {
  currencyUnits,
  type Micros,
  type Money,
  PRICE_ONE,
  probability,
  wholeShares,
} from '../../../domain/units.js';
import { bookSide } from '../../../domain/vocabulary.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Inventory } from '../../portfolio/accounts.js';
import { gettersOf, lazily } from '../../strategy/context.js';
import type {
  EventView,
  FillView,
  InventoryView,
  MarketView,
  WorkingQuote,
} from '../../strategy/contract.js';
import type { StatedClose } from '../options.js';

export const marketViewOf = (title: string, terms: MarketTerms): MarketView => ({
  id: terms.marketId,
  title,
  tick: terms.tickUnits / PRICE_ONE,
  currency: terms.currency,
  takerFee: currencyUnits(terms.takerFee),
  makerFee: currencyUnits(terms.makerFee),
  minAmount: currencyUnits(terms.minAmount),
});

export function inventoryViewOf(inventory: Inventory, cashFree: Money): InventoryView {
  const long = wholeShares(inventory.long);
  const short = wholeShares(inventory.short);
  return {
    long,
    short,
    net: long - short,
    paired: Math.min(long, short),
    averageLong: costOf(inventory.averageLong),
    averageShort: costOf(inventory.averageShort),
    cashFree: currencyUnits(cashFree),
  };
}

/** Average cost as a probability of the position; null when nothing is held. */
const costOf = (average: number | null): number | null => (average === null ? null : average / PRICE_ONE);

/** When betting closes, by the venue's clock; null when no end is known. */
function closeOf(
  mirror: Mirror,
  market: MarketId,
  now: Micros,
  closing: StatedClose | undefined,
): Micros | null {
  // What was scheduled and is past says nothing of when betting closes.
  return mirror.betEnd(market) ?? (closing !== undefined && closing.at > now ? closing.at : null);
}

/** Milliseconds until betting closes; null when no end is known. */
export function msToClose(
  mirror: Mirror,
  market: MarketId,
  now: Micros,
  closing: StatedClose | undefined,
): number | null {
  const close = closeOf(mirror, market, now, closing);
  return close === null ? null : (mirror.venueClock.ours(close) - now) / 1_000;
}

/** @param mid of others at the last look before the fill */
export function fillViewOf(
  { side, position, shares, amount, liquidity }: Fill,
  mid: number | null,
): FillView {
  const price = amount / shares;
  return {
    side: bookSide(side, position),
    price: (position === 'long' ? price : PRICE_ONE - price) / PRICE_ONE,
    shares: wholeShares(shares),
    liquidity,
    midBefore: mid,
  };
}

/** What notes that a strategy looks at something that changes without its own market. */
export interface Looks {
  /** Called only when the strategy asks for the other markets. */
  markets(): EventView['markets'];
  /** Called only when the strategy asks how the event may end. */
  scenarios(): EventView['scenarios'];
  /** The strategy asks for the time left. */
  noteTime(): void;
}

/** What a person or a recording says of an event. */
export interface StatedOfEvent {
  /** How many markets resolve long; left out where that is not certain. */
  readonly winners: number | undefined;
  readonly closing: StatedClose | undefined;
}

export function eventViewOf(
  mirror: Mirror,
  market: MarketId,
  now: Micros,
  { winners, closing }: StatedOfEvent,
  looks: Looks,
): EventView {
  const { id, title, status, resolutionMode, isLive, markets } = mirror.market(market).event;
  const close = closeOf(mirror, market, now, closing);
  const most = resolutionMode === 'exclusive' ? 1 : markets.length;
  const view = {
    id,
    title,
    status,
    resolutionMode,
    isLive,
    winners: { least: winners ?? 0, most: winners ?? most },
    exhaustive: winners !== undefined,
    closesFrom: close === null ? null : close === closing?.at ? closing.from : ('venue' as const),
  };
  const ms = close === null ? null : (mirror.venueClock.ours(close) - now) / 1_000;
  return lazily(view, new EventLooks(looks, ms), LAZY);
}

/** What of an event is worked out when its strategy asks for it. */
class EventLooks {
  constructor(
    private readonly looks: Looks,
    private readonly ms: number | null,
  ) {}

  get scenarios(): EventView['scenarios'] {
    return this.looks.scenarios();
  }

  get msToClose(): EventView['msToClose'] {
    this.looks.noteTime();
    return this.ms;
  }

  get markets(): EventView['markets'] {
    return this.looks.markets();
  }
}

const LAZY = gettersOf<EventLooks, 'scenarios' | 'msToClose' | 'markets'>([
  'scenarios',
  'msToClose',
  'markets',
]);

export function workingQuotesOf(working: readonly OwnOrder[]): readonly WorkingQuote[] {
  const quotes: WorkingQuote[] = [];
  for (const order of working)
    if (order.ownership === 'ours' && order.state !== 'done')
      quotes.push({
        side: order.bookSide,
        price: probability(order.longPrice),
        shares: wholeShares(order.remaining),
        state: order.state,
      });
  return quotes;
}
