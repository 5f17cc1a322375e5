import type { Depth } from '../../analytics/series.js';
import type { Effect, EndEffect, SendEffect, WakeEffect } from '../../domain/effects.js';
import { InvariantError } from '../../domain/errors.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import type { Micros, Money } from '../../domain/units.js';
import type { OwnOrder } from '../execution/orders/own-order.js';
import type { Scenario } from '../portfolio/worst-case.js';
import type { Spending } from '../execution/sending/budget.js';
import { type StoppedInstance, stoppedOf } from '../strategy/fault.js';
import type { StrategyInstance } from '../strategy/instance.js';
import type { RiskState } from '../risk/index.js';
import type { KillReason } from '../risk/kill-switch.js';
import { assembleEngine, type EngineParts } from './parts.js';
import { Bookkeeping, watchLosses } from './accounting/bookkeeping.js';
import { Configuring } from './configuring.js';
import { DecisionChain } from './observing/decision-chain.js';
import { Departure, endText, WithdrawalNews } from './departure.js';
import { describeFinding } from './guarding/findings.js';
import { Intake } from './intake.js';
import type { EndedMarket } from './guarding/reversals.js';
import { PrivateSilence } from './guarding/connection.js';
import { depthOf, requestedOrders } from './observing/observation.js';
import { Operator } from './operator.js';
import { OrderReactions } from './accounting/order-reactions.js';
import type { EngineOptions, QuotingInstance } from './options.js';
import type { EngineObserver } from './observing/observer.js';
import { callsOf } from '../execution/sending/request-cost.js';
import { type LastLook, objectionTo } from './quoting/last-look.js';
import type { Quoter } from './quoting/quoter.js';
import { Quoters } from './quoting/quoters.js';
import { StartOrders } from './start-orders.js';
import { UnquotedMarkets } from './quoting/unquoted-markets.js';
import type { EngineView, MarketDetailView, MarketStateView } from './observing/view.js';
import { marketDetail, marketRow, viewOf } from './observing/view-of.js';

/**
 * The deterministic core: one stamped input in, effects out. It never awaits, reads no clock and draws only on the seeded
 * random. The same options and inputs give the same effects, byte for byte.
 */
export class Engine {
  private readonly parts: EngineParts;
  private readonly quoters: Quoters;
  private readonly reactions: OrderReactions;
  private readonly startOrders: StartOrders;
  private readonly unquoted: UnquotedMarkets;
  private readonly bookkeeping: Bookkeeping;
  private readonly departure: Departure;
  private readonly privateSilence: PrivateSilence;
  private readonly withdrawalNews: WithdrawalNews;
  private readonly intake: Intake;
  private readonly decisions: DecisionChain;
  private seq = 0;
  private now: Micros;
  private readonly wake = new Wake();

  /**
   * @param startedAt time of the first input at the earliest
   * @param observer  looks on; the decisions are the same with and without it
   */
  constructor(options: EngineOptions, startedAt: Micros, observer: EngineObserver | null = null) {
    const quoted = new Map<MarketId, Quoter>();
    this.now = startedAt;
    this.parts = assembleEngine(options, startedAt, quoted, observer);
    this.decisions = new DecisionChain(
      observer?.decided === undefined ? null : (line) => observer.decided?.(line),
    );
    this.quoters = new Quoters(this.parts, quoted);
    this.reactions = new OrderReactions(this.parts);
    this.startOrders = new StartOrders(this.parts, startedAt);
    this.unquoted = new UnquotedMarkets(this.parts);
    this.bookkeeping = new Bookkeeping(this.parts);
    this.departure = new Departure(this.parts);
    this.privateSilence = new PrivateSilence(this.parts);
    this.withdrawalNews = new WithdrawalNews(this.parts);
    const { parts, quoters, reactions, startOrders, bookkeeping, withdrawalNews } = this;
    const configuring = new Configuring(parts, quoters, this.unquoted);
    const operator = new Operator(parts, this.departure, configuring);
    this.intake = new Intake({
      parts,
      quoters,
      reactions,
      startOrders,
      bookkeeping,
      withdrawalNews,
      operator,
    });
  }

  /** An instance that the command `configure` may let join. */
  offer(instance: StrategyInstance): void {
    this.parts.standby.set(instance.name, instance);
  }

  /** Who quotes what now. */
  get instances(): readonly QuotingInstance[] {
    return this.parts.options.instances;
  }

  /** Last hash of the decision chain; equal chains mean equal decisions. */
  get decisionHash(): string {
    return this.decisions.hash;
  }

