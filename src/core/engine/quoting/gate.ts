import type { Approved } from '../../../domain/effects.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import {
  type Micros,
  knownPrice,
  type Money,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
} from '../../../domain/units.js';
import { fittedLadder, type LadderRoom } from '../../risk/fitted-ladder.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import {
  approveOrder,
  approveReplacement,
  describeRefusal,
  type GateKeeping,
  type KillSwitch,
  type NetRange,
  type Proposal,
  type Refusal,
  type RiskLimits,
  rulesOf,
  type RiskTerms,
  type RiskView,
} from '../../risk/index.js';
import type { QuotedMarket } from './quoted-market.js';
import type { Exposure, PromisedItem } from './exposure.js';
import type { PlanGate } from './quoted-market.js';
import { dearerFee } from '../../../domain/locks.js';
import type { Position } from '../../../domain/vocabulary.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { BarredOrders } from './venue-rules.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineObserver } from '../observing/observer.js';
import type { Positions } from '../accounting/positions.js';
import type { Tally } from '../accounting/tally.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';

/** What this part of the engine works with. */
export interface GateParts {
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly positions: Positions;
  readonly barredOrders: BarredOrders;
  readonly killSwitch: KillSwitch;
  readonly notices: Notices;
  readonly tally: Tally;
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
  readonly observer: EngineObserver | null;
}

interface MarketGateSetting {
  readonly marketId: MarketId;
  readonly limits: RiskLimits;
}

/** The risk gate of one market. An approved order counts as promised until it is sent; a refusal is told. */
export class MarketGate implements PlanGate {
  private readonly view: MarketExposure;
  private keeping: GateKeeping;
  private limits: RiskLimits;
  private opens: Micros | null = null;
  private objection: string | null = null;

  constructor(
    private readonly parts: GateParts,
    private readonly run: Exposure,
    { marketId, limits }: MarketGateSetting,
  ) {
    this.view = new MarketExposure(parts, run, marketId);
    this.limits = limits;
    this.keeping = { rules: rulesOf(limits), view: this.view, killSwitch: parts.killSwitch };
  }

  limit(limits: RiskLimits): void {
    this.limits = limits;
    this.keeping = { ...this.keeping, rules: rulesOf(limits) };
  }

  get opensAt(): Micros | null {
    return this.opens;
  }

  get refusedBy(): string | null {
    return this.objection;
  }

  begin(): void {
    this.opens = null;
    this.objection = null;
    this.view.begin();
  }

  fit(intent: QuoteIntent, standing: LadderRoom['standing'], refillShare: number): QuoteIntent {
    const room = this.view.ladderRoom(this.limits, standing, refillShare);
    const { intent: fitted, cutBy } = fittedLadder(intent, room);
    if (cutBy !== null) {
      this.objection = cutBy;
      this.parts.tally.refused(cutBy);
      const text = `${cutBy}: quotes are smaller than wanted`;
      this.parts.notices.info(`refused-${cutBy}`, text, intent.marketId, this.run.now);
    }
    return fitted;
  }

  create(order: LimitOrder): Approved<LimitOrder> | null {
    if (this.isBarred(order)) return null;
    const verdict = approveOrder(order, this.keeping);
    if (!verdict.ok) return this.refused(verdict.refusal, order);
    this.view.promise(verdict.approved, verdict.proposal);
    return verdict.approved;
  }

  replace(to: LimitOrder, replaced: OwnOrder): Approved<OrderReplacement> | null {
    if (!isNamed(replaced) || this.isBarred(to)) return null;
    const verdict = approveReplacement(to, replaced, this.keeping);
    if (!verdict.ok) return this.refused(verdict.refusal, to);
    this.view.promise(verdict.approved, verdict.proposal);
    return verdict.approved;
  }

  /** The venue would refuse it again. */
  private isBarred(order: LimitOrder): boolean {
    const until = this.parts.barredOrders.barredUntil(order, this.run.now);
    if (until === null) return false;
    this.shut(until);
    this.objection = this.parts.barredOrders.reasonIn(order.marketId);
    return true;
  }

  private shut(until: Micros): void {
    if (this.opens === null || until < this.opens) this.opens = until;
  }

  private refused(refusal: Refusal, order: LimitOrder): null {
    if (refusal.until !== undefined) this.shut(refusal.until);
    if (refusal.awaitsQuotes === true) this.view.awaitQuotes();
    this.objection = refusal.rule;
    this.parts.observer?.refused?.(order, refusal);
    this.parts.tally.refused(refusal.rule);
    const code = `refused-${refusal.rule}`;
    this.parts.notices.info(code, describeRefusal(refusal), order.marketId, this.run.now);
    return null;
  }
}

const isNamed = (order: OwnOrder): order is OwnOrder & { readonly orderId: OrderId } =>
  order.orderId !== null;

