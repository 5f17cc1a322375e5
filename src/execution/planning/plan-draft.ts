import type { LimitOrder } from '../../domain/orders.js';
import type { Micros, Money, PriceUnits } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import { type Funds, type MarketTerms, lockOf } from './market-terms.js';
import { type OwnOrder, isCancelable } from '../orders/own-order.js';
import {
  type Pairing,
  type Tolerance,
  bookSideOf,
  boldness,
  canStand,
  isSameLeg,
  longPriceOf,
} from './pairing.js';
import type { Plan, PlannedReplacement, WaitReason, Waiting } from './plan.js';

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
}

/** What a plan is made from. */
export interface DraftSource {
  readonly desired: readonly LimitOrder[];
  readonly working: readonly OwnOrder[];
  readonly pairing: Pairing;
  readonly market: ReconcileMarket;
  readonly policy: ReconcilePolicy;
}

/** A plan in the making: first {@link moveOrCancel}, then {@link create}. */
export class PlanDraft {
  readonly #desired: readonly LimitOrder[];
  readonly #working: readonly OwnOrder[];
  readonly #pairing: Pairing;
  readonly #market: ReconcileMarket;
  readonly #policy: ReconcilePolicy;
  readonly #cancels: OwnOrder[] = [];
  readonly #replacements: PlannedReplacement[] = [];
  readonly #creates: LimitOrder[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #unwanted: OwnOrder[] = [];
  #urgency = 0;
  #restsUntil: number | null = null;
  /** Desired orders that a working one is moved to, or waits to be moved to. */
  readonly #taken: boolean[];
  /** Shares per side that may still be asked for, beside everything that stands or is leaving. */
  #bidRoom: number;
  #askRoom: number;
  readonly #free: { cash: number; long: number; short: number };
  readonly #longPrices: readonly number[];
  readonly #highestBid: number;
  readonly #lowestAsk: number;

  constructor({ desired, working, pairing, market, policy }: DraftSource) {
    this.#desired = desired;
    this.#working = working;
    this.#pairing = pairing;
    this.#market = market;
    this.#policy = policy;
    this.#taken = pairing.workingOf.map((w) => w !== -1);
    this.#bidRoom = this.#roomAtFirst('bid');
    this.#askRoom = this.#roomAtFirst('ask');
    const { cash, long, short } = market.free;
    this.#free = { cash, long, short };
    this.#longPrices = desired.map(longPriceOf);
    this.#highestBid = nearest(working, 'bid');
    this.#lowestAsk = nearest(working, 'ask');
  }

  plan(): Plan {
    return {
      cancels: this.#cancels,
      replacements: this.#replacements,
      creates: this.#creates,
      waiting: this.#waiting,
      unwanted: this.#unwanted,
      urgency: Math.round(this.#urgency) as Money,
      restsUntil: this.#restsUntil as Micros | null,
    };
  }

  /** Desired shares of a side less what may fill there now; an order that is kept counts as what is desired. */
  #roomAtFirst(side: Side): number {
    let room = 0;
    for (let d = 0; d < this.#desired.length; d += 1) {
      const wanted = this.#desired[d]!;
      if (bookSideOf(wanted) !== side) continue;
      const w = this.#pairing.workingOf[d]!;
      room += w === -1 ? wanted.shares : Math.max(wanted.shares, this.#working[w]!.remaining);
    }
    for (const order of this.#working)
      if (order.bookSide === side && order.ownership === 'ours') room -= order.remaining;
    return room;
  }

  // Written out: a member that is named by a value costs several times as much.

  #roomOn(side: Side): number {
    return side === 'bid' ? this.#bidRoom : this.#askRoom;
  }

  #takeRoom(side: Side, shares: number): void {
    if (side === 'bid') this.#bidRoom -= shares;
    else this.#askRoom -= shares;
  }

