/** One market that an instance quotes: from the mirror's book to an approved plan. */
import type { Fill } from '../../../domain/fill.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { SignalUpdate, TradeInput } from '../../../domain/inputs.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import {
  type Micros,
  type Money,
  nearestPrice,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
} from '../../../domain/units.js';
import { MarketContext, type QuoterParts } from './market-context.js';
import type { LadderRoom } from '../../risk/fitted-ladder.js';
import { UNRESTRICTED, type Restriction, restrict } from '../../risk/quote-restriction.js';
import { type CashClaim, claimsOf } from '../../execution/planning/rationing.js';
import { approvePlan } from '../../execution/planning/plan.js';
import { expiring, expiryOf, nextRenewal } from '../../execution/planning/expiry.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { reconcile, type ReconcilePolicy } from '../../execution/planning/reconcile.js';
import type { RouteOrder, Unrouted } from '../../execution/planning/legs.js';
import { route, type Routed } from '../../execution/planning/route.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { Freshness } from '../../mirror/books/freshness.js';
import type { Random } from '../../ports/random.js';
import type { BookView, FairValue } from '../../strategy/contract.js';
import type { Decision } from '../../strategy/instance.js';
import type { ContextWithoutInstance } from '../../strategy/context.js';
import { MarketSignals, type StandingSignal } from '../../strategy/signals/market-signals.js';
import {
  bookViewOf,
  foreignLevelsOf,
  type ForeignLevels,
  touchOf,
  UNSEEN_BOOK,
  ownInBook,
} from './book-view.js';
import { haltOf, type PlanGate, type QuotedMarket, STRATEGY_FAULT } from './quoted-market.js';
import { tellOfMarket, ToldHolds } from '../observing/observation.js';
import type { QuotingInstance } from '../options.js';
import { msToClose } from './strategy-views.js';
import { STALE } from './fair-values.js';
import type { Outlook } from './outlook.js';

/** What differs from one quoter to the next. */
export interface QuoterSetting {
  readonly terms: MarketTerms;
  readonly owner: QuotingInstance;
  readonly gate: PlanGate;
  /** What the limits leave, and how the event may end. */
  readonly outlook: Outlook;
  readonly policy: ReconcilePolicy;
  readonly random: Random;
  /** The quoted markets of the same event and instance, this one included. */
  readonly siblings: () => readonly Quoter[];
  /** A decision that the strategy made: its intents for every market, or the fault that stopped it. */
  readonly decided: (quoter: Quoter, decision: Decision) => void;
  /** Something changed that strategies of other outcomes of the event may look at. */
  readonly changed: (quoter: Quoter) => void;
  /** The market was looked at: the dates at which to look again may have changed. */
  readonly looked: (quoter: Quoter) => void;
}

/** So long after a take was wanted its fill may be heard of, in microseconds. */
const TAKE_HEARD_WITHIN = 10_000_000;
const NOTHING: Routed = { orders: [], unrouted: [], stands: false, isScarce: false };

