import type { VenueRequest } from '../../../domain/effects.js';
import type { Fill } from '../../../domain/fill.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { SignalUpdate, TradeInput } from '../../../domain/inputs.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { ReconcilePolicy } from '../../execution/planning/reconcile.js';
import { Agenda } from '../../mirror/agenda.js';
import { stoppedText, type StrategyFault } from '../../strategy/fault.js';
import type { Decision } from '../../strategy/instance.js';
import { type EventQuoter, EventQuoters } from './event-quoter.js';
import { Exposure, type ExposureParts } from './exposure.js';
import { type GateParts, MarketGate } from './gate.js';
import { Outlook } from './outlook.js';
import { isFeedNews, STRATEGY_FAULT } from './quoted-market.js';
import type { QuotingInstance } from '../options.js';
import { Quoter } from './quoter.js';
import type { QuoterParts } from './market-context.js';

/** What this part of the engine works with. */
export interface QuotersParts extends QuoterParts, GateParts, ExposureParts {}

/** All quoted markets, in the order of the configuration. */
export class Quoters {
  private readonly exposure: Exposure;
  /** Markets that an emission of the present step changed besides the one it was asked for. */
  private readonly emitted = new Set<MarketId>();
  private inOrder: readonly Quoter[] = [];
  /** Instances that time alone may move: functions say nothing unless they are asked. */
  private streams: readonly QuotingInstance[] = [];
  /** Quoters to look again. */
  private readonly dirty = new Set<Quoter>();
  /** Quoters whose strategy looks at an outcome that changed in this step. */
  private readonly woken = new Set<Quoter>();
  /** By place in {@link agenda}; null where a market was left. */
  private readonly places: (Quoter | null)[] = [];
  private readonly agenda = new Agenda();
  private readonly events: EventQuoters;
  private wasSilent = false;

  /** @param byMarket to be filled; empty */
  constructor(
    private readonly parts: QuotersParts,
    private readonly byMarket: Map<MarketId, Quoter>,
  ) {
    this.exposure = new Exposure(parts);
    this.events = new EventQuoters(parts, this.decidedOfEvent);
    this.arrange();
  }

  /** Markets, limits and instances as the options say by now. @returns markets that nobody quotes any more, and new ones */
  arrange(): { readonly left: readonly MarketId[]; readonly joined: readonly MarketId[] } {
    const { instances } = this.parts.options;
    const owners = new Map(
      instances.flatMap((owner) => owner.markets.map((market) => [market, owner] as const)),
    );
    const before = new Set(this.byMarket.keys());
    for (const quoter of this.byMarket.values())
      if (owners.get(quoter.marketId) === quoter.owner) quoter.changeLimits();
      else this.close(quoter);
    for (const [market, owner] of owners) if (!this.byMarket.has(market)) this.open(market, owner);
    this.inOrder = [...this.byMarket.values()];
    this.streams = instances.filter(({ instance }) => !('quote' in instance.strategy));
    this.events.arrange((market) => this.byMarket.get(market)!);
    return {
      left: [...before].filter((market) => !this.byMarket.has(market)),
      joined: [...this.byMarket.keys()].filter((market) => !before.has(market)),
    };
  }

  /** What orders in these markets may cost is to be added up anew. */
  exposedAnew(markets: readonly MarketId[]): void {
    for (const market of markets) this.exposure.changedIn(market);
  }

  private close(quoter: Quoter): void {
    const { marketId } = quoter;
    this.byMarket.delete(marketId);
    this.places[this.places.indexOf(quoter)] = null;
    this.dirty.delete(quoter);
    this.woken.delete(quoter);
    this.emitted.delete(marketId);
    this.exposure.promised.forget(marketId);
    this.exposure.awaited.forget(marketId);
    this.parts.cashShares.planned(marketId, false);
  }

  all(): IterableIterator<Quoter> {
    return this.byMarket.values();
  }

  get(market: MarketId): Quoter | undefined {
    return this.byMarket.get(market);
  }

  /** These markets are to be looked at again; those that nobody quotes are left out. */
  touch(markets: readonly MarketId[]): void {
    for (const market of markets) {
      const quoter = this.byMarket.get(market);
      if (quoter !== undefined) this.dirty.add(quoter);
    }
  }

  /** Own shares were traded. */
  filled(fill: Fill, at: Micros): void {
    if (fill.currency === this.parts.positions.currency) this.byMarket.get(fill.marketId)?.filled(fill, at);
  }

  /** The venue told of a trade. Its market is looked at when the book that it changed comes. */
  printed(trade: TradeInput, at: Micros): void {
    if (trade.mode !== this.parts.options.terms.mode) return;
    this.byMarket.get(trade.marketId)?.printed(trade, at);
  }

  /** A source outside the venue told of a named number. */
  told(signal: SignalUpdate): void {
    this.byMarket.get(signal.marketId)?.told(signal);
    this.touch([signal.marketId]);
  }

