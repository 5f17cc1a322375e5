import type { Approved } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { Plan } from '../../execution/planning/plan.js';
import {
  type ApprovedOrders,
  approveOrder,
  approveReplacement,
  approveTogether,
  describeRefusal,
  type GateKeeping,
  type Refusal,
  type RiskRule,
} from '../../risk/index.js';
import type { EngineParts } from '../parts.js';
import type { Exposure } from './exposure.js';
import { MarketExposure } from './market-exposure.js';
import type { PlanGate } from './quoter.js';

const NOBODY: readonly never[] = [];

interface MarketGateSetting {
  readonly marketId: MarketId;
  readonly rules: readonly RiskRule[];
  /** A plan is about to be judged. */
  readonly begun: () => void;
}

/** The risk gate of one market: what passes is promised, what does not is told. */
export class MarketGate implements PlanGate {
  private readonly view: MarketExposure;
  private readonly keeping: GateKeeping;
  private opens: Micros | null = null;

  constructor(
    private readonly parts: EngineParts,
    private readonly run: Exposure,
    private readonly setting: MarketGateSetting,
  ) {
    const { marketId, rules } = setting;
    this.view = new MarketExposure(parts, run, marketId);
    this.keeping = { rules, view: this.view, killSwitch: parts.killSwitch };
  }

  get opensAt(): Micros | null {
    return this.opens;
  }

  begin(): void {
    this.opens = null;
    this.setting.begun();
    this.view.begin();
  }

  together({ replacements, creates }: Plan): ApprovedOrders | null {
    const replaced = replacements.map(({ order }) => order);
    const orders = replacements.map(({ to }) => to);
    for (const order of creates) orders.push(order);
    for (const order of orders) if (this.isBarred(order)) return null;
    const approved = approveTogether(orders, replaced, this.keeping);
    if (approved !== null) this.view.promise(orders, itemsOf(approved), replaced);
    return approved;
  }

  create(order: LimitOrder): Approved<LimitOrder> | null {
    if (this.isBarred(order)) return null;
    const verdict = approveOrder(order, this.keeping);
    if (!verdict.ok) return this.refused(verdict.refusal, order);
    this.view.promise([order], [verdict.approved], NOBODY);
    return verdict.approved;
  }

  replace(to: LimitOrder, replaced: OwnOrder): Approved<OrderReplacement> | null {
    if (replaced.orderId === null || this.isBarred(to)) return null;
    const verdict = approveReplacement(to, replaced.orderId, this.keeping);
    if (!verdict.ok) return this.refused(verdict.refusal, to);
    this.view.promise([to], [verdict.approved], [replaced]);
    return verdict.approved;
  }

  /** The venue would refuse it again. */
  private isBarred(order: LimitOrder): boolean {
    const until = this.parts.barredOrders.barredUntil(order, this.run.now);
    if (until !== null) this.shut(until);
    return until !== null;
  }

  private shut(until: Micros): void {
    if (this.opens === null || until < this.opens) this.opens = until;
  }

  private refused(refusal: Refusal, order: LimitOrder): null {
    if (refusal.until !== undefined) this.shut(refusal.until);
    this.parts.observer?.refused?.(order, refusal);
    this.parts.tally.refused(refusal.rule);
    const code = `refused-${refusal.rule}`;
    this.parts.notices.info(code, describeRefusal(refusal), order.marketId, this.run.now);
    return null;
  }
}

const itemsOf = ({ replacements, creates }: ApprovedOrders) =>
  creates.length === 0 ? replacements : [...replacements, ...creates];