/** What the risk rules may look at while the orders of one market's plan are judged, one after the other. */
export class MarketExposure implements RiskView {
  /** What {@link quoteRoom} answered for this plan; infinite where it was not asked, or nothing bounds it. */
  private readonly rooms: Record<Position, number> = { long: Infinity, short: Infinity };

  constructor(
    private readonly parts: GateParts,
    private readonly run: Exposure,
    private readonly market: MarketId,
  ) {}

  /** A new plan replaces the one before: what was approved for that one will not be sent. */
  begin(): void {
    this.rooms.long = Infinity;
    this.rooms.short = Infinity;
    this.run.promised.forget(this.market);
    this.run.awaited.forget(this.market);
  }

  /** An order was approved and is to be sent. */
  promise(item: PromisedItem, proposal: Proposal): void {
    this.run.promised.add(item, proposal);
    this.run.changedIn(this.market);
    if (this.outbids(proposal)) this.run.outbids(this.market);
  }

  /** A refused order may pass once other quotes of the event have stepped back. */
  awaitQuotes(): void {
    const { quotes } = this.event;
    if (quotes !== null) this.run.awaited.await(this.market, quotes);
  }

  terms(): RiskTerms {
    const { positions, terms } = this.parts;
    const marketTerms = terms.get(this.market)!;
    return {
      tickUnits: marketTerms.tickUnits,
      currency: positions.currency,
      fee: positions.worstFee(this.market),
      lockedFee: dearerFee(marketTerms),
    };
  }

  fairValue(): PriceUnits | null {
    return knownPrice(this.parts.quoted.get(this.market)?.fair?.p);
  }

  bookMid(): PriceUnits | null {
    return knownPrice(this.parts.quoted.get(this.market)?.mid);
  }

  netRange(): NetRange {
    const { low, high } = this.heldRange();
    const standing = this.run.mayFill(this.market);
    const promised = this.run.promised.in(this.market);
    return {
      low: (low - standing.ask - promised.ask) as Shares,
      high: (high + standing.bid + promised.bid) as Shares,
    };
  }

  heldRange(): NetRange {
    const { least, most } = this.parts.positions.netBetween(this.market);
    return { low: least, high: most };
  }

  quoteRoom(position: Position): Money | null {
    if (this.event.quotes === null) return null;
    this.run.tellChanged();
    const room = this.parts.positions.roomIn(this.event, this.market, position);
    this.rooms[position] = room ?? Infinity;
    return room;
  }

  eventLossWith({ costs }: Proposal): Money {
    this.run.tellChanged();
    return lossOf(this.event.worstWith(this.market, costs));
  }

  eventLossWhereItCosts({ costs }: Proposal): Money {
    this.run.tellChanged();
    return lossOf(this.event.worstWhereTheyCost(this.market, costs));
  }

  /** What the limits leave to a ladder that stands instead of the orders that are open here. */
  ladderRoom(limits: RiskLimits, standing: LadderRoom['standing'], refillShare: number): LadderRoom {
    const { positions, terms } = this.parts;
    const { low, high } = this.heldRange();
    const { event, market } = this;
    this.run.tellChanged();
    const { maxEventLoss, maxCategoryLoss, maxAccountLoss } = limits;
    const inCategory = this.elsewhere(maxCategoryLoss, 'category');
    const inAccount = this.elsewhere(maxAccountLoss, 'account');
    const beyond = (loss: number): string | null => {
      if (loss > maxEventLoss) return 'event-loss';
      if (maxCategoryLoss !== null && inCategory + loss > maxCategoryLoss) return 'category-loss';
      return maxAccountLoss !== null && inAccount + loss > maxAccountLoss ? 'account-loss' : null;
    };
    return {
      tickUnits: terms.get(market)!.tickUnits,
      fee: positions.worstFee(market),
      bids: limits.maxPositionShares - high,
      asks: limits.maxPositionShares + low,
      standing,
      refillShare,
      // The loss where they cost is never above the whole.
      objection: (costs) =>
        beyond(lossOf(event.worstInstead(market, costs))) === null
          ? null
          : beyond(lossOf(event.worstInsteadWhereTheyCost(market, costs))),
    };
  }

  /** Of an event without a category the limit is always far. */
  private elsewhere(limit: Money | null, scope: 'category' | 'account'): number {
    return limit === null ? 0 : (this.lossElsewhere(scope) ?? -Infinity);
  }

  lossElsewhere(scope: 'category' | 'account'): Money | null {
    return this.run.lossElsewhere(this.parts.terms.get(this.market)!.eventId, scope);
  }

  locked(): Money {
    return this.run.locked();
  }

  /** Whether the order passed although it costs too much together with the quotes elsewhere. */
  private outbids({ buys, shareCost }: Proposal): boolean {
    return shareCost > 0 && shareCost * SHARE_ONE >= this.rooms[buys];
  }

  private get event(): EventExposure {
    const { positions, terms } = this.parts;
    return positions.exposureOf(terms.get(this.market)!.eventId);
  }
}

const lossOf = (worst: Money): Money => Math.max(0, 0 - worst) as Money;
