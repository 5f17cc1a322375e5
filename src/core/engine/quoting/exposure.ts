import type { MarketId } from '../../../domain/ids.js';
import { MarketTable } from '../../../domain/market-table.js';
import type { Micros, Money, Shares } from '../../../domain/units.js';
import { bookSideOf, longPriceOf } from '../../../domain/orders.js';
import { DearestShares, type EventQuotes } from '../../portfolio/event-quotes.js';
import { OrderCosts } from '../../portfolio/order-costs.js';
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
  /** What the orders of a market that is told of take away, added up anew for each. */
  private readonly costs = new OrderCosts();
  /** The same of what a share of its dearest orders costs. */
  private readonly dearest = new DearestShares();
  /** Markets of exits since {@link outbid} was asked last. */
  private readonly outbidding: MarketId[] = [];
  /** Shares that may fill in each market told of. */
  private readonly fillable = new MarketTable<Fillable>();

  constructor(private readonly parts: EngineParts) {
    this.changed = parts.desk.orders.watch();
    this.promised = new PromisedOrders((market) => void this.changed.add(market));
    parts.funds.heed(this.promised);
  }

  /** Whether the portfolio knows what is open in the market. */
  isTold(market: MarketId): boolean {
    return !this.changed.has(market);
  }

  /** What open orders of a market may cost is another amount now. */
  repriced(market: MarketId): void {
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
    const { desk, positions } = this.parts;
    const { costs } = this;
    const { currency } = positions;
    const fee = positions.worstFee(market);
    let [bid, ask] = [0, 0];
    costs.clear();
    for (const order of desk.orders.own(market).working) {
      if (order.currency !== currency) continue;
      const { bookSide, remaining } = order;
      if (bookSide === 'bid') bid += remaining;
      else ask += remaining;
      costs.add(order, remaining, fee);
    }
    for (const order of desk.orders.unheardEnds(market)) {
      if (order.currency !== currency) continue;
      const unheard = (order.requested - order.filled) as Shares;
      if (order.bookSide === 'bid') bid += unheard;
      else ask += unheard;
      costs.add(order, unheard, fee);
    }
    for (const order of this.promised.of(market))
      if (order.currency === currency) costs.add(order, order.shares, fee);
    this.fillable.set(market, { bid, ask });
    const { quotes } = positions.open(market, costs);
    if (quotes !== null) this.tellQuotes(market, quotes);
  }

  private tellQuotes(market: MarketId, quotes: EventQuotes): void {
    const { desk, positions } = this.parts;
    const { dearest, promised } = this;
    const { currency } = positions;
    const fee = positions.restingFee(market);
    dearest.clear();
    for (const order of desk.orders.own(market).working)
      if (order.currency === currency) dearest.add(order.bookSide, order.longPrice, fee);
    for (const order of desk.orders.unheardEnds(market))
      if (order.currency === currency) dearest.add(order.bookSide, longPriceOf(order), fee);
    for (const order of promised.of(market))
      if (order.currency === currency) dearest.add(bookSideOf(order), longPriceOf(order), fee);
    quotes.quote(market, dearest);
  }
}

/** Shares that may fill on each side of a market's book. */
export interface Fillable {
  readonly bid: number;
  readonly ask: number;
}

const NO_MARKETS: readonly MarketId[] = [];
const NOTHING: Fillable = { bid: 0, ask: 0 };
