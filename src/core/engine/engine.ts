import type { Depth } from '../../analytics/series.js';
import type { Effect, EndEffect, SendEffect } from '../../domain/effects.js';
import { InvariantError } from '../../domain/errors.js';
import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import type { MissedOrders } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { Spending } from '../execution/sending/budget.js';
import { stoppedOf } from '../strategy/instance.js';
import type { StoppedInstance } from '../strategy/fault.js';
import type { Cautions } from '../risk/index.js';
import type { KillReason } from '../risk/kill-switch.js';
import { assembleEngine, type EngineParts } from './parts.js';
import { Bookkeeping, watchLosses } from './accounting/bookkeeping.js';
import { DecisionChain } from './observing/decision-chain.js';
import { Departure, endText, WithdrawalNews } from './departure.js';
import { describeFinding } from './guarding/findings.js';
import { Intake } from './intake.js';
import type { EndedMarket } from './guarding/reversals.js';
import { PrivateSilence } from './guarding/connection.js';
import { depthOf, requestedOrders } from './observing/observation.js';
import { Operator } from './operator.js';
import { OrderReactions } from './accounting/order-reactions.js';
import type { EngineOptions } from './options.js';
import type { EngineObserver } from './observing/observer.js';
import { requestsOf } from '../execution/sending/request-cost.js';
import { type LastLook, objectionTo } from './quoting/last-look.js';
import type { Quoter } from './quoting/quoter.js';
import { Quoters } from './quoting/quoters.js';
import { StartOrders } from './start-orders.js';
import { UnquotedMarkets } from './quoting/unquoted-markets.js';
import type { EngineView } from './observing/view.js';
import { viewOf } from './observing/view-of.js';
import { Wake } from './wake.js';

/**
 * The deterministic heart: one stamped input in, effects out. It never awaits, reads no clock and draws no chance but
 * the seeded one; the same options and inputs give the same effects, byte for byte.
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
    const operator = new Operator(parts, this.departure);
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

  /** Last hash of the decision chain; equal chains mean equal decisions. */
  get decisionHash(): string {
    return this.decisions.hash;
  }

  /** Events with a market that is disabled now. */
  eventsWithDisabled(): readonly EventId[] {
    const disabled = this.parts.mirror.markets.filter((market) => market.disabled);
    return [...new Set(disabled.map(({ event }) => event.id))];
  }

  /** Orders known now that a listing has missed: where their ends are to be looked for. */
  missedBy(shown: ReadonlySet<OrderId>, begunAt: Micros): MissedOrders | null {
    return this.parts.desk.missedBy(shown, begunAt);
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
  get cautions(): Cautions {
    const { guards, lossWatch } = this.parts;
    return { ...guards.cautions(this.now), losses: lossWatch.counting };
  }

  /** Markets that have ended, for the next run: what is taken back meanwhile has to be noticed. */
  get ended(): readonly EndedMarket[] {
    return this.parts.guards.reversals.ended;
  }

  /** A snapshot for screens, metrics and health; not for the hot path. */
  view(): EngineView {
    return viewOf(this.parts, this.quoters, {
      seq: this.seq,
      now: this.now,
      decisions: this.decisions.count,
    });
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
    this.take(stamped);
    const { at } = stamped;
    this.look(at);
    this.settle(at);
    const effects = this.effects(at);
    this.parts.observer?.did?.(effects);
    return effects;
  }

  /**
   * Takes in an input that belongs to one observation with the next: what follows from it is decided in the
   * {@link step} of the last.
   * @throws InvariantError as a step
   */
  take(stamped: Stamped): void {
    if (stamped.seq <= this.seq) throw new InvariantError(`input ${stamped.seq} came after ${this.seq}`);
    const { seq, at } = stamped;
    this.seq = seq;
    this.now = at;
    this.parts.observer?.took?.(stamped);
    this.intake.take(stamped);
  }

  private touch(markets: readonly MarketId[]): void {
    for (const market of markets) this.quoters.touch(market);
  }

  /** Looks at the markets that the input touched once everybody has taken it in. */
  private look(now: Micros): void {
    const { mirror } = this.parts;
    this.touch(mirror.drainDirty());
    for (const finding of mirror.drainFindings()) describeFinding(finding, this.parts, now);
    this.begin(now);
    this.touch(this.quoters.due(now));
    this.quoters.requote(now);
  }

  private settle(now: Micros): void {
    const { alarms } = this.parts;
    this.quoters.advance(now);
    this.quoters.reshare(now);
    watchLosses(this.parts, now);
    if (this.departure.enforceKill(now)) {
      this.quoters.touchAll();
      this.quoters.requote(now);
    }
    this.quoters.giveWay(now);
    this.unquoted.review(now);
    this.departure.review(now);
    this.withdrawalNews.review(now);
    this.bookkeeping.review(now);
    alarms.review(() => isQuoted(this.parts), now);
  }

  private begin(now: Micros): void {
    const { life } = this.parts;
    if (life.phase !== 'starting' || !this.startOrders.areSettled(now)) return;
    life.run();
    this.quoters.touchAll();
  }

  private effects(now: Micros): readonly Effect[] {
    const decided = this.pack(now);
    this.book(decided, now);
    const effects: Effect[] = [...this.lastLook(decided, now)];
    const reconnect = this.privateSilence.review(now);
    if (reconnect !== null) effects.push(reconnect);
    const end = this.end(now);
    for (const notice of this.parts.notices.drain()) effects.push(notice);
    if (end !== null) effects.push(end);
    else {
      const wake = this.wake.askFor(this.nextDue(now), now);
      if (wake !== null) effects.push(wake);
    }
    return effects;
  }

  private pack(now: Micros): readonly SendEffect[] {
    const { mirror, desk, life } = this.parts;
    if (life.phase !== 'stopping') for (const read of mirror.needs(now)) desk.scheduler.read(read);
    return desk.due(now);
  }

  /** These are decided: their orders count as under way from now on. */
  private book(decided: readonly SendEffect[], now: Micros): void {
    if (decided.length === 0) return;
    const { mirror, desk, tally, observer } = this.parts;
    desk.sent(decided, now);
    for (const { requestId, request } of decided) {
      mirror.issued(requestId, request);
      this.quoters.left(request);
      tally.sent(request, now);
      const tell = observer?.requested?.bind(observer);
      tell?.(requestId, request.kind, requestsOf(request), now, requestedOrders(request, desk.orders));
    }
    this.decisions.append(this.seq, decided);
  }

  /** @returns what may leave; what may not is answered at once, and its markets are looked at again in the next step */
  private lastLook(decided: readonly SendEffect[], now: Micros): readonly SendEffect[] {
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

/** Whether anything of ours may stand at the venue. */
const isQuoted = ({ desk }: EngineParts): boolean =>
  [...desk.orders.markets()].some((market) =>
    desk.orders.own(market).working.some(({ ownership }) => ownership === 'ours'),
  );
