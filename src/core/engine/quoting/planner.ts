/** From what is wanted in one market to the plan that the desk takes. */
import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent, QuoteLevel } from '../../../domain/intent.js';
import {
  type Micros,
  type Money,
  nearestPrice,
  type PriceUnits,
  type Shares,
} from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { expiring, expiryOf, nextRenewal } from '../../execution/planning/expiry.js';
import type { RouteOrder, Unrouted } from '../../execution/planning/legs.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import { approvePlan, NO_PLAN } from '../../execution/planning/plan.js';
import { type CashClaim, claimsOf } from '../../execution/planning/rationing.js';
import { reconcile, type ReconcilePolicy } from '../../execution/planning/reconcile.js';
import { route, type Routed } from '../../execution/planning/route.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { LadderRoom } from '../../risk/fitted-ladder.js';
import { type Restriction, restrict } from '../../risk/quote-restriction.js';
import type { FairValue } from '../../strategy/contract.js';
import type { QuoterParts } from './market-context.js';
import type { PlanGate } from './quoted-market.js';

/** What a market's look, its guards and its strategy have left to be planned. */
export interface PlannedMarket {
  readonly marketId: MarketId;
  readonly terms: MarketTerms;
  readonly policy: ReconcilePolicy;
  /** Why nothing is quoted; null when something may be. */
  readonly halt: string | null;
  readonly intent: QuoteIntent | null;
  readonly restriction: Restriction;
  readonly fair: FairValue | null;
  readonly touch: Touch;
}

/** What a plan rests on, as far as it may be none. What is open is in the version of the orders. */
interface PlanBasis {
  /** As guards and limits leave it; null: nothing is wanted. */
  readonly intent: QuoteIntent | null;
  readonly orders: number;
  /** Which shares are used first. */
  readonly order: RouteOrder;
  readonly long: Shares;
  readonly short: Shares;
  readonly touch: Touch;
  /** What orders here may lock. */
  readonly cash: Money;
  readonly terms: MarketTerms;
  readonly policy: ReconcilePolicy;
  /** How far the venue's clock is ahead, by which orders expire. */
  readonly venueAhead: number;
}

const NOTHING: Routed = { orders: [], unrouted: [], stands: false, isScarce: false };

/** Makes the plans of one market. */
export class Planner {
  /** When an order left alone for its rest time may move, or one that expires is to be renewed. */
  restsUntil: Micros | null = null;
  /** What the last plan rests on while everything stands as it should; null: it has something to do, or waits. */
  private settled: PlanBasis | null = null;

  constructor(
    private readonly market: PlannedMarket,
    private readonly gate: PlanGate,
    private readonly parts: QuoterParts,
  ) {}

  /** Offers the plan for what is wanted now. A plan with nothing to do stays while it would be made of the same. */
  plan(now: Micros): void {
    const { desk, funds, cashShares, observer, options, mirror } = this.parts;
    const { gate } = this;
    const { marketId, terms, policy, touch } = this.market;
    const { expiryMs } = options.quoting;
    gate.begin();
    const { working, version } = desk.orders.own(marketId);
    const intent = this.fitted(working);
    const basis = this.basisOf(intent, version);
    // Who looks on is shown every plan.
    if (observer?.planned === undefined && this.mayStay(now, working) && isSameBasis(this.settled, basis))
      return;
    const routed = intent === null ? NOTHING : this.route(intent, working, basis);
    const { orders, unrouted } = routed;
    cashShares.planned(marketId, unrouted.some(lacksCash));
    const venueNow = mirror.venueClock.at(now);
    const desired = expiring(orders, expiryOf(expiryMs, venueNow));
    const pace = this.parts.paceOf(marketId);
    const pacedUntil = pace === null || pace.free(now) > 0 ? null : pace.nextAt(now);
    const market = { terms, free: funds.free(marketId), fair: this.fair, now, venueNow, pacedUntil };
    const plan = reconcile(desired, working, market, policy);
    const renewal = now + nextRenewal(working, expiryMs, venueNow) - venueNow;
    const next = Math.min(plan.restsUntil ?? Infinity, renewal);
    this.restsUntil = next === Infinity ? null : (next as Micros);
    const approved = approvePlan(marketId, plan, gate);
    observer?.planned?.({ marketId, intent: this.market.intent, touch, desired, unrouted, plan, approved });
    const isTaken = desk.offer(approved);
    this.settled = isTaken && plan === NO_PLAN && unrouted.length === 0 ? basis : null;
  }

