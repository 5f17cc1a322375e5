import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import type { Micros, Money, Shares } from '../../domain/units.js';
import type { OwnOrders } from '../../execution/orders/own-orders.js';
import { OrderCosts } from '../../portfolio/order-costs.js';
import type { EngineParts } from '../parts.js';
import type { Fillable } from '../accounting/positions.js';
import { PromisedOrders } from '../accounting/promised-orders.js';

/** What orders that stand, and those that passed the gate and are to leave, may bring the run. */
export class Exposure {
  readonly promised: PromisedOrders;
  now = 0 as Micros;
  /** Markets whose open orders the portfolio has not been told since they changed. */
  private readonly changed: Set<MarketId>;
  /** Of the orders asked about last. */
  private readonly costs = new OrderCosts();
  private costed: readonly LimitOrder[] | null = null;

  constructor(private readonly parts: EngineParts) {
    this.changed = parts.desk.orders.watch();
    this.promised = new PromisedOrders((market) => void this.changed.add(market));
    parts.funds.heed(this.promised);
  }

  /** Whether the portfolio knows what is open in the market. */
  isTold(market: MarketId): boolean {
    return !this.changed.has(market);
  }

  /** Tells the portfolio what is open by now. */
  tellChanged(): void {
    if (this.changed.size === 0) return;
    const { positions, desk } = this.parts;
    for (const market of this.changed)
      positions.open(market, fillables(desk.orders, market), this.promised.of(market));
    this.changed.clear();
  }

  /** What orders of one market take away at most. Rules ask about the same list several times: it must not change. */
  costsOf(orders: readonly LimitOrder[], fee: Money): OrderCosts {
    const { costs } = this;
    if (this.costed === orders) return costs;
    const { currency } = this.parts.positions;
    costs.clear();
    // The run trades one currency, and nothing is summed across currencies.
    for (const order of orders) if (order.currency === currency) costs.add(order, order.shares, fee);
    this.costed = orders;
    return costs;
  }

  /**
   * Shares of the run's currency that may fill on each side of a market's book: of working orders, and of those that may
   * have traded unheard.
   */
  mayFill(market: MarketId): { readonly bid: number; readonly ask: number } {
    const { desk, positions } = this.parts;
    let [bid, ask] = [0, 0];
    for (const { bookSide, currency, remaining } of desk.orders.own(market).working) {
      if (currency !== positions.currency) continue;
      if (bookSide === 'bid') bid += remaining;
      else ask += remaining;
    }
    for (const { bookSide, currency, requested, filled } of desk.orders.unheardEnds(market)) {
      if (currency !== positions.currency) continue;
      if (bookSide === 'bid') bid += requested - filled;
      else ask += requested - filled;
    }
    return { bid, ask };
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
}

/** Working orders, and what may have traded unheard before it ended. */
function fillables(orders: OwnOrders, market: MarketId): readonly Fillable[] {
  const { working } = orders.own(market);
  const unheard = orders.unheardEnds(market);
  if (unheard.length === 0) return working;
  return [
    ...working,
    ...unheard.map(({ side, position, currency, price, requested, filled }) => ({
      side,
      position,
      currency,
      price,
      remaining: (requested - filled) as Shares,
    })),
  ];
}
