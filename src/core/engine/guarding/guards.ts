import type { GuardStop } from '../../../analytics/guard-figures.js';
import type { Fill } from '../../../domain/fill.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import { currencyUnits, type Micros } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { RiskState, CoolDown } from '../../risk/risk-state.js';
import { type BreakerTrip, FILL_BREAKER, FillBreaker } from '../../risk/fill-breaker.js';
import { type KillSwitch, TakingWatch } from '../../risk/index.js';
import { MarkOutWatch } from '../../risk/mark-out.js';
import { outFor, type Restriction, stricter } from '../../risk/quote-restriction.js';
import type { CountedFill, GuardedFill, Windows } from '../../risk/guard-windows.js';
import { Closings, type Guarded } from './closings.js';
import type { EngineObserver } from '../observing/observer.js';
import type { Notices } from './notices.js';
import type { EngineOptions, QuotingInstance } from '../options.js';
import { Reversals } from './reversals.js';
import { covers, Pauses, type PlacedMarket, scopeText } from '../../risk/pauses.js';
import type { QuoteScope } from '../../../domain/inputs.js';

const AFTER_REVERSAL = outFor('after-reversal');
const UNEXPLAINED = outFor('order-unexplained');
const UNINTENDED = 'an order traded at once although it was to rest';

interface Surroundings {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly notices: Notices;
  readonly killSwitch: KillSwitch;
  readonly observer: EngineObserver | null;
}

type Unquoted = Pick<RiskState, 'coolDowns' | 'markOuts'>;
const NOTHING: Unquoted = { coolDowns: [], markOuts: [] };

/** The guards of one instance. */
interface Kept {
  readonly instance: string;
  readonly breaker: FillBreaker;
  readonly markOut: MarkOutWatch;
}

/**
 * What may make a market quoted less freely than its strategy wants, or not at all: a close ahead, one-sided fills,
 * fills that go wrong, a resolution that was taken back. They look at facts, never at the strategy.
 */
export class Guards {
  readonly reversals: Reversals;
  private readonly closings: Closings;
  private readonly taking: TakingWatch;
  private readonly kept = new Map<MarketId, Kept>();
  private readonly byInstance = new Map<string, Kept>();
  private elsewhere: Unquoted;
  private readonly unexplained = new Set<OwnOrder>();
  private readonly pauses: Pauses;

  constructor(
    private readonly around: Surroundings,
    startedAt: Micros,
  ) {
    const { options, mirror, killSwitch } = around;
    this.closings = new Closings(options, mirror);
    this.taking = new TakingWatch(
      options.instances.map(({ limits }) => limits),
      killSwitch,
      options.terms.currency,
      options.riskState.taken,
      startedAt,
    );
    for (const owner of options.instances) this.keep(owner);
    this.pauses = new Pauses(options.riskState.pauses);
    this.reversals = new Reversals(mirror, { ended: options.ended, reversed: options.riskState.reversed });
    this.recount(options.windows, startedAt);
    this.restore(options.riskState, startedAt);
    this.elsewhere = this.unquoted(options.riskState);
  }

  /**
   * An order of ours was filled, in the run's currency.
   * @param isWanted whether it was to trade at once
   * @returns the markets to look at again because of it
   */
  filled(told: Fill, at: Micros, isWanted = false): readonly MarketId[] {
    // An inferred fill that never was has counted: guards are rather too strict.
    if (told.shares < 0) return [];
    const fill = told.replaces === null ? told : { ...told, orderId: told.replaces.orderId };
    const { notices, observer } = this.around;
    if (fill.liquidity === 'taker') this.took(fill, at, isWanted);
    observer?.counted?.({ kind: 'fill', fill: countedOf(fill, at) });
    this.kept.get(fill.marketId)?.markOut.filled(fill, at);
    return this.counted(fill, at).flatMap((trip) => {
      notices.warn('fill-breaker', `quotes withdrawn: ${trip.text}`, fill.marketId, at);
      observer?.stopped?.(stopOf(trip), at);
      return trip.scope === 'market' ? [trip.marketId] : this.marketsOf(trip.eventId);
    });
  }