  /** Gives every own order that stands for nothing desired a new place, or cancels it. */
  moveOrCancel(): void {
    for (let w = 0; w < this.#working.length; w += 1) {
      const order = this.#working[w]!;
      if (this.#pairing.desiredOf[w] !== -1 || order.ownership === 'foreign') continue;
      const d = order.state === 'live' ? this.#nearest(order) : -1;
      if (d === -1) this.#remove(order);
      else this.#move(order, d);
    }
  }

  /** The nearest desired order of the same leg that nothing stands for yet. */
  #nearest(order: OwnOrder): number {
    let best = -1;
    let least = Infinity;
    for (let d = 0; d < this.#desired.length; d += 1) {
      const distance = Math.abs(order.longPrice - this.#longPrices[d]!);
      if (distance >= least || this.#taken[d] || !isSameLeg(order, this.#desired[d]!)) continue;
      best = d;
      least = distance;
    }
    return best;
  }

  #move(order: OwnOrder, d: number): void {
    const wanted = this.#desired[d]!;
    const obstacle = this.#obstacle(order, wanted);
    if (obstacle === 'removal') return this.#remove(order);
    this.#taken[d] = true;
    if (obstacle === null) this.#replace(order, wanted);
    else this.#wait(wanted, obstacle);
  }

  /** What keeps an order from being moved by an update now; `removal`: it can only be cancelled. */
  #obstacle(order: OwnOrder, wanted: LimitOrder): WaitReason | 'removal' | null {
    const harmless =
      boldness(order, wanted) <= 0 && order.remaining <= wanted.shares && canStand(order, this.#market.now);
    if (harmless && this.#isResting(order)) return 'resting';
    if (order.stage === 'processing') return 'processing';
    if (!this.#policy.update || order.stage !== 'open' || order.filled > 0) return 'removal';
    if (this.#crosses(wanted)) return 'crossing';
    if (wanted.shares - order.remaining > Math.max(0, this.#roomOn(order.bookSide))) return 'room';
    return this.#pay(wanted, order) ? null : 'removal';
  }

  #isResting(order: OwnOrder): boolean {
    const until = order.bornAt + this.#policy.minRestMs * 1_000;
    if (until <= this.#market.now) return false;
    this.#restsUntil = Math.min(this.#restsUntil ?? Infinity, until);
    return true;
  }

  #replace(order: OwnOrder, to: LimitOrder): void {
    const urgency = this.#urgencyOf(boldness(order, to), Math.max(order.remaining, to.shares));
    this.#takeRoom(order.bookSide, Math.max(0, to.shares - order.remaining));
    this.#replacements.push({ order, to, urgency });
  }

  #remove(order: OwnOrder): void {
    if (order.orderId === null) this.#unwanted.push(order);
    if (!isCancelable(order)) return;
    this.#cancels.push(order);
    this.#urgencyOf(this.#danger(order), order.remaining);
  }

  /** Price units by which leaving the order is worse than fair; at least one tick, since nobody wants it. */
  #danger(order: OwnOrder): number {
    const { fair, terms } = this.#market;
    if (fair === null) return terms.tickUnits;
    const bold = order.bookSide === 'bid' ? order.longPrice - fair : fair - order.longPrice;
    return Math.max(terms.tickUnits, bold);
  }

  #urgencyOf(bold: number, shares: number): Money {
    const urgency = Math.abs(bold > 0 ? 2 * bold : bold) * shares;
    this.#urgency += urgency;
    return urgency as Money;
  }

  /** What nothing stands for is created, unless it has to wait for what is leaving. */
  create(): void {
    for (let d = 0; d < this.#desired.length; d += 1) {
      const wanted = this.#desired[d]!;
      const obstacle = this.#taken[d] ? null : this.#creationObstacle(wanted);
      if (obstacle !== null) this.#wait(wanted, obstacle);
      else if (!this.#taken[d]) this.#add(wanted);
    }
  }

  #add(wanted: LimitOrder): void {
    this.#takeRoom(bookSideOf(wanted), wanted.shares);
    this.#creates.push(wanted);
    this.#urgencyOf(-this.#market.terms.tickUnits, wanted.shares);
  }

  #creationObstacle(wanted: LimitOrder): WaitReason | null {
    if (wanted.shares > this.#roomOn(bookSideOf(wanted))) return 'room';
    if (this.#crosses(wanted)) return 'crossing';
    return this.#pay(wanted, null) ? null : 'funds';
  }

  #crosses(wanted: LimitOrder): boolean {
    const price = longPriceOf(wanted);
    return bookSideOf(wanted) === 'bid' ? price >= this.#lowestAsk : price <= this.#highestBid;
  }

  /** Takes what the order needs beyond what the one in its place has locked. @returns false when there is too little */
  #pay(wanted: LimitOrder, old: OwnOrder | null): boolean {
    const free = this.#free;
    if (wanted.side === 'ask') {
      const need = wanted.shares - (old?.remaining ?? 0);
      if (need > free[wanted.position]) return false;
      free[wanted.position] -= Math.max(0, need);
      return true;
    }
    const { terms } = this.#market;
    const locked = old === null ? 0 : lockOf(old.price, old.remaining, terms);
    const need = lockOf(wanted.price, wanted.shares, terms) - locked;
    if (need > 0 && need > free.cash) return false;
    free.cash -= Math.max(0, need);
    return true;
  }

  #wait(order: LimitOrder, reason: WaitReason): void {
    this.#waiting.push({ order, reason });
  }
}

/** The price nearest to the other side among all that may trade, whoever owns them. */
function nearest(working: readonly OwnOrder[], side: Side): number {
  let best = side === 'bid' ? -Infinity : Infinity;
  for (const order of working) {
    if (order.bookSide !== side) continue;
    best = side === 'bid' ? Math.max(best, order.longPrice) : Math.min(best, order.longPrice);
  }
  return best;
}
