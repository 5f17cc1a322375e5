import type { EventId, MarketId } from '../domain/ids.js';
import { type Micros, type Money, PRICE_ONE, type PriceUnits, type Shares } from '../domain/units.js';
import type { OwnOrder } from '../execution/own-order.js';
import type { NetRange, OrderProposal, RiskView } from '../risk/rule.js';
import type { EngineParts } from './parts.js';
import type { Quoter } from './quoter.js';

/** What the risk rules may look at, read from the parts of the engine at the moment of the question. */
export class Exposure implements RiskView {
  now = 0 as Micros;

  constructor(
    private readonly parts: EngineParts,
    private readonly quoterOf: (market: MarketId) => Quoter | undefined,
  ) {}

  reference(market: MarketId): PriceUnits | null {
    const quoter = this.quoterOf(market);
    const p = quoter?.fair?.p ?? quoter?.mid ?? null;
    return p === null ? null : (Math.round(p * PRICE_ONE) as PriceUnits);
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
    return { low: low as Shares, high: high as Shares };
  }

  eventLoss(event: EventId): Money {
    return this.parts.positions.eventLoss(event, this.working, null);
  }

  eventLossWith(event: EventId, proposal: OrderProposal): Money {
    return this.parts.positions.eventLoss(event, this.working, proposal.order);
  }

  ordersLastMinute(): number {
    return this.parts.tally.ordersLastMinute(this.now);
  }

  profit(): Money {
    return this.parts.positions.profit();
  }

  private readonly working = (market: MarketId): readonly OwnOrder[] =>
    this.parts.desk.orders.own(market).working;
}