  /** An order stands in a market that is ours alone, and none of our requests explains it. */
  foundUnexplained(order: OwnOrder): void {
    this.unexplained.add(order);
  }

  /**
   * The mid of a market is known as of now: fills whose time has come are judged.
   * @returns what all guards together leave of its quotes, until time alone changes that or a fill is to be judged
   */
  heed(market: MarketId, mid: number | null, now: Micros): Guarded {
    const closing = this.closings.of(market, now);
    const kept = this.kept.get(market)!;
    const barred = this.barOf(market);
    this.judge(market, kept.markOut, mid, now);
    const held = this.pauses.restriction(this.placeOf(market, kept), now);
    const guarded = stricter(closing.restriction, this.fillRestriction(market, kept, now));
    const restriction = stricter(held, guarded);
    return {
      restriction: barred === null ? restriction : stricter(barred, restriction),
      changesAt: this.changesAt(market, kept, closing.changesAt, now),
    };
  }

  /** What a restart must not forget, losses aside. */
  riskState(now: Micros): Omit<RiskState, 'losses'> {
    const kept = [...new Set(this.kept.values())];
    const { coolDowns, markOuts } = this.elsewhere;
    return {
      coolDowns: [
        ...coolDowns.filter(({ until }) => until > now),
        ...kept.flatMap(({ breaker }) => breaker.coolDowns(now)),
      ],
      markOuts: [
        ...markOuts,
        ...kept.flatMap((one) =>
          one.markOut.stops().filter(({ marketId }) => this.kept.get(marketId) === one),
        ),
      ],
      reversed: this.reversals.reversed,
      taken: this.taking.counting(now),
      pauses: this.pauses.standing(now),
    };
  }

  /** A person holds quotes back. @param ticks null: nothing is quoted, for so long or until it is resumed */
  holdBack(scope: QuoteScope, by: string, ticks: number | null, forMs: number | null, at: Micros): void {
    const { notices } = this.around;
    const where = scopeText(scope);
    if (!this.isKnown(scope)) return notices.warn('unknown-scope', `${by}: ${where} is not quoted`, null, at);
    if (ticks === null) {
      this.pauses.pause(scope, by, forMs === null ? null : ((at + forMs * 1_000) as Micros), at);
      const until = forMs === null ? 'until it is resumed' : `for ${forMs / 1_000} s`;
      notices.warn('paused', `${by} paused ${where}: nothing is quoted ${until}`, null, at);
    } else {
      this.pauses.widen(scope, by, ticks, at);
      const text = ticks === 0 ? 'as its strategy wants it' : `${ticks} ticks further away`;
      notices.warn('widened', `${by} has ${where} quoted ${text}`, null, at);
    }
  }

  /** Ends what a person said of the scope, and of what lies within it. */
  letGo(scope: QuoteScope, by: string, at: Micros): void {
    const wasAny = this.pauses.lift((held) => this.isWithin(held, scope));
    const text = wasAny ? 'is quoted again as other guards allow it' : 'was neither paused nor widened';
    this.around.notices.warn('unpaused', `${by}: ${scopeText(scope)} ${text}`, null, at);
  }

  private isWithin(held: QuoteScope, scope: QuoteScope): boolean {
    if (scope.kind === 'all' || scopeText(held) === scopeText(scope)) return true;
    const kept = held.kind === 'market' ? this.kept.get(held.marketId) : undefined;
    return held.kind === 'market' && kept !== undefined && covers(scope, this.placeOf(held.marketId, kept));
  }

  private isKnown(scope: QuoteScope): boolean {
    return [...this.kept].some(([market, kept]) => covers(scope, this.placeOf(market, kept)));
  }