  /** Requests of the day's allowance that are left. */
  get requestsLeftToday(): number {
    return this.parts.desk.budget.leftToday;
  }

  /** What of the allowances was used, for the next run. */
  get spending(): Spending {
    return this.parts.desk.budget.spending;
  }

  /** Why and when the kill switch latched; null while quoting is allowed. */
  get killed(): KillReason | null {
    return this.parts.killSwitch.state;
  }

  /** Instances that a fault of their strategy stopped, and that no person has resumed. */
  get stopped(): readonly StoppedInstance[] {
    return stoppedOf(this.parts.options.instances.map(({ instance }) => instance));
  }

  /** What guards latched and a restart must not forget. */
  get riskState(): RiskState {
    const { guards, lossWatch } = this.parts;
    return { ...guards.riskState(this.now), losses: lossWatch.counting };
  }

  /** Markets that have ended, for the next run: what is taken back meanwhile has to be noticed. */
  get ended(): readonly EndedMarket[] {
    return this.parts.guards.reversals.ended;
  }

  /** A snapshot for screens, metrics and health. */
  view(): EngineView {
    return viewOf(this.parts, this.quoters, {
      seq: this.seq,
      now: this.now,
      decisions: this.decisions.count,
    });
  }

  /** One market as {@link view} shows it; null: none of the run's. */
  row(market: MarketId): MarketStateView | null {
    return marketRow(this.parts, this.quoters, market, this.now);
  }

  /** The same with its book, and where its fair value is from. */
  market(market: MarketId): MarketDetailView | null {
    return marketDetail(this.parts, this.quoters, market, this.now);
  }

  /** What the run has earned, marked at foreign mids. */
  get profit(): Money {
    return this.parts.positions.profit();
  }

  /** Every way in which an event can end, and what each brings. Between steps only. */
  scenarios(event: EventId): readonly Scenario[] {
    this.quoters.worstOf(event);
    return this.parts.positions.exposureOf(event).scenarios();
  }

  /** Orders of the account that are not over. */
  openOrders(): readonly OwnOrder[] {
    const { orders } = this.parts.desk;
    return [...orders.markets()].flatMap((market) => orders.own(market).working);
  }

  /** The last book of a market without our own shares, long-side prices; empty where none is known. */
  depth(market: MarketId): Depth {
    return depthOf(this.parts, market, this.now);
  }

  /**
   * Takes in one input and decides.
   * @returns what is to be done, in this order
   * @throws InvariantError when something that cannot be, was: the caller stops everything
   */
  step(stamped: Stamped): readonly Effect[] {
    const { at } = stamped;
    this.take(stamped);
    this.quoters.quote(this.observed(at), at);
    this.quoters.quote(this.quoters.takeWoken(), at);
    this.settle(at);
    const decided = this.pack(at);
    this.record(decided, at);
    const leaving = this.lastLook(decided, at);
    this.quoters.tellExposed(at);
    const effects = [...leaving, ...this.others(at)];
    this.parts.observer?.did?.(effects);
    return effects;
  }

  /**
   * Takes in an input that belongs to one observation with the next input. What follows from it is decided in the
   * {@link step} of the last one.
   * @throws InvariantError as a step
   */
  take(stamped: Stamped): void {
    const { seq, at } = stamped;
    if (seq <= this.seq) throw new InvariantError(`input ${seq} came after ${this.seq}`);
    this.seq = seq;
    this.now = at;
    this.parts.observer?.took?.(stamped);
    this.intake.take(stamped);
  }

  /** Markets to look at again, each once: touched by the inputs taken in, or by time. */
  private observed(now: Micros): readonly Quoter[] {
    const { mirror, life } = this.parts;
    this.quoters.touch(mirror.drainDirty());
    for (const finding of mirror.drainFindings()) {
      if (finding.kind === 'grid-learned') this.intake.gridLearned(finding, now);
      else describeFinding(finding, this.parts, now);
    }
    if (life.phase === 'starting' && this.startOrders.areSettled(now)) {
      life.run();
      this.quoters.touchAll();
    }
    this.quoters.touch(this.quoters.due(now));
    return this.quoters.takeTouched(now);
  }

  /** What follows for the run as a whole: streams, shares of the cash, losses, the way out, reads and alarms. */
  private settle(now: Micros): void {
    const { quoters, departure, parts } = this;
    quoters.replanEmitted(now);
    quoters.advance(now);
    quoters.reshare(now);
    watchLosses(parts, now);
    if (departure.enforceKill(now)) {
      quoters.touchAll();
      quoters.quote(quoters.takeTouched(now), now);
      quoters.replanEmitted(now);
    }
    quoters.giveWay(now);
    this.unquoted.review(now);
    departure.review(now);
    this.withdrawalNews.review(now);
    this.bookkeeping.review(now);
    parts.alarms.paced(parts.paces.all, now);
    parts.alarms.review(() => mayStand(parts), now);
  }

