import type { EventId, MarketId } from '../../../domain/ids.js';
import type { Micros, Money, Shares } from '../../../domain/units.js';
import { bookSideOf, longPriceOf, type LimitOrder, type OrderReplacement } from '../../../domain/orders.js';
import type { Currency } from '../../../domain/vocabulary.js';
import { DearestShares, type EventQuotes } from '../../portfolio/event-exposure.js';
import { type OpenOrder, OrderCosts } from '../../portfolio/worst-case.js';
import type { Approved, VenueRequest } from '../../../domain/effects.js';
import type { Proposal } from '../../risk/index.js';
import type { Desk } from '../../execution/desk.js';
import type { EngineOptions } from '../options.js';
import type { Funds } from './funds.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Positions } from '../accounting/positions.js';

/** What this part of the engine works with. */
export interface ExposureParts {
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly options: EngineOptions;
}

/** What working orders, and approved orders that are not sent yet, may cost the run. */
export class Exposure {
  readonly promised: PromisedOrders;
  readonly awaited = new AwaitedQuotes();
  now = 0 as Micros;
  /** Markets whose open orders the portfolio has not been told since they changed. */
  private readonly changed: Set<MarketId>;
  /** Markets in which an exit was approved since {@link outbid} was asked last. */
  private readonly outbidding: MarketId[] = [];
  /** Markets that the portfolio was told of since {@link takeTold} was asked last. */
  private readonly told = new Set<MarketId>();
  /** Shares that may fill in each market told of. */
  private readonly fillable = new Map<MarketId, Fillable>();

  constructor(private readonly parts: ExposureParts) {
    this.changed = parts.desk.orders.watch();
    this.promised = new PromisedOrders((market) => void this.changed.add(market));
    parts.funds.heed(this.promised);
  }

  /** What orders of the market may cost is to be added up anew. */
  changedIn(market: MarketId): void {
    this.changed.add(market);
  }

  /** Tells the portfolio what is open by now. */
  tellChanged(): void {
    if (this.changed.size === 0) return;
    for (const market of this.changed) this.tell(market);
    this.changed.clear();
  }

  /**
   * Shares of the run's currency that may fill on each side of a market's book: of working orders, and of those that may
   * have traded unheard.
   */
  mayFill(market: MarketId): Fillable {
    if (this.changed.delete(market)) this.tell(market);
    return this.fillable.get(market) ?? NOTHING;
  }

  /** Takes out the markets in which what may be lost may be another, and tells the portfolio of them. */
  takeTold(): readonly MarketId[] {
    this.tellChanged();
    const told = [...this.told];
    this.told.clear();
    return told;
  }

  /** Cash that working and approved bids lock. */
  locked(): Money {
    return (this.parts.funds.locked() + this.promised.locked) as Money;
  }

  /** Takes out the markets in which a refused order may pass now, because other quotes of the event stepped back. */
  released(): readonly MarketId[] {
    if (this.awaited.areNone) return NO_MARKETS;
    this.tellChanged();
    return this.awaited.take();
  }

  /** Worst-case losses of other events added up: of those of its category, or of all; null: it has no category. */
  lossElsewhere(event: EventId, scope: 'category' | 'account'): Money | null {
    const { mirror, positions, options } = this.parts;
    const category = options.categories.get(event);
    if (scope === 'category' && category === undefined) return null;
    this.tellChanged();
    let sum = 0;
    for (const { id } of mirror.events)
      if (id !== event && (scope === 'account' || options.categories.get(id) === category))
        sum += Math.max(0, 0 - positions.exposureOf(id).worst());
    return sum as Money;
  }

  /** An exit was approved there although it costs too much together with quotes elsewhere in the event. */
  outbids(market: MarketId): void {
    this.outbidding.push(market);
  }

  /**
   * Takes out the markets in which something waits that was let pass before such an exit elsewhere in the event. Each is named
   * once for all that passed until now: of two exits that both wait neither holds back the other for ever.
   */
  outbid(): readonly MarketId[] {
    if (this.outbidding.length === 0) return NO_MARKETS;
    const found = new Set(this.outbidding.flatMap((market) => this.waitingBeside(market)));
    this.outbidding.length = 0;
    return [...found];
  }

  private waitingBeside(market: MarketId): readonly MarketId[] {
    const { event } = this.parts.mirror.market(market);
    return event.markets.map(({ id }) => id).filter((other) => other !== market && this.promised.has(other));
  }

  /** Adds up what may fill in the market, and tells the portfolio of it and of what is to leave. */
  private tell(market: MarketId): void {
    const { positions } = this.parts;
    const [fee, restingFee] = [positions.worstFee(market), positions.restingFee(market)];
    const costs = new OrderCosts();
    const dearest = new DearestShares();
    const fillable = { bid: 0, ask: 0 };
    const add = (order: OpenOrder, shares: Shares): void => {
      costs.add(order, shares, fee);
      dearest.add(bookSideOf(order), longPriceOf(order), restingFee);
    };
    for (const { order, shares } of this.open(market)) {
      fillable[bookSideOf(order)] += shares;
      add(order, shares);
    }
    for (const order of this.promised.of(market))
      if (order.currency === positions.currency) add(order, order.shares);
    this.fillable.set(market, fillable);
    this.told.add(market);
    positions.open(market, costs).quotes?.quote(market, dearest);
  }

