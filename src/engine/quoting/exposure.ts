import type { EventId, MarketId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import { knownPrice, type Micros, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import { lockOf } from '../../execution/planning/market-terms.js';
import type { NetRange, OrderProposal, RiskView } from '../../risk/index.js';
import type { OwnOrders } from '../../execution/orders/own-orders.js';
import type { EngineParts } from '../parts.js';
import type { Fillable } from '../accounting/positions.js';
import { PromisedOrders } from '../accounting/promised-orders.js';
import type { Quoter } from './quoter.js';

/** Shares that may fill on each side of one market: of working orders, and of those that may have traded unheard. */
interface MayFill {
  readonly market: MarketId | null;
  /** Of the market's orders, as in `MarketOrders`. */
  readonly version: number;
  readonly bid: number;
  readonly ask: number;
}

/** What the risk rules may look at, read from the parts of the engine at the moment of the question. */
export class Exposure implements RiskView {
  readonly promised: PromisedOrders;
  now = 0 as Micros;
  /** Markets whose open orders the portfolio has not been told since they changed. */
  private readonly changed: Set<MarketId>;
  private known: MayFill = { market: null, version: 0, bid: 0, ask: 0 };

  constructor(
    private readonly parts: EngineParts,
    private readonly quoterOf: (market: MarketId) => Quoter | undefined,
  ) {
    this.changed = parts.desk.orders.watch();
    this.promised = new PromisedOrders({
      lockOf: (order) => this.lockOf(order),
      lockedBy: (replaced) => (replaced === null ? 0 : parts.funds.lockOf(replaced)),
      added: (order) => this.alsoOpen(order),
      dropped: ({ marketId }) => void this.changed.add(marketId),
    });
    parts.funds.heed(this.promised);
  }

  tickUnits(market: MarketId): number {
    return this.parts.terms.get(market)!.tickUnits;
  }

  fairValue(market: MarketId): PriceUnits | null {
    return knownPrice(this.quoterOf(market)?.fair?.p);
  }

  bookMid(market: MarketId): PriceUnits | null {
    return knownPrice(this.quoterOf(market)?.mid);
  }

  netRange(market: MarketId): NetRange {
    const net = this.parts.positions.net(market);
    const { bid, ask } = this.mayFill(market);
    return {
      low: (net - ask - this.promised.shares(market, 'ask')) as Shares,
      high: (net + bid + this.promised.shares(market, 'bid')) as Shares,
    };
  }

  eventLossWith(event: EventId, { order }: OrderProposal): Money {
    this.tellChanged();
    return this.parts.positions.eventLoss(event, order);
  }

  eventLossWhereItCosts(event: EventId, { order }: OrderProposal): Money {
    this.tellChanged();
    return this.parts.positions.eventLossWhereItCosts(event, order);
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

  /** All orders of a plan are judged while the same ones stand. */
  private mayFill(market: MarketId): MayFill {
    const { orders } = this.parts.desk;
    const { version, working } = orders.own(market);
    if (this.known.market === market && this.known.version === version) return this.known;
    let [bid, ask] = [0, 0];
    for (const { bookSide, remaining } of working)
      if (bookSide === 'bid') bid += remaining;
      else ask += remaining;
    for (const { bookSide, requested, filled } of orders.unheardEnds(market))
      if (bookSide === 'bid') bid += requested - filled;
      else ask += requested - filled;
    this.known = { market, version, bid, ask };
    return this.known;
  }

  private lockOf({ marketId, side, price, shares }: LimitOrder): Money {
    return side === 'bid' ? lockOf(price, shares, this.parts.terms.get(marketId)!) : (0 as Money);
  }

  private tellChanged(): void {
    if (this.changed.size === 0) return;
    const { positions, desk } = this.parts;
    for (const market of this.changed)
      positions.open(market, fillables(desk.orders, market), this.promised.of(market));
    this.changed.clear();
  }

  /** A market that is to be told anew tells of this order then. */
  private alsoOpen(order: LimitOrder): void {
    if (!this.changed.has(order.marketId)) this.parts.positions.alsoOpen(order);
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
