import type { Approved } from '../../../domain/effects.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import {
  approveOrder,
  approveReplacement,
  describeRefusal,
  type GateKeeping,
  type Refusal,
  type RiskRule,
} from '../../risk/index.js';
import type { EngineParts } from '../parts.js';
import type { Exposure } from './exposure.js';
import { MarketExposure } from './market-exposure.js';
import type { PlanGate } from './quoter.js';

interface MarketGateSetting {
  readonly marketId: MarketId;
  readonly rules: readonly RiskRule[];
}

/** The risk gate of one market: what passes is promised, what does not is told. */
export class MarketGate implements PlanGate {
  private readonly view: MarketExposure;
  private readonly keeping: GateKeeping;
  private opens: Micros | null = null;
  private objection: string | null = null;

  constructor(
    private readonly parts: EngineParts,
    private readonly run: Exposure,
    { marketId, rules }: MarketGateSetting,
  ) {
    this.view = new MarketExposure(parts, run, marketId);
    this.keeping = { rules, view: this.view, killSwitch: parts.killSwitch };
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
