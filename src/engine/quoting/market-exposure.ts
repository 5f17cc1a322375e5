import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import { knownPrice, type Micros, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import { dearerFee, lockAt, type MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { NetRange, RiskView } from '../../risk/index.js';
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
  /** Money units per whole share: of a fill, where a rebate counts, and what an order locks for it, where none does. */
  readonly fee: Money;
  readonly lockedFee: number;
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

  /**
   * Orders passed the gate and are to leave.
   * @param replaced in whose places the first of them come
   */
  promise(
    orders: readonly LimitOrder[],
    items: readonly ApprovedItem[],
    replaced: readonly OwnOrder[],
  ): void {
    const { promised, event, fee, lockedFee } = this.ground;
    const locks = orders.map((order) => lockOfOrder(order, order.shares, lockedFee));
    const claims = locks.slice();
    for (let at = 0; at < replaced.length; at += 1) {
      const old = replaced[at]!;
      claims[at] = Math.max(0, locks[at]! - lockOfOrder(old, old.remaining, lockedFee));
    }
    this.run.promised.add({ items, orders, locks, claims }, promised);
    // A market that is to be told anew tells of these orders then.
    if (this.run.isTold(this.market)) event.also(this.market, this.run.costsOf(orders, fee));
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

  eventLossWith(orders: readonly LimitOrder[]): Money {
    this.run.tellChanged();
    const { event, fee } = this.ground;
    return lossOf(event.worstWith(this.market, this.run.costsOf(orders, fee)));
  }

  eventLossWhereTheyCost(orders: readonly LimitOrder[]): Money {
    this.run.tellChanged();
    const { event, fee } = this.ground;
    return lossOf(event.worstWhereTheyCost(this.market, this.run.costsOf(orders, fee)));
  }

  locked(): Money {
    return this.run.locked();
  }

  lockedWith(orders: readonly LimitOrder[]): Money {
    const { lockedFee } = this.ground;
    let locked: number = this.locked();
    for (const order of orders) locked += lockOfOrder(order, order.shares, lockedFee);
    return locked as Money;
  }

  ordersLastMinute(): number {
    return this.run.ordersLastMinute();
  }

  ordersFallTo(count: number): Micros {
    return this.run.ordersFallTo(count);
  }

  private get ground(): Ground {
    this.read ??= groundOf(this.market, this.parts, this.run);
    return this.read;
  }
}

function groundOf(market: MarketId, parts: EngineParts, run: Exposure): Ground {
  const { positions, terms, quoted } = parts;
  const quoter: QuotedMarket | undefined = quoted.get(market);
  const { bid, ask } = run.mayFill(market);
  const marketTerms = terms.get(market)!;
  return {
    terms: marketTerms,
    fair: knownPrice(quoter?.fair?.p),
    mid: knownPrice(quoter?.mid),
    low: positions.netAtLeast(market) - ask,
    high: positions.netAtMost(market) + bid,
    fee: positions.worstFee(market),
    lockedFee: dearerFee(marketTerms),
    event: positions.exposureOf(marketTerms.eventId),
    promised: run.promised.in(market),
  };
}

const lockOfOrder = (
  { side, price }: Pick<LimitOrder, 'side' | 'price'>,
  shares: Shares,
  fee: number,
): number => (side === 'bid' ? lockAt(price, shares, fee) : 0);

const lossOf = (worst: Money): Money => Math.max(0, 0 - worst) as Money;
