/** When the strategies of a screen are asked, and what becomes of their ladders. */
import { FairValues } from '../../core/engine/quoting/fair-values.js';
import { fillViewOf } from '../../core/engine/quoting/strategy-views.js';
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { type ApprovedPlan, approvePlan, isIdle, type Plan } from '../../core/execution/planning/plan.js';
import { EventExposure } from '../../core/portfolio/event-exposure.js';
import type { Random } from '../../core/ports/random.js';
import { FillBreaker } from '../../core/risk/fill-breaker.js';
import { MarkOutWatch } from '../../core/risk/mark-out.js';
import { UNRESTRICTED } from '../../core/risk/quote-restriction.js';
import type { BookView, FillView } from '../../core/strategy/contract.js';
import type { Decision } from '../../core/strategy/instance.js';
import { MarketSignals } from '../../core/strategy/signals/market-signals.js';
import type { Fill } from '../../domain/fill.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { QuoteIntent, QuoteLevel } from '../../domain/intent.js';
import type { Micros, Money } from '../../domain/units.js';
import type { ScreenedMarket } from './screened-market.js';
import { ScreenedGate } from './screened-gate.js';
import { applyGuards, fittedTo, planFor } from './screened-plan.js';
import { type Quoted, type ScreenedEvent, ScreenedViews } from './screened-views.js';
import type { Look, Looked } from './steps.js';

export interface ScreenedQuotingOptions {
  readonly engine: EngineOptions;
  readonly balance: Money;
  /** Of the steps that the markets see. */
  readonly looked: Looked;
}

/** Where plans go. */
export interface ScreenedDesk {
  /** @returns when the plan may leave, where it has to wait; else infinite */
  send(market: ScreenedMarket, plan: ApprovedPlan): number;
  wakeAt(market: ScreenedMarket, at: number): void;
  wake(market: ScreenedMarket): void;
}

/** As often the engine asks a strategy that looks at the time; one that does not answers the same. */
const MOST_SILENT = 1_000_000;
const NO_FILLS: readonly FillView[] = [];
const SILENT = (): void => undefined;

export class ScreenedQuoting {
  private readonly quoted = new Map<ScreenedMarket, Quoted>();
  private readonly events = new Map<EventId, ScreenedEvent>();
  private readonly views: ScreenedViews;
  private readonly fairs = new FairValues();
  private readonly engine: EngineOptions;

  constructor(
    private readonly options: ScreenedQuotingOptions,
    markets: readonly ScreenedMarket[],
    private readonly desk: ScreenedDesk,
  ) {
    const { engine, balance } = options;
    this.engine = engine;
    this.views = new ScreenedViews(engine, markets, balance);
    for (const owner of engine.instances) {
      const breaker = new FillBreaker(owner.limits.fillBreaker);
      const markOut = new MarkOutWatch(owner.limits.markOut);
      for (const id of owner.markets) {
        const market = markets.find(({ terms }) => terms.marketId === id);
        if (market !== undefined) this.join(market, owner, breaker, markOut);
      }
    }
  }

  setLive(id: EventId, isLive: boolean): void {
    const event = this.events.get(id);
    if (event === undefined) return;
    event.isLive = isLive;
    for (const quoted of event.quoted) {
      quoted.restrictedUntil = -Infinity;
      this.ask(quoted);
    }
  }

  faults(): readonly string[] {
    return this.engine.instances.flatMap(({ instance }) =>
      instance.fault === null
        ? []
        : [`strategy instance ${instance.name} was stopped: ${instance.fault.text}`],
    );
  }

  /** Orders or holdings of the market changed. */
  changed(market: ScreenedMarket): void {
    market.changed();
    this.views.version += 1;
    const quoted = this.quoted.get(market);
    if (quoted !== undefined) this.retold(quoted);
  }

