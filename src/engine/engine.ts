import type { Depth } from '../analytics/executable.js';
import type { Effect, EndEffect, SendEffect } from '../domain/effects.js';
import { InvariantError } from '../domain/errors.js';
import type { EventId, MarketId, OrderId } from '../domain/ids.js';
import type { Stamped } from '../domain/inputs.js';
import type { MissedOrders } from '../domain/orders.js';
import type { Micros } from '../domain/units.js';
import type { Spending } from '../execution/sending/budget.js';
import type { Cautions } from '../risk/index.js';
import type { KillReason } from '../risk/kill-switch.js';
import { assembleEngine } from './assembly.js';
import { Bookkeeping } from './accounting/bookkeeping.js';
import { isCalm } from './quoting/calm.js';
import { DecisionChain } from './observing/decision-chain.js';
import { Departure, endText } from './departure.js';
import { describeFinding } from './guarding/findings.js';
import { Intake } from './intake.js';
import type { EndedMarket } from './guarding/reversals.js';
import { PrivateSilence } from './guarding/private-silence.js';
import { watchLosses } from './accounting/losses.js';
import { objectionTo, surelyLets } from './quoting/last-word.js';
import { depthOf } from './observing/observation.js';
import { requestedOrders } from './observing/requested-orders.js';
import { Operator } from './operator.js';
import { OrderReactions } from './accounting/order-reactions.js';
import type { EngineOptions } from './options.js';
import type { EngineObserver } from './observing/observer.js';
import type { EngineParts } from './parts.js';
import type { Quoter } from './quoting/quoter.js';
import { Quoters } from './quoting/quoters.js';
import { StartOrders } from './start-orders.js';
import { UnquotedMarkets } from './quoting/unquoted-markets.js';
import type { EngineView } from './observing/view.js';
import { viewOf } from './observing/view-of.js';
import { Wake } from './wake.js';

/** Lets a request leave. */
type Leave = (send: SendEffect) => void;

