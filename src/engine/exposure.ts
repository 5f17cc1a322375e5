import type { EventId, MarketId } from '../domain/ids.js';
import type { LimitOrder } from '../domain/orders.js';
import { type Micros, type Money, nearestPrice, type PriceUnits, type Shares } from '../domain/units.js';
import { bookSide } from '../domain/vocabulary.js';
import { lockOf } from '../execution/market-terms.js';
import type { NetRange, OrderProposal, RiskView } from '../risk/index.js';
import type { OwnOrders } from '../execution/own-orders.js';
import type { EngineParts } from './parts.js';
import type { Fillable } from './positions.js';
import { PromisedOrders } from './promised-orders.js';
import type { Quoter } from './quoter.js';

/** What the risk rules may look at, read from the parts of the engine at the moment of the question. */
export class Exposure implements RiskView {
  readonly promised: PromisedOrders;
  now = 0 as Micros;
  /** Markets whose open orders the portfolio has not been told since they changed. */
  private readonly changed: Set<MarketId>;

  constructor(
    private readonly parts: EngineParts,
    private readonly quoterOf: (market: MarketId) => Quoter | undefined,
  ) {
    this.changed = parts.desk.orders.watch();
    this.promised = new PromisedOrders({
      lockOf: (order) => this.lockOf(order),
      added: (order) => this.alsoOpen(order),
      dropped: ({ marketId }) => void this.changed.add(marketId),
    });
  }

  tickUnits(market: MarketId): number {
    return this.parts.terms.get(market)!.tickUnits;
  }

  fairValue(market: MarketId): PriceUnits | null {
    return priceOf(this.quoterOf(market)?.fair?.p);
  }

  bookMid(market: MarketId): PriceUnits | null {
    return priceOf(this.quoterOf(market)?.mid);
  }

  netRange(market: MarketId): NetRange {
    const { positions, desk } = this.parts;
    const net = positions.net(market);
    let low: number = net;
    let high: number = net;
    for (const order of desk.orders.own(market).working) {
      if (order.bookSide === 'bid') high += order.remaining;
      else low -= order.remaining;
    }
    for (const { bookSide: side, requested, filled } of desk.orders.unheardEnds(market)) {
      if (side === 'bid') high += requested - filled;
      else low -= requested - filled;
    }
    for (const order of this.promised.of(market)) {
      if (bookSide(order.side, order.position) === 'bid') high += order.shares;
      else low -= order.shares;
    }
    return { low: low as Shares, high: high as Shares };
  }

  eventLoss(event: EventId): Money {
    this.tellChanged();
    return this.parts.positions.eventLoss(event, null);
  }

  eventLossWith(event: EventId, { order }: OrderProposal): Money {
    this.tellChanged();
    return this.parts.positions.eventLoss(event, order);
  }

  locked(): Money {
    return (this.parts.funds.locked() + this.promised.locked) as Money;
  }

  lockedWith({ order }: OrderProposal): Money {
    return (this.locked() + this.lockOf(order)) as Money;
  }

  ordersLastMinute(): number {
    return this.parts.tally.ordersLastMinute(this.now) + this.promised.count;
  }

  private lockOf({ marketId, side, price, shares }: LimitOrder): Money {
    return side === 'bid' ? lockOf(price, shares, this.parts.terms.get(marketId)!) : (0 as Money);
  }

  private tellChanged(): void {
    if (this.changed.size === 0) return;
    const { positions, desk } = this.parts;
    for (const market of this.changed)
      positions.open(market, mayFill(desk.orders, market), this.promised.of(market));
    this.changed.clear();
  }

  /** A market that is to be told anew tells of this order then. */
  private alsoOpen(order: LimitOrder): void {
    if (!this.changed.has(order.marketId)) this.parts.positions.alsoOpen(order);
  }
}

/** Working orders, and what may have traded unheard before it ended. */
function mayFill(orders: OwnOrders, market: MarketId): readonly Fillable[] {
  const { working } = orders.own(market);
  const unheard = orders.unheardEnds(market);
  if (unheard.length === 0) return working;
  return [
    ...working,
    ...unheard.map((order) => ({ ...order, remaining: (order.requested - order.filled) as Shares })),
  ];
}

const priceOf = (p: number | null | undefined): PriceUnits | null =>
  p === null || p === undefined ? null : nearestPrice(p);