  /** The bot heard of a fill. */
  filled(market: ScreenedMarket, fill: Fill, at: Micros): void {
    const quoted = this.quoted.get(market);
    if (quoted === undefined) return;
    const { account, terms } = market;
    const view = fillViewOf(fill, market.seen.book.mid);
    quoted.fills = [...quoted.fills.slice(-99), view];
    quoted.signals.filled(view, at / 1_000);
    quoted.breaker.filled(fill, at);
    quoted.markOut.filled(fill, at);
    const [long, short] = [market.held('long'), market.held('short')];
    quoted.event.exposure.hold(terms.marketId, { long, short, cost: account.netCost });
    for (const one of quoted.event.quoted) one.restrictedUntil = -Infinity;
  }

  /** Asks the strategies of these markets and plans their orders. */
  look(markets: readonly ScreenedMarket[], now: Micros): void {
    this.views.now = now;
    const asked: ScreenedEvent[] = [];
    for (const market of markets) {
      const quoted = this.quoted.get(market);
      if (quoted === undefined) continue;
      if (scopeOf(quoted.owner) === 'market') this.quote(quoted, now);
      else if (!asked.includes(quoted.event)) {
        asked.push(quoted.event);
        this.quoteEvent(quoted, now);
      }
    }
  }

  private join(
    market: ScreenedMarket,
    owner: QuotingInstance,
    breaker: FillBreaker,
    markOut: MarkOutWatch,
  ): void {
    const { marketId, eventId } = market.terms;
    const event = this.events.get(eventId) ?? this.openEvent(eventId);
    const watched: Quoted['watched'] = new Set();
    const quoted: Quoted = {
      market,
      owner,
      event,
      breaker,
      markOut,
      signals: new MarketSignals(this.engine.venue.prints),
      random: noting(this.engine.random.fork(`${owner.instance.name}/${marketId}`), () =>
        watched.add('random'),
      ),
      watched,
      fills: NO_FILLS,
      asked: null,
      strategyAt: Infinity,
      halted: true,
      fair: null,
      restriction: UNRESTRICTED,
      restrictedUntil: -Infinity,
      shown: '',
      gate: null,
      settled: null,
      stated: null,
      view: null,
    };
    quoted.gate = new ScreenedGate(quoted, this.engine.terms.currency, () => this.views.lockedCash());
    event.quoted.push(quoted);
    this.quoted.set(market, quoted);
  }

  private openEvent(id: EventId): ScreenedEvent {
    const description = this.engine.events.find((event) => event.id === id)!;
    const resolutionMode = description.resolutionMode ?? 'non_exclusive';
    const exposure = new EventExposure({
      markets: description.markets.map((market) => market.id),
      mayExclude: resolutionMode === 'exclusive',
      resolutionMode,
      nonePossible: !this.engine.winners.has(id),
      voidPossible: true,
    });
    const event = { description, exposure, quoted: [], isLive: false };
    this.events.set(id, event);
    return event;
  }

  private ask(quoted: Quoted): void {
    quoted.asked = null;
    this.desk.wake(quoted.market);
  }

  private quote(quoted: Quoted, now: Micros): void {
    const { market, owner, event } = quoted;
    // While a request is under way nothing else can be sent: what is asked now would be asked again at its answer.
    const isLater = market.isBusy && !isAlwaysAsked(quoted);
    if (isLater && event.quoted.length === 1 && owner.instance.signals.length === 0) return;
    const { looked } = this.options;
    looked.atLevels = false;
    const book = this.begin(quoted, now);
    if (isLater) return this.show(quoted);
    // Signals read the book before the strategy does.
    if (looked.atLevels) quoted.watched.add('levels');
    if (!quoted.halted && isNews(quoted, book, now)) {
      const decision = owner.instance.decide(this.views.contextOf(quoted, book), now / 1_000);
      if (looked.atLevels) quoted.watched.add('levels');
      this.answered([quoted], decision, now);
      market.looksAtLevels = quoted.watched.has('levels') || isAlwaysAsked(quoted);
    }
    this.plan(quoted, now);
  }