/** Takes one market from a look at its book to an approved plan, in the stages look, restrict, decide, plan, approve. */
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
  restriction: Restriction = UNRESTRICTED;
  /** When time alone changes the restriction, or a guard wants to know the mid. */
  restrictedUntil: Micros | null = null;
  /** When the strategy wants to be asked again though nothing comes in. */
  wakesAt: Micros | null = null;
  /** When the fair value in use is too old. */
  fairUntil: Micros | null = null;
  /** What other outcomes of the event may see of this market, as of the last look. */
  private shown: Shown = { mid: null, fair: null, net: 0, isHalted: true };
  /** The newest take that the strategy wanted; null before the first. */
  private lastTake: { readonly side: Side; readonly at: Micros } | null = null;
  /** When an order left alone for its rest time may move, or one that expires is to be renewed. */
  restsUntil: Micros | null = null;
  private readonly holds: ToldHolds;
  private readonly signals: MarketSignals;
  private readonly context: MarketContext;
  /** Levels of others at the last look. */
  private seen: ForeignLevels = UNSEEN_BOOK;
  private terms: MarketTerms;
  private policy: ReconcilePolicy;

  constructor(
    private readonly setting: QuoterSetting,
    private readonly parts: QuoterParts,
  ) {
    this.terms = setting.terms;
    this.policy = setting.policy;
    this.holds = new ToldHolds(setting.terms.marketId, parts.observer);
    const memory = setting.owner.instance.signalMemory(setting.terms.marketId);
    this.signals = new MarketSignals(parts.options.venue.prints, memory);
    this.context = new MarketContext(setting.terms.marketId, setting, parts, this.signals);
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

  /** See {@link QuotedMarket.signalHalt}. */
  get signalHalt(): string | null {
    return this.signals.halt;
  }

  standingSignals(now: Micros): readonly StandingSignal[] {
    return this.signals.standing(now / 1_000);
  }

  /** Whether the strategy has ever looked at other outcomes of the event. From then on their changes wake it. */
  get looksAtEvent(): boolean {
    return this.context.looksAtEvent;
  }

  /** Own shares were traded. */
  filled(fill: Fill, at: Micros): void {
    this.context.filled(fill, this.mid, at);
  }

  /** The venue told of a trade. */
  printed(trade: TradeInput, at: Micros): void {
    this.context.printed(trade, at);
  }

  told(signal: SignalUpdate): void {
    this.signals.told(signal);
  }

  /** Looks at the market, lets the guards restrict it, asks the strategy unless the market is halted, and offers the plan. */
  quote(now: Micros): void {
    const book = this.begin(now);
    if (this.halt === null) this.decide(book, now);
    this.finish(now);
  }

  /** Looks at the market and lets the guards restrict it: from now on {@link halt} says whether its strategy is to be asked. */
  begin(now: Micros): BookView {
    const { book, freshness } = this.look(now);
    this.restrict(now);
    const { halt } = this;
    this.halt = haltOf(this.parts, this, freshness, now);
    if (this.halt !== halt) this.tellHalt(now);
    // A halt of its own a signal may end by time alone; the others wake the market themselves.
    this.wakesAt = this.halt === this.signals.halt ? this.signalsDue : null;
    if (this.halt !== null && this.parts.observer?.looked !== undefined)
      this.looked(this.context.of(book, this.fair, this.terms, now));
    return book;
  }

  /** What the strategy is shown; what it looks at until {@link answered} wakes it from then on. */
  asked(book: BookView, now: Micros): ContextWithoutInstance {
    const context = this.context.of(book, this.fair, this.terms, now);
    this.looked(context);
    this.context.asking();
    return context;
  }

  /** The strategy has answered; its intents were handed out. */
  answered(decision: Decision, now: Micros): void {
    const silentMs = this.context.answered();
    const wakeInMs = Math.min((decision.ok ? decision.wakeInMs : undefined) ?? Infinity, silentMs);
    const wakesAt = Math.min(now + Math.ceil(wakeInMs * 1_000), this.signalsDue ?? Infinity);
    this.wakesAt = wakesAt === Infinity ? null : (wakesAt as Micros);
    if (this.owner.instance.fault !== null) this.halt = STRATEGY_FAULT;
  }

  /** Offers the plan for what is wanted now. */
  finish(now: Micros): void {
    this.holds.tell(this.halt, this.restriction, now);
    this.replan(now);
    this.show();
  }

  /** A halt for want of values is told when it begins. */
  private tellHalt(now: Micros): void {
    const { notices, fairValues } = this.parts;
    const { halt, marketId } = this;
    if (halt === STALE) notices.warn(STALE, fairValues.staleText(marketId), marketId, now);
    else if (halt !== null && halt === this.signals.halt) {
      const text = `not quoted: ${halt}; it goes on when the signal has a value that is young enough`;
      notices.warn('signal-halt', text, marketId, now);
    }
  }

  /** Wakes the strategies of other outcomes if what they may look at here has changed. */
  private show(): void {
    const { mid, fair, net, isHalted } = this.shown;
    const shown = {
      mid: this.weightedMid,
      fair: this.fair?.p ?? null,
      net: this.parts.positions.net(this.marketId),
      isHalted: this.halt !== null,
    };
    if (mid === shown.mid && fair === shown.fair && net === shown.net && isHalted === shown.isHalted) return;
    this.shown = shown;
    this.setting.changed(this);
  }

  private decide(book: BookView, now: Micros): void {
    const decision = this.owner.instance.decide(this.asked(book, now));
    this.setting.decided(this, decision);
    this.answered(decision, now);
  }

  private get signalsDue(): Micros | null {
    const { dueMs } = this.signals;
    return dueMs === null ? null : (Math.ceil(dueMs * 1_000) as Micros);
  }

  /** See {@link QuotedMarket.wantedToTake}. */
  wantedToTake(side: Side, at: Micros): boolean {
    const { lastTake } = this;
    return lastTake !== null && lastTake.side === side && at - lastTake.at <= TAKE_HEARD_WITHIN;
  }

  /** Lets what the strategy wants to take count as no price of others: nothing steps back from it. */
  private openTouch(now: Micros): void {
    this.touch = touchOf(this.seen);
    const side = this.intent?.take;
    if (side === undefined) return;
    this.lastTake = { side, at: now };
    const { bid, ask } = this.touch;
    this.touch = side === 'bid' ? { bid, ask: null } : { bid: null, ask };
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
    this.openTouch(now);
    if (this.isAdopting(now)) return;
    gate.begin();
    const fair = this.fair === null ? null : nearestPrice(this.fair.p);
    const { working } = desk.orders.own(this.marketId);
    const restricted = this.restricted();
    const intent = restricted === null ? null : this.fitted(restricted, working);
    const routed = intent === null ? NOTHING : this.route(intent, fair, working);
    const { orders, unrouted } = routed;
    cashShares.planned(this.marketId, unrouted.some(lacksCash));
    const venueNow = mirror.venueClock.at(now);
    const desired = expiring(orders, expiryOf(expiryMs, venueNow));
    const pace = this.parts.paceOf(this.marketId);
    const pacedUntil = pace === null || pace.free(now) > 0 ? null : pace.nextAt(now);
    const market = { terms, free: funds.free(this.marketId), fair, now, venueNow, pacedUntil };
    const plan = reconcile(desired, working, market, policy);
    const renewal = now + nextRenewal(working, expiryMs, venueNow) - venueNow;
    const next = Math.min(plan.restsUntil ?? Infinity, renewal);
    this.restsUntil = next === Infinity ? null : (next as Micros);
    const approved = approvePlan(this.marketId, plan, gate);
    const { marketId, touch } = this;
    observer?.planned?.({ marketId, intent: this.intent, touch, desired, unrouted, plan, approved });
    desk.offer(approved);
  }

  /** What the guards leave of the intent; null while nothing is wanted. */
  private restricted(): QuoteIntent | null {
    const { intent, restriction, terms, marketId } = this;
    if (intent === null) return null;
    return restrict(intent, restriction, {
      tickUnits: terms.tickUnits,
      net: this.parts.positions.net(marketId),
    });
  }

  private fitted(intent: QuoteIntent, working: readonly OwnOrder[]): QuoteIntent {
    const standing: LadderRoom['standing'] = (side, price) => {
      const there = working.filter((order) => order.bookSide === side && order.longPrice === price);
      return there.reduce((sum, { remaining }) => sum + remaining, 0);
    };
    return this.setting.gate.fit(intent, standing, this.parts.options.quoting.refillShare);
  }

  private held(): { readonly long: Shares; readonly short: Shares } {
    const { positions } = this.parts;
    return { long: positions.held(this.marketId, 'long'), short: positions.held(this.marketId, 'short') };
  }

  private looked(context: ContextWithoutInstance): void {
    const { marketId, owner, halt } = this;
    this.parts.observer?.looked?.({ marketId, owner, context, halt });
  }

  /** Orders to be adopted stay untouched until the market can be judged. A market that does not trade is judged already. */
  private isAdopting(now: Micros): boolean {
    const { life, options, mirror } = this.parts;
    if (life.phase !== 'starting' || options.startOrders !== 'adopt') return false;
    const { state } = mirror.tradability(this.marketId, now);
    return state === 'tradable' || state === 'unknown';
  }

  private look(now: Micros): { readonly book: BookView; readonly freshness: Freshness } {
    const { desk, fairValues, positions, observer, mirror, options } = this.parts;
    const { marketId, seen } = this;
    const { tickUnits } = this.terms;
    const { graceMs } = options.quoting;
    const orders = desk.orders.own(marketId);
    const own = ownInBook(orders, { tickUnits, bookAt: mirror.bookAt(marketId), graceMs, now, seen });
    const foreign = mirror.look(marketId, own, now);
    const { freshness } = foreign;
    this.seen = foreignLevelsOf(foreign, tickUnits);
    const book = bookViewOf(this.seen, foreign);
    const { mid, weightedMid } = book;
    positions.portfolio.mark(marketId, mid === null ? null : mid * PRICE_ONE);
    this.mid = mid;
    this.weightedMid = weightedMid;
    this.touch = touchOf(this.seen);
    this.fair = fairValues.of(marketId, book, now);
    this.fairUntil = fairValues.expiresAt(marketId, now);
    this.signals.declare(this.owner.instance.signals);
    this.signals.look(() => ({
      nowMs: now / 1_000,
      book,
      fair: this.fair,
      msToClose: msToClose(mirror, marketId, now, options.closings.get(this.terms.eventId)),
    }));
    if (observer !== null) tellOfMarket(observer, marketId, this.seen, orders.working, now);
    return { book, freshness };
  }

  /** Lets the guards see the mid, and takes over what they leave of the quotes. */
  private restrict(now: Micros): void {
    const mid = this.mid === null ? null : this.mid * PRICE_ONE;
    const { restriction, changesAt } = this.parts.guards.heed(this.marketId, mid, now);
    this.restriction = restriction;
    this.restrictedUntil = changesAt;
  }

  private route(intent: QuoteIntent, fair: PriceUnits | null, working: readonly OwnOrder[]): Routed {
    const { funds, cashShares, options } = this.parts;
    const usable = funds.usableCash(this.marketId);
    const share = cashShares.of(this.marketId);
    // Orders that a smaller share of the cash no longer covers must go.
    const mustRelease = share !== null && share < funds.lockedIn(this.marketId);
    const { toleranceShares: missingShares, refillShare } = options.quoting;
    const standing = mustRelease ? null : { orders: working, missingShares, refillShare };
    const policy = { order: this.routeOrder, fair, standing, touch: this.touch };
    const cash = share === null ? usable : (Math.min(usable, share) as Money);
    const { long, short } = this.held();
    return route(intent, { cash, long, short }, this.terms, policy);
  }

  private get routeOrder(): RouteOrder {
    const { quoting, venue } = this.parts.options;
    return quoting.heldFirst || venue.legs === 'net' ? 'held-first' : 'collateral-first';
  }

  /** What the market would lock with unlimited cash. */
  cashClaims(): readonly CashClaim[] {
    const intent = this.halt === null ? this.restricted() : null;
    if (intent === null) return [];
    const { terms, touch } = this;
    const { working } = this.parts.desk.orders.own(this.marketId);
    const fair = this.fair === null ? null : nearestPrice(this.fair.p);
    return claimsOf({ intent, terms, touch, held: this.held(), order: this.routeOrder, fair, working });
  }

  /** The market has other terms: an intent in old ticks means nothing any more. */
  changeTerms(terms: MarketTerms, policy: ReconcilePolicy): void {
    this.terms = terms;
    this.policy = policy;
    this.intent = null;
  }
}

/** What strategies of other outcomes may see of a market. */
interface Shown {
  readonly mid: number | null;
  readonly fair: number | null;
  readonly net: number;
  readonly isHalted: boolean;
}

const lacksCash = ({ reason }: Unrouted): boolean => reason === 'cash';