  touchAll(): void {
    for (const quoter of this.inOrder) this.dirty.add(quoter);
  }

  /** Whether a market is to be looked at again. */
  get areTouched(): boolean {
    return this.dirty.size > 0 || this.woken.size > 0;
  }

  /** Takes out the markets to look at again, in the order in which they were touched. */
  takeTouched(now: Micros): readonly Quoter[] {
    this.exposure.now = now;
    if (this.dirty.size === 0) return NO_QUOTERS;
    const touched = [...this.dirty];
    this.dirty.clear();
    return touched;
  }

  /** Quotes these markets; an event strategy is asked once for all outcomes of an event. */
  quote(quoters: readonly Quoter[], now: Micros): void {
    const asked: EventQuoter[] = [];
    for (const quoter of quoters) {
      const event = this.events.of(quoter.marketId);
      if (event === undefined) quoter.quote(now);
      else if (!asked.includes(event)) {
        asked.push(event);
        event.quote(now);
      }
    }
  }

  /** The worst case of an event, every open or leaving order filled that costs. Between steps only. */
  worstOf(event: EventId): Money {
    this.exposure.tellChanged();
    return this.parts.positions.exposureOf(event).worst();
  }

  /** Tells who looks on what events may cost by now, where it changed in this step. */
  tellExposed(now: Micros): void {
    const { observer, mirror } = this.parts;
    if (observer?.exposed === undefined) return;
    const events = new Set(this.exposure.takeTold().map((market) => mirror.market(market).event.id));
    for (const event of events) observer.exposed(event, now, this.worstOf(event));
  }

  /** Takes out the outcomes whose strategies look at what changed in this step. */
  takeWoken(): readonly Quoter[] {
    if (this.woken.size === 0) return NO_QUOTERS;
    const woken = [...this.woken];
    this.woken.clear();
    return woken;
  }

  /** A request left: its orders are working from now on. */
  left(request: VenueRequest): void {
    this.exposure.promised.left(request);
  }

  /** Shares the cash out anew where it does not suffice for all. */
  reshare(now: Micros): void {
    this.exposure.now = now;
    for (const market of this.parts.cashShares.review(this.inOrder, now))
      this.byMarket.get(market)?.replan(now);
  }

  /**
   * Plans anew what waits in a market where an exit was allowed since elsewhere in its event, so that the two would lose whatever
   * happens: an order that has not left is judged by the quotes of now.
   */
  giveWay(now: Micros): void {
    const outbid = this.exposure.outbid();
    if (outbid.length === 0) return;
    for (const market of outbid) this.byMarket.get(market)?.replan(now);
    // Exits among them passed before, and have been heeded.
    this.exposure.outbid();
  }

  /** The rules of a market have changed: what was wanted by the old ones is wanted no more. */
  changeTerms(market: MarketId): void {
    const terms = this.parts.terms.get(market);
    if (terms === undefined) return;
    this.exposure.changedIn(market);
    this.byMarket.get(market)?.changeTerms(terms, this.policyOf(terms));
  }

  /** Lets time pass for stream strategies. */
  advance(now: Micros): void {
    this.exposure.now = now;
    for (const owner of this.streams) this.take(owner, owner.instance.advance(now / 1_000), now);
    this.replanEmitted(now);
  }

  /** When time alone can change what is quoted; null when it cannot. */
  nextDue(): Micros | null {
    const { nextDue } = this.parts.cashShares;
    let next: number = Math.min(this.agenda.next ?? Infinity, nextDue ?? Infinity);
    for (const { instance } of this.streams) {
      const due = instance.nextDueMs();
      if (due !== null) next = Math.min(next, Math.ceil(due * 1_000));
    }
    return next === Infinity ? null : (next as Micros);
  }

  /**
   * Markets that are to be looked at because their time has come, other quotes of their event stepped back, or the private
   * channel fell silent or spoke again.
   */
  due(now: Micros): readonly MarketId[] {
    const news = joined(this.feedNews(now), this.exposure.released());
    if (this.agenda.next === null || this.agenda.next > now) return news;
    const due = [...news];
    for (let at = this.agenda.take(now); at !== null; at = this.agenda.take(now)) {
      const quoter = this.places[at] ?? null;
      if (quoter === null) continue;
      if (isDue(quoter, now)) due.push(quoter.marketId);
      else this.plan(quoter, at);
    }
    return due;
  }

  private feedNews(now: Micros): readonly MarketId[] {
    const isSilent = this.parts.desk.isPrivateFeedSilent(now);
    if (isSilent === this.wasSilent) return NO_MARKETS;
    this.wasSilent = isSilent;
    return this.inOrder
      .filter((quoter) => isFeedNews(this.parts, quoter, now))
      .map(({ marketId }) => marketId);
  }