  private placeOf(marketId: MarketId, { instance }: Kept): PlacedMarket {
    return { marketId, eventId: this.around.mirror.market(marketId).event.id, instance };
  }

  /** Markets and limits of instances are others from now on. What stopped a market goes on under another instance, too. */
  arrange(now: Micros): void {
    const { instances } = this.around.options;
    this.taking.limit(instances.map(({ limits }) => limits));
    const latched = this.riskState(now);
    for (const owner of instances) this.keep(owner);
    this.restore(latched, now);
    this.elsewhere = this.unquoted(latched);
  }

  private keep({ instance: { name }, limits, markets }: QuotingInstance): void {
    const known = this.byInstance.get(name);
    const kept = known ?? {
      instance: name,
      breaker: new FillBreaker(limits.fillBreaker),
      markOut: new MarkOutWatch(limits.markOut),
    };
    known?.breaker.limit(limits.fillBreaker);
    known?.markOut.limit(limits.markOut);
    this.byInstance.set(name, kept);
    for (const market of markets) this.kept.set(market, kept);
  }

  /** A person resumed: nothing that latched holds any longer. */
  resume(): void {
    this.around.observer?.counted?.({ kind: 'forgotten' });
    this.pauses.lift(() => true);
    this.elsewhere = NOTHING;
    this.taking.accept();
    this.reversals.accept();
    for (const { breaker, markOut } of this.byInstance.values()) {
      breaker.resume();
      markOut.resume();
    }
  }

  /** @returns what it stopped */
  private counted(fill: GuardedFill, at: Micros): readonly BreakerTrip[] {
    const own = this.kept.get(fill.marketId)?.breaker;
    const trips: BreakerTrip[] = [];
    for (const breaker of this.breakersOfEvent(fill.eventId)) {
      const trip = breaker === own ? breaker.filled(fill, at) : breaker.filledElsewhere(fill, at);
      if (trip !== null) trips.push(trip);
    }
    return trips;
  }

  /**
   * What runs before counted goes on counting, and what it stopped is stopped as it was then, without a word. A clock may
   * have been set back since: then it counts as of now.
   */
  private recount({ fills, markOuts }: Pick<Windows, 'fills' | 'markOuts'>, now: Micros): void {
    const until = (time: Micros): Micros => Math.min(time, now) as Micros;
    const judged = new Map(markOuts.map(({ marketId, through }) => [marketId, through] as const));
    for (const count of markOuts)
      this.kept.get(count.marketId)?.markOut.recount({ ...count, through: until(count.through) });
    for (const fill of fills) {
      this.counted(fill, until(fill.at));
      if (fill.at > (judged.get(fill.marketId) ?? 0))
        this.kept.get(fill.marketId)?.markOut.filled(fill, until(fill.at));
    }
  }

  /** What the run before latched holds. */
  private restore({ coolDowns, markOuts }: Unquoted, now: Micros): void {
    for (const coolDown of coolDowns)
      for (const breaker of this.breakersOf(coolDown)) breaker.restore(coolDown, now);
    for (const markOut of markOuts) this.kept.get(markOut.marketId)?.markOut.restore(markOut);
  }

  /** What it latched for markets that this one does not quote: they may be quoted again. */
  private unquoted({ coolDowns, markOuts }: Unquoted): Unquoted {
    return {
      coolDowns: coolDowns.filter((coolDown) => this.breakersOf(coolDown).size === 0),
      markOuts: markOuts.filter(({ marketId }) => !this.kept.has(marketId)),
    };
  }

  private breakersOf(coolDown: CoolDown): ReadonlySet<FillBreaker> {
    if (coolDown.scope === 'market') return this.breakersIn([coolDown.marketId]);
    return this.breakersOfEvent(coolDown.eventId);
  }

