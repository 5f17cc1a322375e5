/** What a strategy sees besides the book. */
import type { MarketId } from '../../../domain/ids.js';
import {
  currencyUnits,
  type Micros,
  type Money,
  PRICE_ONE,
  probability,
  wholeShares,
} from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { MarketOrders } from '../../execution/orders/order-blotter.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { EventRecord } from '../../mirror/events/catalogue.js';
import type { EventView, InventoryView, MarketView, WorkingQuote } from '../../strategy/contract.js';
import type { Inventory } from '../../portfolio/accounts.js';
import type { Glance } from '../../strategy/glance.js';
import type { EngineParts, QuotedMarket } from '../parts.js';

function marketViewOf({ mirror }: EngineParts, terms: MarketTerms): MarketView {
  return {
    id: terms.marketId,
    title: mirror.market(terms.marketId).title,
    tick: terms.tickUnits / PRICE_ONE,
    currency: terms.currency,
    takerFee: currencyUnits(terms.takerFee),
    makerFee: currencyUnits(terms.makerFee),
    minAmount: currencyUnits(terms.minAmount),
  };
}

function inventoryViewOf(inventory: Inventory, cashFree: Money): InventoryView {
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

/** Views that seldom change, made anew only when what they show has. */
export class KeptViews {
  #market: MarketView | null = null;
  #terms: MarketTerms | null = null;
  #working: readonly WorkingQuote[] = [];
  #version = -1;
  #inventory: InventoryView | null = null;
  #held: Inventory | null = null;
  #cash: Money | null = null;

  market(parts: EngineParts, terms: MarketTerms): MarketView {
    const { title } = parts.mirror.market(terms.marketId);
    if (this.#market === null || this.#terms !== terms || this.#market.title !== title)
      this.#market = marketViewOf(parts, terms);
    this.#terms = terms;
    return this.#market;
  }

  inventory({ positions, funds }: EngineParts, market: MarketId): InventoryView {
    const held = positions.inventory(market);
    const cash = funds.freeCash();
    if (this.#inventory === null || this.#held !== held || this.#cash !== cash)
      this.#inventory = inventoryViewOf(held, cash);
    this.#held = held;
    this.#cash = cash;
    return this.#inventory;
  }

  working({ version, working }: MarketOrders): readonly WorkingQuote[] {
    if (version !== this.#version) this.#working = workingQuotesOf(working);
    this.#version = version;
    return this.#working;
  }
}

/** The question as of the last {@link look}; the other markets are looked up only when the strategy asks for them. */
export class EventPane implements EventView {
  id!: EventView['id'];
  title = '';
  status: EventView['status'] = 'open';
  resolutionMode: EventView['resolutionMode'] = 'non_exclusive';
  isLive = false;
  declare readonly msToClose: number | null;
  declare readonly markets: EventView['markets'];
  #msToClose: number | null = null;
  readonly #parts: EngineParts;
  readonly #siblings: () => readonly QuotedMarket[];
  readonly #glance: Glance;

  /** Accessors of each object's own, made of the same functions: whoever copies an event looks at all of it. */
  static readonly #noticed: PropertyDescriptorMap & ThisType<EventPane> = {
    msToClose: {
      enumerable: true,
      get() {
        this.#glance.toClose = true;
        return this.#msToClose;
      },
    },
    markets: {
      enumerable: true,
      get() {
        this.#glance.siblings = true;
        return this.#marketsNow();
      },
    },
  };

  constructor(parts: EngineParts, siblings: () => readonly QuotedMarket[], glance: Glance) {
    this.#parts = parts;
    this.#siblings = siblings;
    this.#glance = glance;
    Object.defineProperties(this, EventPane.#noticed);
  }

  /** @returns itself, showing the market's event until the next call */
  look(market: MarketId, now: Micros): EventView {
    const { mirror } = this.#parts;
    const { event } = mirror.market(market);
    const close = mirror.betEnd(market);
    const msToClose = close === null ? null : (mirror.venueClock.ours(close) - now) / 1_000;
    const { siblings, toClose } = this.#glance;
    if (siblings || (toClose && msToClose !== this.#msToClose)) this.#glance.hasMoved = true;
    if (!this.#shows(event)) this.#show(event);
    this.#msToClose = msToClose;
    return this;
  }

  #show({ id, title, status, resolutionMode, isLive }: Readonly<EventRecord>): void {
    this.#glance.hasMoved = true;
    this.id = id;
    this.title = title;
    this.status = status;
    this.resolutionMode = resolutionMode;
    this.isLive = isLive;
  }

  #shows({ id, title, status, resolutionMode, isLive }: Readonly<EventRecord>): boolean {
    return (
      this.status === status &&
      this.isLive === isLive &&
      this.resolutionMode === resolutionMode &&
      this.title === title &&
      this.id === id
    );
  }

  #marketsNow(): EventView['markets'] {
    const { positions } = this.#parts;
    return this.#siblings().map(({ marketId, weightedMid }) => ({
      id: marketId,
      weightedMid,
      inventory: wholeShares(positions.net(marketId)),
    }));
  }
}

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
