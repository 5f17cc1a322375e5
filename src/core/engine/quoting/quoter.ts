/** One market that an instance quotes: from the mirror's book to an approved plan. */
import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import { type Micros, type Money, nearestPrice, PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import { AT_EASE, type Stance } from '../../risk/stance.js';
import { type CashClaim, claimsOf } from '../../execution/planning/allotment.js';
import { approvePlan, type Gate } from '../../execution/planning/approval.js';
import { expiring, expiryOf, nextRenewal } from '../../execution/planning/expiry.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { reconcile, type ReconcilePolicy } from '../../execution/planning/reconcile.js';
import type { Unrouted } from '../../execution/planning/legs.js';
import { route, type Routed, type RouteOrder } from '../../execution/planning/route.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { Freshness } from '../../mirror/books/freshness.js';
import type { Random } from '../../ports/random.js';
import type { BookView, FairValue } from '../../strategy/contract.js';
import { Glance } from '../../strategy/glance.js';
import type { ContextWithoutInstance, Decision } from '../../strategy/instance.js';
import { isSameFair } from '../../strategy/outlook.js';
import { BookPane, touchOf } from './book-view.js';
import { ForeignLooks } from './foreign-looks.js';
import { haltOf, STRATEGY_FAULT } from '../guarding/halts.js';
import { tellOfMarket } from '../observing/observation.js';
import { ToldHolds } from '../observing/told-holds.js';
import type { QuotingInstance } from '../options.js';
import type { EngineParts, QuotedMarket } from '../parts.js';
import { type PlanGround, TemperedGround } from './plan-ground.js';
import { type Purse, SettledPlan } from './settled-plan.js';
import { EventPane, KeptViews } from './strategy-views.js';

/** The risk gate of one market. */
export interface PlanGate extends Gate {
  /** A new plan replaces the one before: what was approved for that one will not be sent. */
  begin(): void;
  /** When time alone may let pass some of what it has refused of this plan; null when it cannot. */
  readonly opensAt: Micros | null;
  /** The rule that refused an order of this plan, or what the venue said of it before; null when all of it passes. */
  readonly refusedBy: string | null;
}

/** What one quoter needs besides the parts that all share. */
export interface QuoterSetting {
  readonly terms: MarketTerms;
  readonly owner: QuotingInstance;
  readonly gate: PlanGate;
  readonly policy: ReconcilePolicy;
  readonly random: Random;
  /** The quoted markets of the same event and instance, this one included. */
  readonly siblings: () => readonly Quoter[];
  /** A decision that the strategy made: its intents for every market, or the fault that stopped it. */
  readonly decided: (quoter: Quoter, decision: Decision) => void;
  /** Takes the markets whose orders have changed; every quoter takes its own out. */
  readonly changedOrders: Set<MarketId>;
  /** The market was looked at: the dates at which to look again may have changed. */
  readonly looked: (quoter: Quoter) => void;
}

/** What of a context is filled in place, and who notices what is looked at. */
interface Panes {
  readonly glance: Glance;
  readonly book: BookPane;
  readonly event: EventPane;
}

const NOTHING: Routed = { orders: [], unrouted: [], stands: false, isScarce: false };

export class Quoter implements QuotedMarket {
  /** As of the last look; null while nobody knows. */
  fair: FairValue | null = null;
  /** Foreign mids of the last look, as probabilities. */
  mid: number | null = null;
  weightedMid: number | null = null;
  touch: Touch = { bid: null, ask: null };
  /** Why nothing is quoted; null when something may be. */
  halt: string | null = 'starting';
  /** What the strategy wants here; kept while it does not say otherwise. */
  intent: QuoteIntent | null = null;
  /** What the guards leave of the intent, as of the last look. */
  stance: Stance = AT_EASE;
  /** When time alone changes the stance, or a guard wants to know the mid. */
  stanceUntil: Micros | null = null;
  /** When an order left alone for its rest time may move, or one that expires is to be renewed. */
  restsUntil: Micros | null = null;
  /** Is it to look again? Written by {@link Quoters}. */
  isDirty = false;
  /** How much besides books had changed when it looked last. Written by {@link Quoters}. */
  changesSeen = -1;
  /** By which expiries were judged last. */
  private venueAhead = 0;
  private readonly settled: SettledPlan;
  private readonly tempered = new TemperedGround();
  private readonly looks: ForeignLooks;
  private readonly views = new KeptViews();
  private readonly holds: ToldHolds;
  /** Shown to a function and filled again for the next look; null: operators of a stream may hold on to what they saw. */
  private readonly ownPanes: Panes | null;

  private terms: MarketTerms;
  private policy: ReconcilePolicy;

  constructor(
    private readonly setting: QuoterSetting,
    private readonly parts: EngineParts,
  ) {
    this.terms = setting.terms;
    this.policy = setting.policy;
    this.looks = new ForeignLooks(parts);
    this.settled = new SettledPlan(() => this.purse());
    this.holds = new ToldHolds(setting.terms.marketId, parts.observer);
    this.ownPanes = 'quote' in setting.owner.instance.strategy ? this.newPanes() : null;
  }

  get marketId(): MarketId {
    return this.terms.marketId;
  }

  /** When what the gate refused may be asked for again, though nothing comes in. */
  get refusedUntil(): Micros | null {
    return this.setting.gate.opensAt;
  }

  /** See {@link PlanGate.refusedBy}. */
  get refusedBy(): string | null {
    return this.setting.gate.refusedBy;
  }

  get owner(): QuotingInstance {
    return this.setting.owner;
  }

  /**
   * Looks at the market, asks the strategy unless something speaks against quoting, and offers the plan.
   * @param isSteady whether nothing but books has changed since the last look, time included
   */
  requote(now: Micros, isSteady: boolean): void {
    const panes = this.ownPanes ?? this.newPanes();
    const fairBefore = this.fair;
    const { book } = panes;
    const freshness = this.look(book, now, isSteady);
    if (isSteady && this.seesNothingNew(fairBefore)) return;
    this.heed(now);
    this.halt = haltOf(this.parts, this, freshness, now);
    if (this.halt === null) {
      const context = this.context(book, panes.event, now);
      this.looked(context);
      this.setting.decided(this, this.owner.instance.decide(context, this.ownPanes?.glance));
      if (this.owner.instance.fault !== null) this.halt = STRATEGY_FAULT;
    } else if (this.parts.observer?.looked !== undefined) this.looked(this.context(book, panes.event, now));
    this.holds.tell(this.halt, this.stance, now);
    this.replan(now);
  }

  /** Would the strategy, and all that comes after it, find what they found at the last look? Who looks on is shown it. */
  private seesNothingNew(fairBefore: FairValue | null): boolean {
    const { ownPanes, halt, settled, parts } = this;
    const isWatched = parts.observer?.looked !== undefined || parts.observer?.planned !== undefined;
    if (ownPanes === null || halt !== null || !settled.isNoted || isWatched) return false;
    return ownPanes.glance.seesNothingNew && isSameFair(fairBefore, this.fair);
  }

  /** Makes the plan again from the intent already there. */
  replan(now: Micros): void {
    this.plan(now);
    this.setting.looked(this);
  }

  private plan(now: Micros): void {
    const { desk, funds, cashShares, observer, options, mirror } = this.parts;
    const { terms, policy } = this;
    const { gate } = this.setting;
    const { expiryMs } = options.quoting;
    if (this.halt !== null) this.intent = null;
    if (this.isAdopting(now)) return;
    const ground = this.ground();
    if (this.isSettled(ground, now)) return;
    this.settled.forget();
    gate.begin();
    const fair = this.fair === null ? null : nearestPrice(this.fair.p);
    const { working } = desk.orders.own(this.marketId);
    const routed = ground === null ? NOTHING : this.route(ground, fair, working);
    const { orders, unrouted } = routed;
    cashShares.planned(this.marketId, unrouted.some(lacksCash));
    const venueNow = mirror.venueClock.at(now);
    const desired = expiring(orders, expiryOf(expiryMs, venueNow));
    const market = { terms, free: funds.free(this.marketId), fair, now, venueNow };
    const plan = reconcile(desired, working, market, policy);
    const renewal = now + nextRenewal(working, expiryMs, venueNow) - venueNow;
    const next = Math.min(plan.restsUntil ?? Infinity, renewal);
    this.restsUntil = next === Infinity ? null : (next as Micros);
    const approved = approvePlan(this.marketId, plan, gate);
    const { marketId, intent, touch } = this;
    observer?.planned?.({ marketId, intent, touch, desired, unrouted, plan, approved });
    if (desk.offer(approved)) this.settled.note(ground, routed, plan, working);
  }

  /** What the guards leave of the intent, and what else a plan rests on; null while nothing is wanted. */
  private ground(): PlanGround | null {
    const { intent, stance, terms, touch, marketId } = this;
    if (intent === null) return null;
    const { positions } = this.parts;
    const long = positions.held(marketId, 'long');
    const short = positions.held(marketId, 'short');
    return this.tempered.of({ intent, stance, terms, long, short, touch });
  }

  /** Who looks on is shown every plan. */
  private isSettled(ground: PlanGround | null, now: Micros): boolean {
    if (this.restsUntil !== null && this.restsUntil <= now) this.settled.forget();
    const { ahead } = this.parts.mirror.venueClock;
    if (ahead !== this.venueAhead) this.settled.forget();
    this.venueAhead = ahead;
    if (this.setting.changedOrders.delete(this.marketId)) this.settled.forget();
    return this.parts.observer?.planned === undefined && this.settled.holds(ground);
  }

  private purse(): Purse {
    const { funds, cashShares } = this.parts;
    return { cash: funds.unclaimed(), share: cashShares.of(this.marketId) };
  }

  private looked(context: ContextWithoutInstance): void {
    const { marketId, owner, halt } = this;
    this.parts.observer?.looked?.({ marketId, owner, context, halt });
  }

  /** What is to be adopted stays until it can be judged; where nothing can be traded, it has been. */
  private isAdopting(now: Micros): boolean {
    const { life, options, mirror } = this.parts;
    if (life.phase !== 'starting' || options.startOrders !== 'adopt') return false;
    const { state } = mirror.tradability(this.marketId, now);
    return state === 'tradable' || state === 'unknown';
  }

  /** @returns how far the book may be relied on */
  private look(book: BookPane, now: Micros, isSteady: boolean): Freshness {
    const { desk, fairValues, positions, observer } = this.parts;
    const { marketId } = this;
    const { tickUnits } = this.terms;
    const foreign = this.looks.look(book, { marketId, tickUnits, now, isSteady });
    // Good until anybody looks again, and whoever is told of the market below may.
    const { freshness } = foreign;
    const { mid, weightedMid } = book;
    if (!isSteady || mid !== this.mid)
      positions.portfolio.mark(marketId, mid === null ? null : mid * PRICE_ONE);
    this.mid = mid;
    this.weightedMid = weightedMid;
    this.touch = touchOf(foreign, tickUnits, this.touch);
    this.fair = fairValues.of(marketId, book, now);
    if (observer !== null) tellOfMarket(observer, marketId, book, desk.orders.own(marketId).working, now);
    return freshness;
  }

  private newPanes(): Panes {
    const glance = new Glance();
    const event = new EventPane(this.parts, this.setting.siblings, glance);
    return { glance, book: new BookPane(glance), event };
  }

  /** Lets the guards see the mid, and takes over what they leave of the quotes. */
  private heed(now: Micros): void {
    const mid = this.mid === null ? null : this.mid * PRICE_ONE;
    const { stance, changesAt } = this.parts.guards.heed(this.marketId, mid, now);
    this.stance = stance;
    this.stanceUntil = changesAt;
  }

  private route(ground: PlanGround, fair: PriceUnits | null, working: readonly OwnOrder[]): Routed {
    const { funds, cashShares, options } = this.parts;
    const { intent, long, short } = ground;
    const usable = funds.usableCash(this.marketId);
    const share = cashShares.of(this.marketId);
    // What a smaller share no longer covers has to go, standing or not.
    const mustRelease = share !== null && share < funds.lockedIn(this.marketId);
    const standing = mustRelease ? null : { orders: working, missingShares: options.quoting.toleranceShares };
    const policy = { order: this.routeOrder, fair, standing, touch: this.touch };
    const cash = share === null ? usable : (Math.min(usable, share) as Money);
    return route(intent, { cash, long, short }, this.terms, policy);
  }

  private get routeOrder(): RouteOrder {
    return this.parts.options.quoting.heldFirst ? 'held-first' : 'collateral-first';
  }

  /** What the market would lock if there were cash for everything. */
  cashClaims(): readonly CashClaim[] {
    const ground = this.halt === null ? this.ground() : null;
    if (ground === null) return [];
    const { intent, terms, touch, long, short } = ground;
    const { working } = this.parts.desk.orders.own(this.marketId);
    const fair = this.fair === null ? null : nearestPrice(this.fair.p);
    return claimsOf({ intent, terms, touch, held: { long, short }, order: this.routeOrder, fair, working });
  }

  /** The market has other rules: an intent in old ticks means nothing any more. */
  changeTerms(terms: MarketTerms, policy: ReconcilePolicy): void {
    this.terms = terms;
    this.policy = policy;
    this.intent = null;
    this.settled.forget();
  }

  /** What the plan rests on has changed, though nothing that it is compared by: its share of the cash, or quotes elsewhere. */
  planAnew(now: Micros): void {
    this.settled.forget();
    this.replan(now);
  }

  private context(book: BookView, event: EventPane, now: Micros): ContextWithoutInstance {
    const { parts, setting, marketId } = this;
    return {
      market: this.views.market(parts, this.terms),
      event: event.look(marketId, now),
      book,
      inventory: this.views.inventory(parts, marketId),
      working: this.views.working(parts.desk.orders.own(marketId)),
      fair: this.fair,
      nowMs: now / 1_000,
      random: setting.random,
    };
  }
}

const lacksCash = ({ reason }: Unrouted): boolean => reason === 'cash';