  private quoteEvent({ event, owner }: Quoted, now: Micros): void {
    const own = event.quoted.filter((one) => one.owner === owner);
    const books = own.map((one) => this.begin(one, now));
    const open = own.filter(({ halted }) => !halted);
    if (open.length > 0) {
      const contexts = open.map((one) => this.views.contextOf(one, books[own.indexOf(one)]!));
      const [first] = contexts;
      const context = {
        event: first!.event,
        markets: contexts,
        get nowMs() {
          return first!.nowMs;
        },
        random: first!.random,
        log: SILENT,
      };
      const decision = owner.instance.decideEvent(
        context,
        own.map(({ market }) => market.terms.marketId),
      );
      this.answered(open, decision, now);
    }
    for (const one of own) this.plan(one, now);
  }

  /** Looks at the book, and says whether the market may be quoted. */
  private begin(quoted: Quoted, now: Micros): BookView {
    const { market, owner, signals } = quoted;
    const book = bookOf(market);
    quoted.fair = this.fairs.of(market.terms.marketId, book, now);
    signals.declare(owner.instance.signals);
    if (owner.instance.signals.length > 0)
      signals.look(() => ({
        nowMs: now / 1_000,
        book,
        fair: quoted.fair,
        msToClose: this.views.msToClose(quoted),
      }));
    const { isOpen, seen } = market;
    quoted.halted = !isOpen || seen.isCrossed || signals.halt !== null || owner.instance.fault !== null;
    if (quoted.halted) [market.intent, quoted.asked] = [null, null];
    return book;
  }

  private answered(asked: readonly Quoted[], decision: Decision, now: Micros): void {
    const wakeInMs = (decision.ok ? decision.wakeInMs : undefined) ?? Infinity;
    for (const one of asked) {
      const { market, fills } = one;
      one.asked = { look: market.seen, version: market.version, hadFills: fills.length > 0 };
      one.fills = NO_FILLS;
      one.strategyAt = Math.min(now + Math.min(Math.ceil(wakeInMs * 1_000), MOST_SILENT), signalsAt(one));
    }
    if (!decision.ok) for (const { market } of asked) market.intent = null;
    else for (const intent of decision.intents) this.take(intent, asked, now);
  }

  /** A stream may answer for other markets of its instance, too. */
  private take(intent: QuoteIntent, asked: readonly Quoted[], now: Micros): void {
    const quoted = this.quotedIn(intent.marketId);
    if (quoted === undefined) return;
    quoted.market.intent = intent;
    if (!asked.includes(quoted)) this.plan(quoted, now);
  }

  private quotedIn(id: MarketId): Quoted | undefined {
    for (const [market, quoted] of this.quoted) if (market.terms.marketId === id) return quoted;
    return undefined;
  }

  private plan(quoted: Quoted, now: Micros): void {
    const { market } = quoted;
    applyGuards(quoted, this.engine, now);
    const intent = quoted.halted ? null : market.intent;
    const { seen: look, isBusy } = market;
    const { settled, restriction } = quoted;
    if (
      isBusy ||
      (settled !== null &&
        settled.restsUntil > now &&
        settled.version === this.views.version &&
        settled.restriction === restriction &&
        isSameTouch(settled.look, look) &&
        isSameIntent(settled.intent, intent))
    ) {
      this.show(quoted);
      return this.wake(quoted, settled?.restsUntil ?? Infinity);
    }
    const fitted = intent === null ? null : fittedTo(quoted, intent, this.engine.quoting.refillShare);
    const plan = planFor(quoted, fitted, this.views.freeCash(), this.engine, now);
    const restsUntil = plan.restsUntil ?? Infinity;
    const isSettled = isIdle(plan);
    const { version } = this.views;
    quoted.settled = isSettled ? { intent, look, restriction, version, restsUntil } : null;
    const leavesAt = isSettled ? Infinity : this.leave(quoted, plan);
    this.show(quoted);
    this.wake(quoted, Math.min(restsUntil, leavesAt));
  }

  private wake(quoted: Quoted, at: number): void {
    const strategyAt = quoted.halted ? signalsAt(quoted) : quoted.strategyAt;
    // A fill that is due waits for a mid, not for time.
    const guardsAt = quoted.restrictedUntil > this.views.now ? quoted.restrictedUntil : Infinity;
    this.desk.wakeAt(quoted.market, Math.min(at, guardsAt, strategyAt));
  }