  /** Orders of the run's currency that may still fill: working ones, and ended ones whose fills were not heard of. */
  private open(market: MarketId): readonly { readonly order: OpenOrder; readonly shares: Shares }[] {
    const { desk, positions } = this.parts;
    const isOfRun = ({ currency }: { readonly currency: Currency }): boolean =>
      currency === positions.currency;
    const { working } = desk.orders.own(market);
    const unheard = desk.orders.unheardEnds(market);
    return [
      ...working.filter(isOfRun).map((order) => ({ order, shares: order.remaining })),
      ...unheard
        .filter(isOfRun)
        .map((order) => ({ order, shares: (order.requested - order.filled) as Shares })),
    ];
  }
}

/** Shares that may fill on each side of a market's book. */
export interface Fillable {
  readonly bid: number;
  readonly ask: number;
}

const NO_MARKETS: readonly MarketId[] = [];
const NOTHING: Fillable = { bid: 0, ask: 0 };

/** What is asked for an order that passed the gate. */
export type PromisedItem = Approved<LimitOrder> | Approved<OrderReplacement>;

interface PromisedOrder {
  readonly item: PromisedItem;
  /** As of the approval: fees may change until the order leaves. */
  readonly proposal: Proposal;
}

/** Shares promised on either side of a market's book. */
export interface PromisedInMarket {
  readonly bid: number;
  readonly ask: number;
}

const NO_ORDERS: readonly PromisedOrder[] = [];

/**
 * Orders that have passed the gate and not left yet. They may stand soon, so they count like those that do: otherwise the
 * levels of one plan, each within the limits, could exceed them together.
 */
export class PromisedOrders {
  readonly #byMarket = new Map<MarketId, PromisedOrder[]>();
  #locked = 0;
  #claimed = 0;

  /** @param dropped told of the market of orders that have left or will not */
  constructor(private readonly dropped: (market: MarketId) => void) {}

  /** Cash that all promised orders would lock. */
  get locked(): Money {
    return this.#locked as Money;
  }

  /** Cash that they take of what is free now. */
  get claimed(): Money {
    return this.#claimed as Money;
  }

  add(item: PromisedItem, proposal: Proposal): void {
    const { marketId } = proposal.order;
    const orders = this.#byMarket.get(marketId) ?? [];
    orders.push({ item, proposal });
    this.#byMarket.set(marketId, orders);
    this.#total(proposal, 1);
  }

  /** Shares promised on each side. */
  in(market: MarketId): PromisedInMarket {
    let [bid, ask] = [0, 0];
    for (const { proposal } of this.#in(market)) {
      bid += proposal.bought;
      ask += proposal.sold;
    }
    return { bid, ask };
  }

  has(market: MarketId): boolean {
    return this.#byMarket.has(market);
  }

  /** What would stand, in the order in which it passed the gate. */
  of(market: MarketId): readonly LimitOrder[] {
    return this.#in(market).map(({ proposal }) => proposal.order);
  }

  /** The market is planned anew: what the plan before was to send will not be sent. */
  forget(market: MarketId): void {
    this.#drop(market, () => true);
  }

  /** What has left is among the working orders from now on. */
  left(request: VenueRequest): void {
    const items = itemsOf(request);
    let last: MarketId | null = null;
    for (const item of items) {
      const { marketId } = 'place' in item ? item.place : item;
      // Those of one market follow each other.
      if (marketId !== last) this.#drop(marketId, (order) => items.includes(order.item));
      last = marketId;
    }
  }

  #drop(market: MarketId, goes: (order: PromisedOrder) => boolean): void {
    const before = this.#in(market);
    const going = before.filter(goes);
    if (going.length === 0) return;
    const left = before.filter((order) => !going.includes(order));
    if (left.length === 0) this.#byMarket.delete(market);
    else this.#byMarket.set(market, left);
    for (const { proposal } of going) this.#total(proposal, -1);
    this.dropped(market);
  }

  #in(market: MarketId): readonly PromisedOrder[] {
    return this.#byMarket.get(market) ?? NO_ORDERS;
  }

  #total({ locked, claimed }: Proposal, sign: 1 | -1): void {
    this.#locked += sign * locked;
    this.#claimed += sign * claimed;
  }
}

function itemsOf(request: VenueRequest): readonly PromisedItem[] {
  if (request.kind === 'create-orders') return request.orders;
  return request.kind === 'replace-orders' ? request.replacements : [];
}

interface Waiting {
  readonly quotes: EventQuotes;
  readonly retreats: number;
}

/**
 * Markets in which an order was refused for what is quoted elsewhere in their event. Nothing comes in for them when that steps
 * back, so they are looked at again then.
 */
export class AwaitedQuotes {
  readonly #waiting = new Map<MarketId, Waiting>();

  /** Whether no market waits, as mostly. */
  get areNone(): boolean {
    return this.#waiting.size === 0;
  }

  await(market: MarketId, quotes: EventQuotes): void {
    this.#waiting.set(market, { quotes, retreats: quotes.retreats });
  }

  /** The market is planned anew. */
  forget(market: MarketId): void {
    if (!this.areNone) this.#waiting.delete(market);
  }

  /** Takes out those whose event has quotes that have stepped back since. */
  take(): readonly MarketId[] {
    const free = [...this.#waiting].filter(([, { quotes, retreats }]) => quotes.retreats > retreats);
    for (const [market] of free) this.#waiting.delete(market);
    return free.map(([market]) => market);
  }
}
