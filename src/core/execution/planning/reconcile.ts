/**
 * Compares the desired orders of one market with the working ones. Three things hold at every moment in between, whatever
 * fills and in whatever order confirmations come: own orders can never trade with each other, a side never has more
 * shares that may fill than are desired or were there before, and nothing is sold or spent twice.
 */
import { bookSideOf, type LimitOrder, longPriceOf } from '../../../domain/orders.js';
import type { Micros, Money, PriceUnits, Shares } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { VenueProfile } from '../../../venues/port.js';
import { isCancelable, type OwnOrder } from '../orders/own-order.js';
import { lastsLongEnough } from './expiry.js';
import { type Funds, lockOf, type MarketTerms } from './market-terms.js';
import { NO_PLAN, type Plan, type PlannedReplacement, type Waiting, type WaitReason } from './plan.js';

/** How far a working order may be from the desired one and still be left alone. */
export interface Tolerance {
  /** Price units less bold than desired (a lower bid, a higher ask). */
  readonly shyUnits: number;
  /** Price units bolder than desired. Zero unless somebody wants to be picked off. */
  readonly boldUnits: number;
  /** Shares missing. */
  readonly missingShares: number;
  /** Shares too many; risk approved the desired size. */
  readonly excessShares: number;
}

export interface ReconcilePolicy extends Tolerance {
  /** An order younger than this is not moved unless it is bolder than desired. */
  readonly minRestMs: number;
  /** What can be changed of an open order; null: it is cancelled, and created once the cancel is confirmed. */
  readonly change: VenueProfile['orders']['change'];
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
  /** Until when no create may leave; null or left out: they may. */
  readonly pacedUntil?: Micros | null;
}

/** A desired order, and whether a working order stands for it, is moved to it, or is to be moved to it. */
interface Wanted {
  readonly order: LimitOrder;
  readonly bookSide: Side;
  readonly longPrice: PriceUnits;
  isTaken: boolean;
}

const CHANGEABLE = ['price', 'size', 'expiry'] as const;
const EXACT: Tolerance = { shyUnits: 0, boldUnits: 0, missingShares: 0, excessShares: 0 };

/**
 * A frame that tells how much was filled may come after the listing that told that something was filled. When the frame
 * does not come within this time, the order is cancelled: only its end tells what stands.
 */
const FILLS_GRACE_US = 2_000_000;

/**
 * @param desired  what should stand, in the currency of the market, with one expiry, bids of the book before asks, best
 *                 first; never crossing itself
 * @param working  every order of the account in this market that is not done, foreign ones included
 * @returns what to send now, and what waits; {@link NO_PLAN} when everything stands as it should
 */
export const reconcile = (
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  market: ReconcileMarket,
  policy: ReconcilePolicy,
): Plan => new Reconciliation(desired, working, market, policy).plan();

class Reconciliation {
  readonly #desired: readonly Wanted[];
  /** Working orders that stay as they are. */
  readonly #kept: OwnOrder[] = [];
  /** Shares that may still be asked for on each side of the book. */
  readonly #room: Record<Side, number> = { bid: 0, ask: 0 };
  readonly #unspent: Record<'cash' | 'long' | 'short', number>;
  /** Best prices of all working orders of the account, long side. */
  #bestBid = -Infinity;
  #bestAsk = Infinity;
  readonly #cancels: OwnOrder[] = [];
  readonly #replacements: PlannedReplacement[] = [];
  readonly #creates: LimitOrder[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #unwanted: OwnOrder[] = [];
  #urgency = 0;
  #restsUntil = Infinity;