  /** When to look at the market again though nothing comes in. */
  private plan(quoter: Quoter, at: number): void {
    if (quoter.restsUntil !== null) this.agenda.plan(at, quoter.restsUntil);
    if (quoter.restrictedUntil !== null) this.agenda.plan(at, quoter.restrictedUntil);
    if (quoter.refusedUntil !== null) this.agenda.plan(at, quoter.refusedUntil);
    if (quoter.wakesAt !== null) this.agenda.plan(at, quoter.wakesAt);
    if (quoter.fairUntil !== null) this.agenda.plan(at, quoter.fairUntil);
  }

  private open(market: MarketId, owner: QuotingInstance): void {
    const { options, terms, mirror } = this.parts;
    const marketTerms = terms.get(market)!;
    const place = this.places.length;
    const quoter = new Quoter(
      {
        terms: marketTerms,
        owner,
        gate: new MarketGate(this.parts, this.exposure, {
          marketId: market,
          limits: owner.limits,
        }),
        outlook: new Outlook(this.parts, this.exposure, market, owner.limits),
        policy: this.policyOf(marketTerms),
        random: options.random.fork(`${owner.instance.name}/${market}`),
        siblings: () => {
          const { event } = mirror.market(market);
          return owner.markets.flatMap((id) =>
            mirror.market(id).event === event ? [this.byMarket.get(id)!] : [],
          );
        },
        decided: (one, decision) => this.decided(one, decision),
        changed: (one) => this.changed(one),
        looked: (one) => this.plan(one, place),
      },
      this.parts,
    );
    this.places.push(quoter);
    this.byMarket.set(market, quoter);
  }

  private readonly decidedOfEvent = (event: EventQuoter, decision: Decision, now: Micros): void => {
    this.take(event.owner, decision.ok ? this.events.withinTaking(event, decision, now) : decision, now);
    // They plan by themselves afterwards.
    for (const market of event.markets) this.emitted.delete(market);
  };

  private policyOf({ tickUnits }: MarketTerms): ReconcilePolicy {
    const { quoting, venue } = this.parts.options;
    const { toleranceTicks, toleranceShares, minRestMs } = quoting;
    return {
      shyUnits: toleranceTicks * tickUnits,
      boldUnits: 0,
      missingShares: toleranceShares,
      excessShares: 0,
      minRestMs,
      change: venue.orders.change,
    };
  }

  /** Outcomes whose strategy looks at the whole event are looked at again. */
  private changed(quoter: Quoter): void {
    for (const { id } of this.parts.mirror.market(quoter.marketId).event.markets) {
      const one = this.byMarket.get(id);
      if (
        one !== quoter &&
        one?.owner === quoter.owner &&
        one.looksAtEvent &&
        this.events.of(id) === undefined
      )
        this.woken.add(one);
    }
  }

  private decided(quoter: Quoter, decision: Decision): void {
    this.take(quoter.owner, decision, this.exposure.now, quoter);
    if (this.emitted.size > 0) this.emitted.delete(quoter.marketId);
  }

  /**
   * Hands intents to their markets; a fault withdraws all quotes of its instance.
   * @param asked plans by itself afterwards
   */
  private take(owner: QuotingInstance, decision: Decision, now: Micros, asked: Quoter | null = null): void {
    if (!decision.ok) return this.failed(owner, decision.fault, now);
    for (const intent of decision.intents) {
      const quoter = intent.marketId === asked?.marketId ? asked : this.byMarket.get(intent.marketId);
      if (quoter?.owner !== owner) continue;
      quoter.intent = intent;
      if (quoter !== asked) this.emitted.add(intent.marketId);
    }
  }

  private failed(owner: QuotingInstance, fault: StrategyFault, now: Micros): void {
    this.parts.notices.error('strategy-fault', stoppedText(owner.instance.name, fault), now);
    for (const market of owner.markets) this.emitted.add(market);
  }

  /** Plans the markets for which a strategy emitted intents while it was asked for another one. */
  replanEmitted(now: Micros): void {
    if (this.emitted.size === 0) return;
    for (const market of this.emitted) {
      const quoter = this.byMarket.get(market);
      if (quoter === undefined) continue;
      if (quoter.owner.instance.fault !== null) quoter.halt = STRATEGY_FAULT;
      quoter.replan(now);
    }
    this.emitted.clear();
  }
}

const NO_MARKETS: readonly MarketId[] = [];
const NO_QUOTERS: readonly Quoter[] = [];

const joined = (one: readonly MarketId[], other: readonly MarketId[]): readonly MarketId[] =>
  other.length === 0 ? one : [...one, ...other];

/** An order has rested long enough to be moved, a guard asks for another restriction, or what was refused may pass. */
const isDue = (
  { restsUntil, restrictedUntil, refusedUntil, wakesAt, fairUntil }: Quoter,
  now: Micros,
): boolean =>
  isPast(restsUntil, now) ||
  isPast(restrictedUntil, now) ||
  isPast(refusedUntil, now) ||
  isPast(wakesAt, now) ||
  isPast(fairUntil, now);

const isPast = (date: Micros | null, now: Micros): boolean => date !== null && date <= now;