  /** What the market would lock with unlimited cash. @param order which shares are used first */
  cashClaims(order: RouteOrder = this.usualOrder): readonly CashClaim[] {
    const { halt, terms, touch, marketId } = this.market;
    const intent = halt === null ? this.restricted() : null;
    if (intent === null) return [];
    const { working } = this.parts.desk.orders.own(marketId);
    const { fair } = this;
    return claimsOf({ intent, terms, touch, held: this.held(), order, fair, working });
  }

  private basisOf(intent: QuoteIntent | null, orders: number): PlanBasis {
    const { funds, cashShares, mirror } = this.parts;
    const { marketId, terms, policy, touch } = this.market;
    const usable = funds.usableCash(marketId);
    const share = cashShares.of(marketId);
    const cash = share === null ? usable : (Math.min(usable, share) as Money);
    const { long, short } = this.held();
    const { routeOrder: order } = this;
    const venueAhead = mirror.venueClock.ahead;
    return { intent, orders, order, long, short, touch, cash, terms, policy, venueAhead };
  }

  /** Whether time alone changes nothing in the plan: no order is to be renewed or left unproved for long. */
  private mayStay(now: Micros, working: readonly OwnOrder[]): boolean {
    if (this.restsUntil !== null && this.restsUntil <= now) return false;
    return working.every(({ fillsUnknownSince }) => fillsUnknownSince === null);
  }

  /** What the guards leave of the intent; null while nothing is wanted. */
  private restricted(): QuoteIntent | null {
    const { intent, restriction, terms, marketId } = this.market;
    if (intent === null) return null;
    return restrict(intent, restriction, {
      tickUnits: terms.tickUnits,
      net: this.parts.positions.net(marketId),
    });
  }

  /** What the limits leave of that. */
  private fitted(working: readonly OwnOrder[]): QuoteIntent | null {
    const intent = this.restricted();
    if (intent === null) return null;
    const standing: LadderRoom['standing'] = (side, price) => {
      const there = working.filter((order) => order.bookSide === side && order.longPrice === price);
      return there.reduce((sum, { remaining }) => sum + remaining, 0);
    };
    return this.gate.fit(intent, standing, this.parts.options.quoting.refillShare);
  }

  private held(): { readonly long: Shares; readonly short: Shares } {
    const { positions } = this.parts;
    const { marketId } = this.market;
    return { long: positions.held(marketId, 'long'), short: positions.held(marketId, 'short') };
  }

  private get fair(): PriceUnits | null {
    const { fair } = this.market;
    return fair === null ? null : nearestPrice(fair.p);
  }

  private route(intent: QuoteIntent, working: readonly OwnOrder[], basis: PlanBasis): Routed {
    const { funds, cashShares, options } = this.parts;
    const { marketId, terms } = this.market;
    const { cash, long, short, touch, order } = basis;
    const share = cashShares.of(marketId);
    // Orders that a smaller share of the cash no longer covers must go.
    const mustRelease = share !== null && share < funds.lockedIn(marketId);
    const { toleranceShares: missingShares, refillShare } = options.quoting;
    const standing = mustRelease ? null : { orders: working, missingShares, refillShare };
    const policy = { order, fair: this.fair, standing, touch };
    return route(intent, { cash, long, short }, terms, policy);
  }

  private get routeOrder(): RouteOrder {
    return this.parts.cashShares.isShort ? 'held-first' : this.usualOrder;
  }

  private get usualOrder(): RouteOrder {
    const { quoting, venue } = this.parts.options;
    return quoting.heldFirst || venue.legs === 'net' ? 'held-first' : 'collateral-first';
  }
}

const lacksCash = ({ reason }: Unrouted): boolean => reason === 'cash';

const isSameBasis = (one: PlanBasis | null, other: PlanBasis): boolean =>
  one !== null &&
  one.orders === other.orders &&
  one.order === other.order &&
  one.long === other.long &&
  one.short === other.short &&
  one.touch.bid === other.touch.bid &&
  one.touch.ask === other.touch.ask &&
  one.cash === other.cash &&
  one.terms === other.terms &&
  one.policy === other.policy &&
  one.venueAhead === other.venueAhead &&
  isSameIntent(one.intent, other.intent);

const isSameIntent = (one: QuoteIntent | null, other: QuoteIntent | null): boolean =>
  one === null || other === null
    ? one === other
    : areSame(one.bids, other.bids, isSameLevel) && areSame(one.asks, other.asks, isSameLevel);

/** Why a quote has its price changes no plan. */
const isSameLevel = (one: QuoteLevel, other: QuoteLevel): boolean =>
  one.price === other.price && one.shares === other.shares;

const areSame = <T>(
  some: readonly T[],
  others: readonly T[],
  isSame: (one: T, other: T) => boolean,
): boolean => some.length === others.length && some.every((one, at) => isSame(one, others[at]!));
