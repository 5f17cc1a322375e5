import type { LimitOrder } from '../../../domain/orders.js';
import { type Micros, type Money, type PriceUnits } from '../../../domain/units.js';
import type { Funds, MarketTerms } from './market-terms.js';
import { DesiredRows, NOBODY, type Row, WorkingRows } from './order-rows.js';
import { isCancelable, type OwnOrder } from '../orders/own-order.js';
import { canStand, pair, type Tolerance } from './pairing.js';
import { NO_PLAN, type Plan, type PlannedReplacement, type Waiting, type WaitReason } from './plan.js';
import { Room } from './room.js';
import { Unspent } from './unspent.js';

export interface ReconcilePolicy extends Tolerance {
  /** An order younger than this is not moved unless it is bolder than desired. */
  readonly minRestMs: number;
  /** Whether to replace open orders by update; otherwise cancel, confirmation, create. */
  readonly update: boolean;
}

export interface ReconcileMarket {
  readonly terms: MarketTerms;
  /** What no working order has locked. */
  readonly free: Funds;
  /** Long-side fair value for the urgency of cancels; null when unknown. */
  readonly fair: PriceUnits | null;
  readonly now: Micros;
  /** By the venue's clock, by which orders expire. */
  readonly venueNow: Micros;
}

/** What a plan is made from. */
export interface DraftSource {
  readonly desired: readonly LimitOrder[];
  readonly working: readonly OwnOrder[];
  readonly market: ReconcileMarket;
  readonly policy: ReconcilePolicy;
}

/** A plan in the making, read only when it is made. */
class Sheet implements Plan {
  readonly cancels: OwnOrder[] = [];
  readonly replacements: PlannedReplacement[] = [];
  readonly creates: LimitOrder[] = [];
  readonly waiting: Waiting[] = [];
  readonly unwanted: OwnOrder[] = [];
  urgency = 0 as Money;
  restsUntil: Micros | null = null;
}

/**
 * Where plans are drawn up, one after the other: what is desired and what works is laid side by side, pairs are found, and
 * what is left over is moved, cancelled or created. Only the plan itself is new each time.
 */
export class PlanDraft {
  readonly #desired = new DesiredRows();
  readonly #working = new WorkingRows();
  readonly #room = new Room();
  readonly #unspent = new Unspent();
  #market!: ReconcileMarket;
  #policy!: ReconcilePolicy;
  #sheet!: Sheet;

  plan({ desired, working, market, policy }: DraftSource): Plan {
    const { currency } = market.terms;
    this.#desired.read(desired, currency);
    this.#working.read(working, currency);
    pair(this.#desired, this.#working, policy, market);
    if (this.#isSettled()) return NO_PLAN;
    this.#market = market;
    this.#policy = policy;
    this.#sheet = new Sheet();
    this.#room.measure(this.#desired, this.#working);
    this.#unspent.begin(market.free, market.terms);
    this.#moveOrCancel();
    this.#create();
    return this.#sheet;
  }

  /** Has everything desired, and everything of ours, a partner? */
  #isSettled(): boolean {
    return this.#desired.open === 0 && this.#working.own === this.#desired.orders.length;
  }

  /** Gives every own order that stands for nothing desired a new place, or cancels it. */
  #moveOrCancel(): void {
    const { orders } = this.#working;
    for (let w = 0; w < orders.length; w += 1) {
      const row = this.#working.at(w);
      if (row.partner !== NOBODY || row.isForeign) continue;
      const d = orders[w]!.state === 'live' ? this.#desired.nearest(row) : NOBODY;
      if (d === NOBODY) this.#remove(orders[w]!);
      else this.#move(w, d);
    }
  }

  #move(w: number, d: number): void {
    const order = this.#working.orders[w]!;
    const standing = this.#working.at(w);
    const wanted = this.#desired.at(d);
    // Price units by which the order is bolder than desired, and shares by which it is smaller; negative the other way round.
    const bold = standing.boldness - wanted.boldness;
    const missing = wanted.shares - standing.shares;
    const obstacle =
      this.#idleness(order, bold, missing) ??
      this.#roomlessness(wanted, missing) ??
      (this.#unspent.pay(wanted, standing) ? null : 'removal');
    if (obstacle === 'removal') return this.#remove(order);
    this.#desired.take(d, w);
    if (obstacle !== null) return this.#wait(d, obstacle);
    this.#room.take(wanted, Math.max(0, missing));
    this.#urge(bold, Math.max(standing.shares, wanted.shares));
    this.#sheet.replacements.push({ order, to: this.#desired.orders[d]! });
  }

  /** Why the order stays where it is for now; `removal`: it can only be cancelled. */
  #idleness(order: OwnOrder, bold: number, missing: number): WaitReason | 'removal' | null {
    if (bold <= 0 && missing >= 0 && this.#isResting(order)) return 'resting';
    const { stage } = order;
    if (stage === 'processing') return 'processing';
    return this.#policy.update && stage === 'open' && order.filled === 0 ? null : 'removal';
  }

  /** Why no such quote can be asked for yet. */
  #roomlessness(wanted: Row, missing: number): WaitReason | null {
    if (this.#room.crosses(wanted)) return 'crossing';
    return missing > Math.max(0, this.#room.sharesFor(wanted)) ? 'room' : null;
  }

  #isResting(order: OwnOrder): boolean {
    const { now } = this.#market;
    const until = order.bornAt + this.#policy.minRestMs * 1_000;
    if (until <= now || !canStand(order, now)) return false;
    this.#sheet.restsUntil = Math.min(this.#sheet.restsUntil ?? Infinity, until) as Micros;
    return true;
  }

  #remove(order: OwnOrder): void {
    if (order.orderId === null) this.#sheet.unwanted.push(order);
    if (!isCancelable(order)) return;
    this.#sheet.cancels.push(order);
    this.#urge(this.#danger(order), order.remaining);
  }

  /** Price units by which leaving the order is worse than fair; at least one tick, since nobody wants it. */
  #danger(order: OwnOrder): number {
    const { fair, terms } = this.#market;
    if (fair === null) return terms.tickUnits;
    const bold = order.bookSide === 'bid' ? order.longPrice - fair : fair - order.longPrice;
    return Math.max(terms.tickUnits, bold);
  }

  #urge(bold: number, shares: number): void {
    const urgency = Math.abs(bold > 0 ? 2 * bold : bold) * shares;
    this.#sheet.urgency = (this.#sheet.urgency + urgency) as Money;
  }

  /** What nothing stands for is created, unless it has to wait for what is leaving. */
  #create(): void {
    if (this.#desired.open === 0) return;
    for (let d = 0; d < this.#desired.orders.length; d += 1) {
      if (this.#desired.at(d).partner !== NOBODY) continue;
      const obstacle = this.#creationObstacle(d);
      if (obstacle === null) this.#add(d);
      else this.#wait(d, obstacle);
    }
  }

  #creationObstacle(d: number): WaitReason | null {
    const wanted = this.#desired.at(d);
    if (wanted.shares > this.#room.sharesFor(wanted)) return 'room';
    if (this.#room.crosses(wanted)) return 'crossing';
    return this.#unspent.pay(wanted, null) ? null : 'funds';
  }

  #add(d: number): void {
    const order = this.#desired.orders[d]!;
    this.#room.take(this.#desired.at(d), order.shares);
    this.#sheet.creates.push(order);
    this.#urge(-this.#market.terms.tickUnits, order.shares);
  }

  #wait(d: number, reason: WaitReason): void {
    this.#sheet.waiting.push({ order: this.#desired.orders[d]!, reason });
  }
}
