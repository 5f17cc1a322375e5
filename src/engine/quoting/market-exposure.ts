import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import { knownPrice, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import { lockOf, type MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { OpenOrder } from '../../portfolio/worst-case.js';
import type { NetRange, OrderProposal, RiskView } from '../../risk/index.js';
import type { EngineParts, QuotedMarket } from '../parts.js';
import type { ApprovedItem, Promised } from '../accounting/promised-orders.js';
import type { Exposure } from './exposure.js';

/** The same for all orders of one plan: nothing comes in while it is judged. */
interface Ground {
  readonly terms: MarketTerms;
  readonly fair: PriceUnits | null;
  readonly mid: PriceUnits | null;
  /** Net long shares if all that stand on one side fill. */
  readonly low: number;
  readonly high: number;
  readonly fee: Money;
  readonly event: EventExposure;
  readonly promised: Promised;
}

/**
 * What the risk rules may look at while a plan of one market is judged. A plan has up to a batch of orders, and each of
 * them is asked about by every rule: what they have in common is looked up once.
 */
export class MarketExposure implements RiskView {
  private read: Ground | null = null;

  constructor(
    private readonly parts: EngineParts,
    private readonly run: Exposure,
    private readonly market: MarketId,
  ) {}

  /** A new plan replaces the one before: what was approved for that one will not be sent. */
  begin(): void {
    this.read = null;
    this.run.promised.forget(this.market);
  }

  /** The order passed the gate and is to leave. @param replaced in whose place it comes; null: in nobody's */
  promise(item: ApprovedItem, order: LimitOrder, replaced: OwnOrder | null): void {
    const lock = this.lockOf(order);
    const replacedLock = replaced === null ? 0 : this.parts.funds.lockOf(replaced);
    this.run.promised.add(
      { item, order, lock, claim: Math.max(0, lock - replacedLock) },
      this.ground.promised,
    );
    // A market that is to be told anew tells of this order then.
    if (order.currency === this.parts.positions.currency && this.run.isTold(this.market))
      this.ground.event.also(this.market, this.openOrder(order));
  }

  tickUnits(): number {
    return this.ground.terms.tickUnits;
  }

  fairValue(): PriceUnits | null {
    return this.ground.fair;
  }

  bookMid(): PriceUnits | null {
    return this.ground.mid;
  }

  netRange(): NetRange {
    const { low, high, promised } = this.ground;
    return { low: (low - promised.ask) as Shares, high: (high + promised.bid) as Shares };
  }

  eventLossWith({ order }: OrderProposal): Money {
    this.run.tellChanged();
    const { event } = this.ground;
    if (order.currency !== this.parts.positions.currency) return lossOf(event.worst());
    return lossOf(event.worstWith(this.market, this.openOrder(order)));
  }

  eventLossWhereItCosts({ order }: OrderProposal): Money {
    this.run.tellChanged();
    if (order.currency !== this.parts.positions.currency) return 0 as Money;
    return lossOf(this.ground.event.worstWhereItCosts(this.market, this.openOrder(order)));
  }

  locked(): Money {
    return this.run.locked();
  }

  lockedWith({ order }: OrderProposal): Money {
    return (this.locked() + this.lockOf(order)) as Money;
  }

  ordersLastMinute(): number {
    return this.run.ordersLastMinute();
  }

  private get ground(): Ground {
    this.read ??= groundOf(this.market, this.parts, this.run);
    return this.read;
  }

  private lockOf({ side, price, shares }: LimitOrder): Money {
    return side === 'bid' ? lockOf(price, shares, this.ground.terms) : (0 as Money);
  }

  private openOrder({ side, position, price, shares }: LimitOrder): OpenOrder {
    return { side, position, price, shares, fee: this.ground.fee };
  }
}

function groundOf(market: MarketId, parts: EngineParts, run: Exposure): Ground {
  const { positions, terms, quoted } = parts;
  const quoter: QuotedMarket | undefined = quoted.get(market);
  const net = positions.net(market);
  const { bid, ask } = run.mayFill(market);
  const marketTerms = terms.get(market)!;
  return {
    terms: marketTerms,
    fair: knownPrice(quoter?.fair?.p),
    mid: knownPrice(quoter?.mid),
    low: net - ask,
    high: net + bid,
    fee: positions.worstFee(market),
    event: positions.exposureOf(marketTerms.eventId),
    promised: run.promised.in(market),
  };
}

const lossOf = (worst: Money): Money => Math.max(0, 0 - worst) as Money;