  /** What the gate lets pass of a plan leaves. What has to wait is planned anew. */
  private leave({ market, event, gate }: Quoted, plan: Plan): number {
    const approved = approvePlan(market.terms.marketId, plan, gate!);
    const leavesAt = this.desk.send(market, approved);
    this.retold({ event, gate });
    return leavesAt;
  }

  /** Orders of a market changed: what was refused in others because of them may pass now. */
  private retold({ event, gate }: Pick<Quoted, 'event' | 'gate'>): void {
    gate?.begin();
    if (event.quoted.length === 1) return;
    for (const other of event.quoted) if (other.gate?.takeReleased() === true) this.desk.wake(other.market);
  }

  /** Wakes the strategies of other outcomes if what they may look at here has changed. */
  private show(quoted: Quoted): void {
    const { market, event } = quoted;
    if (event.quoted.length === 1) return;
    const shown = `${market.seen.book.weightedMid},${market.account.net},${quoted.halted}`;
    if (shown === quoted.shown) return;
    quoted.shown = shown;
    for (const other of event.quoted)
      if (other !== quoted && other.watched.has('event') && scopeOf(other.owner) === 'market')
        this.ask(other);
  }
}

const scopeOf = ({ instance }: QuotingInstance): 'market' | 'event' =>
  'quote' in instance.strategy && instance.strategy.scope === 'event' ? 'event' : 'market';

/** Others may stand behind the last orders of a side, if those are ours. */
function bookOf({ seen, orders }: ScreenedMarket): BookView {
  const { bids, asks } = seen.levels;
  if (orders.length === 0 || (bids.length > 0 && asks.length > 0)) return seen.book;
  const hidden = (levels: readonly unknown[], side: 'bid' | 'ask') => ({
    hidden: levels.length === 0 && orders.some(({ bookSide }) => bookSide === side),
  });
  return seen.viewOf(hidden(bids, 'bid'), hidden(asks, 'ask'));
}

/** A strategy that remembers, draws random numbers or is a stream may answer the same context in another way. */
const isAlwaysAsked = ({ owner: { instance }, watched }: Quoted): boolean =>
  watched.has('random') || instance.remembers || !('quote' in instance.strategy);

/** Whether anything changed of what the strategy has ever looked at. If not, it would answer the same. */
function isNews(quoted: Quoted, { hidden }: BookView, now: Micros): boolean {
  const { asked, market, fills, watched, strategyAt } = quoted;
  return (
    asked === null ||
    asked.look.touch !== market.seen.touch ||
    asked.version !== market.version ||
    fills.length > 0 ||
    asked.hadFills ||
    now >= strategyAt ||
    hidden.bids ||
    hidden.asks ||
    (watched.has('levels') && asked.look !== market.seen) ||
    isAlwaysAsked(quoted)
  );
}

/** When time alone changes a signal. */
const signalsAt = ({ signals: { dueMs } }: Quoted): number =>
  dueMs === null ? Infinity : Math.ceil(dueMs * 1_000);

function isSameTouch({ levels: one }: Look, { levels: other }: Look): boolean {
  return one.bids[0]?.price === other.bids[0]?.price && one.asks[0]?.price === other.asks[0]?.price;
}

const isSameIntent = (one: QuoteIntent | null, other: QuoteIntent | null): boolean =>
  one === other ||
  (one !== null && other !== null && isSameSide(one.bids, other.bids) && isSameSide(one.asks, other.asks));

const isSameSide = (one: readonly QuoteLevel[], other: readonly QuoteLevel[]): boolean =>
  one.length === other.length &&
  one.every(({ price, shares }, at) => price === other[at]!.price && shares === other[at]!.shares);

/** Tells whenever a number is drawn. */
const noting = (random: Random, note: () => void): Random => ({
  uniform() {
    note();
    return random.uniform();
  },
  below(n) {
    note();
    return random.below(n);
  },
  fork(name) {
    note();
    return random.fork(name);
  },
});