  constructor(
    desired: readonly LimitOrder[],
    private readonly working: readonly OwnOrder[],
    private readonly market: ReconcileMarket,
    private readonly policy: ReconcilePolicy,
  ) {
    this.#desired = desired.map((order) => ({
      order,
      bookSide: bookSideOf(order),
      longPrice: longPriceOf(order),
      isTaken: false,
    }));
    this.#unspent = { ...market.free };
  }

  plan(): Plan {
    this.#measure();
    this.#keep(EXACT);
    if (!isExact(this.policy)) this.#keep(this.policy);
    const others = this.working.filter((order) => order.ownership === 'ours' && !this.#kept.includes(order));
    if (others.length === 0 && this.#desired.every(({ isTaken }) => isTaken)) return NO_PLAN;
    for (const order of others) this.#moveOrCancel(order);
    for (const wanted of this.#desired) if (!wanted.isTaken) this.#create(wanted);
    return {
      cancels: this.#cancels,
      replacements: this.#replacements,
      creates: this.#creates,
      waiting: this.#waiting,
      unwanted: this.#unwanted,
      urgency: this.#urgency as Money,
      restsUntil: this.#restsUntil === Infinity ? null : (this.#restsUntil as Micros),
    };
  }

  /** The room on a side is what is desired there less what may fill already. */
  #measure(): void {
    for (const { bookSide, order } of this.#desired) this.#room[bookSide] += order.shares;
    for (const { bookSide, longPrice, ownership, remaining } of this.working) {
      if (ownership === 'ours') this.#room[bookSide] -= remaining;
      if (bookSide === 'bid') this.#bestBid = Math.max(this.#bestBid, longPrice);
      else this.#bestAsk = Math.min(this.#bestAsk, longPrice);
    }
  }

  /** Leaves working orders alone that are near enough to a desired one. */
  #keep(tolerance: Tolerance): void {
    for (const wanted of this.#desired) {
      if (wanted.isTaken) continue;
      const order = this.working.find(
        (one) => this.#isNear(one, wanted, tolerance) && !this.#kept.includes(one),
      );
      if (order === undefined) continue;
      wanted.isTaken = true;
      this.#kept.push(order);
      // A pair counts as the larger of the two, for the order is left as it is.
      this.#room[order.bookSide] += Math.max(0, order.remaining - wanted.order.shares);
    }
  }

  #isNear(order: OwnOrder, wanted: Wanted, tolerance: Tolerance): boolean {
    const bold = boldness(order, wanted);
    if (bold > tolerance.boldUnits || -bold > tolerance.shyUnits) return false;
    if (!isSamePlace(order, wanted)) return false;
    const excess = order.remaining - wanted.order.shares;
    if (excess > tolerance.excessShares || -excess > tolerance.missingShares) return false;
    const { now, venueNow } = this.market;
    return canStand(order, now) && lastsLongEnough(order, wanted.order.expiresAt, venueNow);
  }

  #moveOrCancel(order: OwnOrder): void {
    const to = order.state === 'live' ? this.#nearestTo(order) : null;
    const obstacle = to === null ? 'removal' : this.#obstacleToMove(order, to);
    if (to === null || (obstacle === 'removal' && !this.#isPaced(order))) return this.#remove(order);
    to.isTaken = true;
    if (obstacle !== null) {
      const reason = obstacle === 'removal' ? 'paced' : obstacle;
      return void this.#waiting.push({ order: to.order, reason });
    }
    this.#room[order.bookSide] -= Math.max(0, to.order.shares - order.remaining);
    this.#urge(boldness(order, to), Math.max(order.remaining, to.order.shares));
    this.#replacements.push({ order, to: to.order });
  }

  /** The free desired order with the nearest price; of two as near the first. */
  #nearestTo(order: OwnOrder): Wanted | null {
    let nearest: Wanted | null = null;
    let least = Infinity;
    for (const wanted of this.#desired) {
      if (wanted.isTaken || !isSamePlace(order, wanted)) continue;
      const distance = Math.abs(boldness(order, wanted));
      if (distance < least) [nearest, least] = [wanted, distance];
    }
    return nearest;
  }

  /** Why the order stays where it is for now; `removal` when it can only be cancelled. */
  #obstacleToMove(order: OwnOrder, to: Wanted): WaitReason | 'removal' | null {
    const missing = to.order.shares - order.remaining;
    if (boldness(order, to) <= 0 && missing >= 0 && this.#isResting(order)) return 'resting';
    if (order.stage === 'processing') return 'processing';
    if (order.stage !== 'open' || order.filled > 0 || !this.#mayChange(order, to.order)) return 'removal';
    if (this.#crosses(to)) return 'crossing';
    if (missing > Math.max(0, this.#room[order.bookSide])) return 'room';
    return this.#pays(to.order, order) ? null : 'removal';
  }

  /** Can the venue change the one order into the other? */
  #mayChange(order: OwnOrder, to: LimitOrder): boolean {
    const { change } = this.policy;
    if (change === null) return false;
    const differs = {
      price: order.price !== to.price,
      size: order.requested !== to.shares,
      expiry: order.expiresAt !== to.expiresAt,
    };
    return CHANGEABLE.every((part) => !differs[part] || change.of.includes(part));
  }

  /** An order stays where it is while nothing could be put in its place. */
  #isPaced(order: OwnOrder): boolean {
    const { now, pacedUntil = null } = this.market;
    if (pacedUntil === null || !canStand(order, now)) return false;
    this.#restsUntil = Math.min(this.#restsUntil, pacedUntil);
    return true;
  }

  #isResting(order: OwnOrder): boolean {
    const { now } = this.market;
    const until = order.bornAt + this.policy.minRestMs * 1_000;
    if (until <= now || !canStand(order, now)) return false;
    this.#restsUntil = Math.min(this.#restsUntil, until);
    return true;
  }

  #remove(order: OwnOrder): void {
    if (order.orderId === null) this.#unwanted.push(order);
    if (!isCancelable(order)) return;
    const { fair, terms } = this.market;
    const { bookSide, longPrice, remaining } = order;
    const worse = fair === null ? 0 : bookSide === 'bid' ? longPrice - fair : fair - longPrice;
    this.#cancels.push(order);
    // At least one tick: nobody wants the order.
    this.#urge(Math.max(terms.tickUnits, worse), remaining);
  }

  /** Asks for what nothing stands for, unless it has to wait for what is leaving. */
  #create(wanted: Wanted): void {
    const { order, bookSide } = wanted;
    const reason = this.#obstacleToCreate(wanted);
    if (reason !== null) return void this.#waiting.push({ order, reason });
    this.#room[bookSide] -= order.shares;
    this.#creates.push(order);
    this.#urge(-this.market.terms.tickUnits, order.shares);
  }

  #obstacleToCreate(wanted: Wanted): WaitReason | null {
    if (wanted.order.shares > this.#room[wanted.bookSide]) return 'room';
    if (this.#crosses(wanted)) return 'crossing';
    return this.#pays(wanted.order, null) ? null : 'funds';
  }

  /** Would a quote there trade with an order of the account, whoever owns it? */
  #crosses({ bookSide, longPrice }: Wanted): boolean {
    return bookSide === 'bid' ? longPrice >= this.#bestAsk : longPrice <= this.#bestBid;
  }

  /** Takes what the order needs beyond what the replaced one has locked. @returns false when there is too little */
  #pays(wanted: LimitOrder, replaced: OwnOrder | null): boolean {
    const { terms } = this.market;
    const uses = wanted.side === 'bid' ? 'cash' : wanted.position;
    const locks = (price: PriceUnits, shares: Shares): number =>
      uses === 'cash' ? lockOf(price, shares, terms) : shares;
    const locked = replaced === null ? 0 : locks(replaced.price, replaced.remaining);
    const need = locks(wanted.price, wanted.shares) - locked;
    if (need > (uses === 'cash' ? Math.max(0, this.#unspent.cash) : this.#unspent[uses])) return false;
    this.#unspent[uses] -= Math.max(0, need);
    return true;
  }

  #urge(bold: number, shares: number): void {
    this.#urgency += Math.abs(bold > 0 ? 2 * bold : bold) * shares;
  }
}

/** May the order stand for a desired one as it is? A doubtful order may: asking for another could make two. */
const canStand = ({ ownership, state, fillsUnknownSince }: OwnOrder, now: Micros): boolean =>
  ownership === 'ours' &&
  (state === 'live' || state === 'creating' || state === 'unknown') &&
  (fillsUnknownSince === null || now - fillsUnknownSince < FILLS_GRACE_US);

const isExact = ({ shyUnits, boldUnits, missingShares, excessShares }: Tolerance): boolean =>
  shyUnits === 0 && boldUnits === 0 && missingShares === 0 && excessShares === 0;

/** Do both change the same holding in the same direction? */
const isSamePlace = (order: OwnOrder, { order: { side, position, currency } }: Wanted): boolean =>
  order.side === side && order.position === position && order.currency === currency;

/** Price units by which the working order is bolder than desired; negative when it is shyer. */
const boldness = ({ bookSide, longPrice }: OwnOrder, wanted: Wanted): number =>
  bookSide === 'bid' ? longPrice - wanted.longPrice : wanted.longPrice - longPrice;
