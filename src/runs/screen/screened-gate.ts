/** The risk gate of one market of a screen: the engine's rules, without the limits of category and account. */
import type { OwnOrder } from '../../core/execution/orders/own-order.js';
import { DearestShares } from '../../core/portfolio/event-exposure.js';
import { OrderCosts } from '../../core/portfolio/worst-case.js';
import {
  approveOrder,
  approveReplacement,
  type GateKeeping,
  KillSwitch,
  type NetRange,
  type Proposal,
  type RiskTerms,
  type RiskView,
  rulesOf,
  type Verdict,
} from '../../core/risk/index.js';
import type { Approved } from '../../domain/effects.js';
import { dearerFee } from '../../domain/locks.js';
import { bookSideOf, type LimitOrder, longPriceOf, type OrderReplacement } from '../../domain/orders.js';
import { knownPrice, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Currency, Position } from '../../domain/vocabulary.js';
import type { Quoted, QuoteGate } from './screened-views.js';

/** Approved orders of one plan count beside those that stand until it begins anew. */
export class ScreenedGate implements QuoteGate, RiskView {
  private readonly keeping: GateKeeping;
  private readonly dearest: number;
  private promised: readonly LimitOrder[] = [];
  /** Retreats of quotes elsewhere in the event when an order was refused because of them. */
  private refusedAt = Infinity;

  /** @param lockedCash of all orders of the run */
  constructor(
    private readonly quoted: Quoted,
    private readonly currency: Currency,
    private readonly lockedCash: () => Money,
  ) {
    const limits = { ...quoted.owner.limits, maxCategoryLoss: null, maxAccountLoss: null };
    this.keeping = { rules: rulesOf(limits), view: this, killSwitch: new KillSwitch() };
    this.dearest = dearerFee(quoted.market.terms);
  }

  begin(): void {
    this.promised = [];
    this.tell();
  }

  create(order: LimitOrder): Approved<LimitOrder> | null {
    return this.judged(approveOrder(order, this.keeping), order);
  }

  replace(
    to: LimitOrder,
    { orderId, side, price, requested, expiresAt }: OwnOrder,
  ): Approved<OrderReplacement> | null {
    if (orderId === null) return null;
    const replaced = { orderId, side, price, requested, expiresAt };
    return this.judged(approveReplacement(to, replaced, this.keeping), to);
  }

  takeReleased(): boolean {
    const { quotes } = this.quoted.event.exposure;
    if (quotes === null || quotes.retreats <= this.refusedAt) return false;
    this.refusedAt = Infinity;
    return true;
  }

  terms(): RiskTerms {
    const { tickUnits } = this.quoted.market.terms;
    return { tickUnits, currency: this.currency, fee: this.dearest as Money, lockedFee: this.dearest };
  }

  fairValue(): PriceUnits | null {
    return knownPrice(this.quoted.fair?.p);
  }

  bookMid(): PriceUnits | null {
    return knownPrice(this.quoted.market.seen.book.mid);
  }

  heldRange(): NetRange {
    const { net } = this.quoted.market.account;
    return { low: net, high: net };
  }

  netRange(): NetRange {
    const { orders, account } = this.quoted.market;
    let [low, high]: [number, number] = [account.net, account.net];
    const add = (side: 'bid' | 'ask', shares: number): void => {
      if (side === 'bid') high += shares;
      else low -= shares;
    };
    for (const { bookSide, remaining } of orders) add(bookSide, remaining);
    for (const order of this.promised) add(bookSideOf(order), order.shares);
    return { low: low as Shares, high: high as Shares };
  }

  quoteRoom(position: Position): Money | null {
    const { event, market } = this.quoted;
    const { marketId, makerFee } = market.terms;
    const room = event.exposure.roomIn(marketId, position);
    return room === null ? null : ((room - Math.max(0, makerFee)) as Money);
  }

  eventLossWith({ costs }: Proposal): Money {
    const { event, market } = this.quoted;
    return lossOf(event.exposure.worstWith(market.terms.marketId, costs));
  }

  eventLossWhereItCosts({ costs }: Proposal): Money {
    const { event, market } = this.quoted;
    return lossOf(event.exposure.worstWhereTheyCost(market.terms.marketId, costs));
  }

  lossElsewhere(): null {
    return null;
  }

  locked(): Money {
    return this.lockedCash();
  }

  private judged<Item>(verdict: Verdict<Item>, order: LimitOrder): Approved<Item> | null {
    const { quotes } = this.quoted.event.exposure;
    if (!verdict.ok) {
      if (verdict.refusal.awaitsQuotes === true) this.refusedAt = quotes?.retreats ?? Infinity;
      return null;
    }
    this.promised = [...this.promised, order];
    this.tell();
    return verdict.approved;
  }

  /** Tells the event what may fill here. */
  private tell(): void {
    const { event, market } = this.quoted;
    const { marketId, makerFee } = market.terms;
    const costs = new OrderCosts();
    const dearest = new DearestShares();
    const restingFee = Math.max(0, makerFee) as Money;
    for (const order of market.orders) {
      costs.add(order, order.remaining, this.dearest as Money);
      dearest.add(order.bookSide, order.longPrice, restingFee);
    }
    for (const order of this.promised) {
      costs.add(order, order.shares, this.dearest as Money);
      dearest.add(bookSideOf(order), longPriceOf(order), restingFee);
    }
    event.exposure.order(marketId, costs);
    event.exposure.quotes?.quote(marketId, dearest);
  }
}

const lossOf = (worst: Money): Money => Math.max(0, 0 - worst) as Money;
