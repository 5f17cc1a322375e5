import type { MarketId } from '../../../domain/ids.js';
import type { Micros, Money, Shares } from '../../../domain/units.js';
import { bookSideOf, longPriceOf } from '../../../domain/orders.js';
import type { Currency } from '../../../domain/vocabulary.js';
import { DearestShares } from '../../portfolio/event-exposure.js';
import { type OpenOrder, OrderCosts } from '../../portfolio/worst-case.js';
import type { EngineParts } from '../parts.js';
import { PromisedOrders } from '../accounting/promised-orders.js';
import { AwaitedQuotes } from './awaited-quotes.js';

/** What orders that stand, and those that passed the gate and are to leave, may bring the run. */
export class Exposure {
  readonly promised: PromisedOrders;
  readonly awaited = new AwaitedQuotes();
  now = 0 as Micros;
  /** Markets whose open orders the portfolio has not been told since they changed. */
  private readonly changed: Set<MarketId>;
  /** Markets of exits since {@link outbid} was asked last. */
  private readonly outbidding: MarketId[] = [];
  /** Shares that may fill in each market told of. */
  private readonly fillable = new Map<MarketId, Fillable>();

  constructor(private readonly parts: EngineParts) {
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

  /** Cash that working bids lock, and those that are to leave. */
  locked(): Money {
    return (this.parts.funds.locked() + this.promised.locked) as Money;
  }

  /** Creates and updates of the last minute, those included that are to leave. */
  ordersLastMinute(): number {
    return this.parts.tally.ordersLastMinute(this.now) + this.promised.count;
  }

  /** When they may be this many at most; what is to leave has not left by then, or never does. */
  ordersFallTo(count: number): Micros {
    return this.parts.tally.ordersFallTo(count - this.promised.count, this.now);
  }

  /** Takes out the markets in which what was refused for other quotes of their event may pass now. */
  released(): readonly MarketId[] {
    if (this.awaited.areNone) return NO_MARKETS;
    this.tellChanged();
    return this.awaited.take();
  }

  /** What leads back there passed although it costs too much together with quotes elsewhere in the event. */
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