const NO_EFFECTS: readonly Effect[] = Object.freeze([]);
const NO_SENDS: readonly SendEffect[] = Object.freeze([]);

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
  private readonly intake: Intake;
  private readonly decisions: DecisionChain;
  private seq = 0;
  private now: Micros;
  private readonly wake = new Wake();
  /** Requests that leave now, before it is written down what follows from that. */
  private leaving = NO_SENDS;
  /** Time alone brings nothing before; as of the last step, if nothing followed from it. */
  private steadyUntil = 0;

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
    const { parts, quoters, reactions, startOrders, bookkeeping } = this;
    const operator = new Operator(parts, this.departure);
    this.intake = new Intake({ parts, quoters, reactions, startOrders, bookkeeping, operator });
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

  /** Asked when the first byte of a request, or of a further page of it, is about to leave. @returns why it must not, or null */
  objectionTo(effect: SendEffect): string | null {
    if (this.leaving.length > 0) {
      if (this.leaving.includes(effect) && surelyLets(effect, this.parts, this.now)) return null;
      this.writeDown();
    }
    return objectionTo(effect, this.parts, this.now);
  }

  /**
   * Takes in one input and decides.
   * @param leave is called with every request that leaves now, before what else is to be done is thought about
   * @returns what is still to be done, in order
   * @throws InvariantError when something that cannot be, was: the caller stops everything
   */
  step(stamped: Stamped, leave: Leave | null = null): readonly Effect[] {
    this.take(stamped);
    const { at } = stamped;
    this.look();
    const next = this.nextOfCalm(at);
    const endsHere = this.endsHere(at, next);
    this.steadyUntil = endsHere ? next : 0;
    const effects = endsHere ? this.wakes(next) : this.follow(leave);
    this.parts.observer?.did?.(effects);
    return leave === null || endsHere ? effects : effects.filter(({ kind }) => kind !== 'send');
  }

  /**
   * Takes in an input that belongs to one observation with the next: what follows from it is decided in the
   * {@link step} of the last.
   * @throws InvariantError as a step
   */
  take(stamped: Stamped): void {
    if (stamped.seq <= this.seq) throw new InvariantError(`input ${stamped.seq} came after ${this.seq}`);
    const { seq, at, input } = stamped;
    this.seq = seq;
    this.now = at;
    this.parts.observer?.took?.(stamped);
    if (input.kind === 'book-update') this.intake.book(input, at);
    else this.takeIn(stamped);
  }

  /**
   * Most inputs move no quote and bring nothing else to do. What would follow is not run through then: it would find
   * no date that has come and nothing that waits.
   * @param next when time alone may bring something; now, where something is to be done that no date brings
   */
  protected endsHere(at: Micros, next: number): boolean {
    if (next <= at) return false;
    watchLosses(this.parts, at);
    return this.parts.killSwitch.state === null;
  }

  /**
   * When time alone may bring something; now, where something is to be done that no date brings. Most dates of the mirror
   * are comparisons that books since have put off: it looks at them first, and mostly nothing comes of it.
   */
  private nextOfCalm(at: Micros): number {
    const { mirror } = this.parts;
    if (!isCalm(this.parts, this.unquoted) || this.parts.desk.scheduler.isOffered) return at;
    const next = this.nextDue();
    if (next > at || (mirror.nextDue() ?? Infinity) > at) return next;
    mirror.beat(at);
    this.quoters.unsettle();
    return mirror.isIdle ? this.nextDue() : at;
  }

  /** What is left to do of a step that ends early. */
  private wakes(next: number): readonly Effect[] {
    const wake = this.wake.askFor(next, this.now);
    return wake === null ? NO_EFFECTS : [wake];
  }

  /** What a book leads to leaves before it is written down as a decision; everything else can wait for that. */
  private takeIn(stamped: Stamped): void {
    this.quoters.unsettle();
    this.decisions.catchUp();
    this.intake.take(stamped);
  }

  private touch(markets: readonly MarketId[]): void {
    for (const market of markets) this.quoters.touch(market);
  }

  /** Looks at the markets that the input touched once everybody has taken it in. */
  private look(): void {
    const { mirror } = this.parts;
    this.touch(mirror.drainDirty());
    for (const finding of mirror.drainFindings()) describeFinding(finding, this.parts, this.now);
    this.begin();
    this.touch(this.quoters.due(this.now));
    this.quote();
  }

  /** What follows from the looks, and what time alone has brought. */
  private follow(leave: Leave | null): readonly Effect[] {
    this.settle();
    const effects = this.effects(leave);
    this.quoters.unsettle();
    return effects;
  }

  private settle(): void {
    const { alarms } = this.parts;
    this.quoters.advance(this.now);
    this.quoters.reshare(this.now);
    watchLosses(this.parts, this.now);
    if (this.departure.enforceKill(this.now)) {
      this.quoters.touchAll();
      this.quote();
    }
    this.unquoted.review(this.now);
    this.departure.review(this.now);
    this.bookkeeping.review(this.now);
    alarms.review(() => isQuoted(this.parts), this.now);
  }

  private begin(): void {
    const { life } = this.parts;
    if (life.phase !== 'starting' || !this.startOrders.areSettled(this.now)) return;
    life.run();
    this.quoters.touchAll();
  }

  private quote(): void {
    this.quoters.requote(this.now, this.now < this.steadyUntil);
  }

  private effects(leave: Leave | null): readonly Effect[] {
    const sends = this.sends();
    if (sends.length > 0) this.send(sends, leave);
    const effects: Effect[] = [...sends];
    const reconnect = this.privateSilence.review(this.now);
    if (reconnect !== null) effects.push(reconnect);
    const end = this.end();
    for (const notice of this.parts.notices.drain()) effects.push(notice);
    if (end !== null) effects.push(end);
    else effects.push(...this.wakes(this.nextDue()));
    return effects;
  }

  private sends(): readonly SendEffect[] {
    const { mirror, desk, life } = this.parts;
    if (life.phase !== 'stopping') for (const read of mirror.needs(this.now)) desk.scheduler.read(read);
    return desk.due(this.now);
  }

  /** Lets requests leave, and then writes down that they have: their bytes should not wait for that. */
  private send(sends: readonly SendEffect[], leave: Leave | null): void {
    this.leaving = sends;
    try {
      if (leave !== null) for (let at = 0; at < sends.length; at++) leave(sends[at]!);
    } finally {
      this.writeDown();
    }
  }

  /** What follows from requests that leave: once, and before anybody asks for something that depends on it. */
  private writeDown(): void {
    const sends = this.leaving;
    if (sends.length === 0) return;
    this.leaving = NO_SENDS;
    const { mirror, desk, tally, cashUnderWay, observer } = this.parts;
    desk.sent(sends, this.now);
    for (const effect of sends) {
      mirror.issued(effect.requestId, effect.request);
      this.quoters.left(effect.request);
      tally.sent(effect, this.now);
      observer?.requested?.(effect.request.kind, this.now, requestedOrders(effect.request, desk.orders));
    }
    cashUnderWay.decided(sends);
    this.decisions.append(this.seq, sends);
  }

  private end(): EndEffect | null {
    const { life } = this.parts;
    const { keysRefused } = this.reactions;
    const isLockedOut = keysRefused !== null && life.phase === 'starting';
    const outcome = isLockedOut ? 'keys-refused' : this.departure.end(this.now);
    if (outcome === null) return null;
    life.end();
    return { kind: 'end', outcome, text: endText(outcome, keysRefused) };
  }

  /** When time alone may bring something; infinite when it cannot. */
  private nextDue(): number {
    const { mirror, desk, alarms } = this.parts;
    return Math.min(
      mirror.nextDue() ?? Infinity,
      desk.nextDue(this.now) ?? Infinity,
      this.quoters.nextDue() ?? Infinity,
      this.bookkeeping.nextDue() ?? Infinity,
      this.departure.nextDue() ?? Infinity,
      this.startOrders.nextDue() ?? Infinity,
      this.privateSilence.nextDue() ?? Infinity,
      alarms.nextDue(this.now) ?? Infinity,
    );
  }
}

/** Whether anything of ours may stand at the venue. */
const isQuoted = ({ desk }: EngineParts): boolean =>
  [...desk.orders.markets()].some((market) =>
    desk.orders.own(market).working.some(({ ownership }) => ownership === 'ours'),
  );