  /** Several instances may quote one event. */
  private breakersOfEvent(event: EventId): ReadonlySet<FillBreaker> {
    const markets = this.around.options.events.find(({ id }) => id === event)?.markets ?? [];
    return this.breakersIn(markets.map(({ id }) => id));
  }

  private breakersIn(markets: readonly MarketId[]): ReadonlySet<FillBreaker> {
    return new Set(markets.flatMap((market) => this.kept.get(market)?.breaker ?? []));
  }

  private took(fill: Fill, at: Micros, isWanted: boolean): void {
    const what = `${fill.shares / 100} shares for ${currencyUnits(fill.amount)}`;
    const { notices } = this.around;
    if (isWanted) notices.info('taken', `took ${what}`, fill.marketId, at);
    else notices.info('unintended-taking', `${UNINTENDED}: ${what}`, fill.marketId, at);
    this.taking.filled(fill, at, isWanted);
  }

  /** Amount taken within the hour, on purpose or not. */
  takenWithin(now: Micros): number {
    return this.taking.within(now);
  }

  private judge(market: MarketId, markOut: MarkOutWatch, mid: number | null, now: Micros): void {
    const { judged } = markOut;
    const change = markOut.marked(market, mid, now);
    if (markOut.judged !== judged)
      this.around.observer?.counted?.({ kind: 'mark-out', count: markOut.countOf(market) });
    if (change === null) return;
    const { kind, text } = change;
    if (kind !== 'restored')
      this.around.observer?.stopped?.({ rule: `mark-out-${kind}`, scope: 'market', id: market, text }, now);
    const level = kind === 'stopped' ? 'error' : kind === 'reduced' ? 'warning' : 'info';
    this.around.notices.say({ level, code: `mark-out-${kind}`, text, marketId: market }, now);
  }

  private fillRestriction(market: MarketId, { breaker, markOut }: Kept, now: Micros): Restriction {
    const { event } = this.around.mirror.market(market);
    return stricter(breaker.restriction(market, event.id, now), markOut.restriction(market));
  }

  private changesAt(market: MarketId, kept: Kept, closing: Micros | null, now: Micros): Micros | null {
    const { breaker, markOut } = kept;
    const { event } = this.around.mirror.market(market);
    const due = markOut.dueAt(market) ?? Infinity;
    const next = Math.min(
      closing ?? Infinity,
      breaker.changesAt(market, event.id, now) ?? Infinity,
      this.pauses.changesAt(this.placeOf(market, kept), now),
      due > now ? due : Infinity,
    );
    return next === Infinity ? null : (next as Micros);
  }

  /** Why nothing may be quoted, whatever closes and fills say; null mostly. */
  private barOf(market: MarketId): Restriction | null {
    if (this.isReversed(market)) return AFTER_REVERSAL;
    return this.hasUnexplained(market) ? UNEXPLAINED : null;
  }

  private isReversed(market: MarketId): boolean {
    const { status, event } = this.around.mirror.market(market);
    return status === 'reversed' || event.status === 'reversed' || this.reversals.has(market);
  }

  /** Whoever made it may be making more: nothing stands beside it until it is gone. */
  private hasUnexplained(market: MarketId): boolean {
    if (this.unexplained.size === 0) return false;
    for (const order of this.unexplained) {
      if (order.state === 'done') this.unexplained.delete(order);
      else if (order.marketId === market) return true;
    }
    return false;
  }

  private marketsOf(event: EventId): readonly MarketId[] {
    return this.around.mirror.event(event).markets.map(({ id }) => id);
  }
}

const countedOf = (fill: Fill, at: Micros): CountedFill => {
  const { eventId, marketId, orderId, side, position, shares, amount } = fill;
  return { at, eventId, marketId, orderId, side, position, shares, amount };
};

const stopOf = ({ scope, marketId, eventId, text }: BreakerTrip): GuardStop => ({
  rule: FILL_BREAKER,
  scope,
  id: scope === 'market' ? marketId : eventId,
  text,
});
