/** One market that an instance quotes: from the mirror's book to an approved plan. */
import type { Fill } from '../../../domain/fill.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { SignalUpdate, TradeInput } from '../../../domain/inputs.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import { type Micros, PRICE_ONE } from '../../../domain/units.js';
import { MarketContext, type QuoterParts } from './market-context.js';
import { Planner } from './planner.js';
import { UNRESTRICTED, type Restriction } from '../../risk/quote-restriction.js';
import type { RouteOrder } from '../../execution/planning/legs.js';
import type { CashClaim } from '../../execution/planning/rationing.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { ReconcilePolicy } from '../../execution/planning/reconcile.js';
import type { Touch } from '../../execution/planning/touch.js';
import type { Freshness } from '../../mirror/books/freshness.js';
import type { Random } from '../../ports/random.js';
import type { BookView, FairValue } from '../../strategy/contract.js';
import type { Decision } from '../../strategy/instance.js';
import type { ContextWithoutInstance } from '../../strategy/context.js';
import { MarketSignals, type StandingSignal } from '../../strategy/signals/market-signals.js';
import { bookViewOf, type ForeignLevels, touchOf, UNSEEN_BOOK, ownInBook } from './book-view.js';
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
  private readonly planner: Planner;
  private readonly holds: ToldHolds;
  private readonly signals: MarketSignals;
  private readonly context: MarketContext;
  /** Levels of others at the last look. */
  private seen: ForeignLevels = UNSEEN_BOOK;
  terms: MarketTerms;
  policy: ReconcilePolicy;

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
    this.planner = new Planner(this, setting.gate, parts);
  }

  get marketId(): MarketId {
    return this.terms.marketId;
  }

  /** See {@link Planner.restsUntil}. */
  get restsUntil(): Micros | null {
    return this.planner.restsUntil;
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

  /** The limits of its instance are others from now on. */
  changeLimits(): void {
    const { gate, outlook, owner } = this.setting;
    gate.limit(owner.limits);
    outlook.limit(owner.limits);
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
    const decision = this.owner.instance.decide(this.asked(book, now), now / 1_000);
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
    if (this.halt !== null) this.intent = null;
    this.openTouch(now);
    if (!this.isAdopting(now)) this.planner.plan(now);
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
    const { graceMs } = options.quoting;
    const orders = desk.orders.own(marketId);
    const own = ownInBook(orders, { bookAt: mirror.bookAt(marketId), graceMs, now, seen });
    const foreign = mirror.look(marketId, own, now);
    const { freshness } = foreign;
    this.seen = foreign;
    const book = bookViewOf(foreign);
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

  cashClaims(order?: RouteOrder): readonly CashClaim[] {
    return this.planner.cashClaims(order);
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