  /** The requests that leave now, as far as the budget goes. */
  private pack(now: Micros): readonly SendEffect[] {
    const { mirror, desk, life } = this.parts;
    if (life.phase !== 'stopping')
      for (const read of mirror.needs(now, () => desk.scheduler.booksWanted(now)))
        desk.scheduler.read(read, mirror.isBeginning(read));
    return desk.due(now);
  }

  /** Records the requests as decided: from now on their orders count as under way. */
  private record(decided: readonly SendEffect[], now: Micros): void {
    if (decided.length === 0) return;
    const { mirror, desk, tally, observer, options } = this.parts;
    desk.sent(decided, now);
    for (const { requestId, request } of decided) {
      mirror.issued(requestId, request);
      this.quoters.left(request);
      tally.sent(request);
      if (observer?.requested === undefined) continue;
      const orders = requestedOrders(request, desk.orders);
      observer.requested(requestId, request.kind, callsOf(request, options.venue.calls), now, orders);
    }
    this.decisions.append(this.seq, decided);
  }

  /** @returns what may leave; what may not is answered at once, and its markets are looked at again in the next step */
  private lastLook(decided: readonly SendEffect[], now: Micros): readonly SendEffect[] {
    if (decided.length === 0) return decided;
    const { conditions } = this;
    return decided.filter((effect) => {
      const objection = objectionTo(effect, conditions);
      if (objection !== null) this.intake.withheld(effect.requestId, objection, now);
      return objection === null;
    });
  }

  private get conditions(): LastLook {
    const { desk, quoted, terms, funds, life, killSwitch } = this.parts;
    return {
      isQuoting: life.phase === 'running' && killSwitch.state === null,
      quoted,
      terms,
      replacedBy: (requestId) => desk.orders.replacedBy(requestId),
      areOversold: (market, position) => funds.areOversold(market, position),
    };
  }

  /** Everything but requests: a new connection, notices, the end of the run or the next wake. */
  private others(now: Micros): readonly Effect[] {
    const reconnect = this.privateSilence.review(now);
    const end = this.end(now);
    const notices = this.parts.notices.drain();
    const last = end ?? this.wake.askFor(this.nextDue(now), now);
    return [...(reconnect === null ? [] : [reconnect]), ...notices, ...(last === null ? [] : [last])];
  }

  private end(now: Micros): EndEffect | null {
    const { life } = this.parts;
    const { keysRefused } = this.reactions;
    const isLockedOut = keysRefused !== null && life.phase === 'starting';
    const outcome = isLockedOut ? 'keys-refused' : this.departure.end(now);
    if (outcome === null) return null;
    life.end();
    return { kind: 'end', outcome, text: endText(outcome, keysRefused, this.parts.desk.orders.doubted) };
  }

  /** When time alone may bring something; infinite when it cannot. */
  private nextDue(now: Micros): number {
    const { mirror, desk, alarms } = this.parts;
    if (this.quoters.areTouched) return now;
    return Math.min(
      mirror.nextDue() ?? Infinity,
      desk.nextDue(now) ?? Infinity,
      this.quoters.nextDue() ?? Infinity,
      this.bookkeeping.nextDue() ?? Infinity,
      this.departure.nextDue() ?? Infinity,
      this.startOrders.nextDue() ?? Infinity,
      this.privateSilence.nextDue() ?? Infinity,
      alarms.nextDue(now) ?? Infinity,
    );
  }
}

/** Whether an order of ours may stand at the venue. */
const mayStand = ({ desk }: EngineParts): boolean =>
  [...desk.orders.markets()].some((market) =>
    desk.orders.own(market).working.some(({ ownership }) => ownership === 'ours'),
  );

/** A date that is already past is looked at again after this long: nothing may spin. In microseconds. */
const SOONEST_WAKE = 1_000;

/** The one wake asked for. Each step looks at everything, so a later wake takes the place of an earlier one. */
class Wake {
  private at: Micros | null = null;

  /** @param next when something is due; infinite for never @returns null when no wake is needed */
  askFor(next: number, now: Micros): WakeEffect | null {
    if (this.at !== null && this.at <= now) this.at = null;
    if (next === Infinity) return null;
    const at = Math.max(next, now + SOONEST_WAKE) as Micros;
    if (at === this.at) return null;
    this.at = at;
    return { kind: 'wake', at };
  }
}
