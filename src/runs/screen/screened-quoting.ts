/** When the strategies of a screen are asked, and what becomes of their ladders. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { bookViewOf } from '../../core/engine/quoting/book-view.js';
import { fillViewOf } from '../../core/engine/quoting/strategy-views.js';
import { EventExposure } from '../../core/portfolio/event-exposure.js';
import { OrderCosts } from '../../core/portfolio/worst-case.js';
import { FillBreaker } from '../../core/risk/fill-breaker.js';
import { fittedLadder } from '../../core/risk/fitted-ladder.js';
import { MarkOutWatch } from '../../core/risk/mark-out.js';
import {
  type Closing,
  preCloseChangesAt,
  preCloseRestriction,
  restrict,
  stricter,
} from '../../core/risk/quote-restriction.js';
import type { BookView, FillView } from '../../core/strategy/contract.js';
import type { Decision } from '../../core/strategy/instance.js';
import { MarketSignals } from '../../core/strategy/signals/market-signals.js';
import type { Fill } from '../../domain/fill.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { QuoteIntent } from '../../domain/intent.js';
import { dearerFee } from '../../domain/locks.js';
import { type Micros, type Money, PRICE_ONE } from '../../domain/units.js';
import { BID, fromBookSide } from '../../exchange/matching/levels.js';
import type { ScreenedMarket } from './screened-market.js';
import { fairOf, type Quoted, type ScreenedEvent, ScreenedViews } from './screened-views.js';
import { planOrders, type ScreenedPlan } from './screened-orders.js';

/** Where plans go. */
export interface ScreenedDesk {
  /** @returns when the plan may leave, where it has to wait; else infinite */
  send(market: ScreenedMarket, plan: ScreenedPlan): number;
  wakeAt(market: ScreenedMarket, at: number): void;
}

/** A strategy that looks at the time is asked at least this often. */
const MOST_SILENT = 1_000_000;
const NO_FILLS: readonly FillView[] = [];
const SILENT = (): void => undefined;

export class ScreenedQuoting {
  private readonly quoted = new Map<MarketId, Quoted>();
  private readonly events = new Map<EventId, ScreenedEvent>();
  private readonly woken = new Set<ScreenedMarket>();
  private readonly views: ScreenedViews;

  constructor(
    private readonly engine: EngineOptions,
    markets: ReadonlyMap<MarketId, ScreenedMarket>,
    balance: Money,
    private readonly desk: ScreenedDesk,
  ) {
    this.views = new ScreenedViews(engine, markets, balance);
    for (const owner of engine.instances) {
      const breaker = new FillBreaker(owner.limits.fillBreaker);
      const markOut = new MarkOutWatch(owner.limits.markOut);
      for (const id of owner.markets) {
        const market = markets.get(id);
        if (market !== undefined) this.join(market, owner, breaker, markOut);
      }
    }
  }

  setLive(event: EventId, isLive: boolean): void {
    const known = this.events.get(event);
    if (known !== undefined) known.isLive = isLive;
  }

  faults(): readonly string[] {
    return this.engine.instances.flatMap(({ instance }) =>
      instance.fault === null
        ? []
        : [`strategy instance ${instance.name} was stopped: ${instance.fault.text}`],
    );
  }

  /** The bot heard of a fill. */
  filled(market: ScreenedMarket, fill: Fill, at: Micros): void {
    const quoted = this.quoted.get(market.terms.marketId);
    if (quoted === undefined) return;
    const view = fillViewOf(fill, market.mid);
    quoted.fills = [...quoted.fills.slice(-99), view];
    quoted.signals.filled(view, at / 1_000);
    quoted.breaker.filled(fill, at);
    quoted.markOut.filled(fill, at);
    this.holdingChanged(quoted);
  }

  /** Asks the strategies of these markets and plans their orders. @returns markets to be looked at again */
  look(markets: readonly ScreenedMarket[], now: Micros): ReadonlySet<ScreenedMarket> {
    this.woken.clear();
    const asked = new Set<ScreenedEvent>();
    for (const market of markets) {
      const quoted = this.quoted.get(market.terms.marketId);
      if (quoted === undefined) continue;
      if (scopeOf(quoted.owner) === 'market') this.quote(quoted, now);
      else if (!asked.has(quoted.event)) this.quoteEvent(quoted, now);
      asked.add(quoted.event);
    }
    return this.woken;
  }

  private join(
    market: ScreenedMarket,
    owner: QuotingInstance,
    breaker: FillBreaker,
    markOut: MarkOutWatch,
  ): void {
    const { marketId, eventId } = market.terms;
    const event = this.events.get(eventId) ?? this.openEvent(eventId);
    const quoted: Quoted = {
      market,
      owner,
      event,
      breaker,
      markOut,
      signals: new MarketSignals(this.engine.venue.prints),
      random: this.engine.random.fork(`${owner.instance.name}/${marketId}`),
      fills: NO_FILLS,
      looksAtTime: false,
      looksAtEvent: false,
      isAsking: false,
      strategyAt: Infinity,
      halted: true,
      shown: '',
      view: null,
    };
    event.quoted.push(quoted);
    this.quoted.set(marketId, quoted);
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

  private quote(quoted: Quoted, now: Micros): void {
    const book = this.begin(quoted, now);
    if (!quoted.halted) {
      const context = this.views.contextOf(quoted, book, now);
      this.asking([quoted]);
      this.answered([quoted], quoted.owner.instance.decide(context), now);
    }
    this.plan(quoted, now);
  }

  private quoteEvent({ event, owner }: Quoted, now: Micros): void {
    const own = event.quoted.filter((one) => one.owner === owner);
    const books = own.map((one) => this.begin(one, now));
    const open = own.filter(({ halted }) => !halted);
    if (open.length > 0) {
      const contexts = open.map((one) => this.views.contextOf(one, books[own.indexOf(one)]!, now));
      const [first] = contexts;
      this.asking(open);
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
    const hidden = (side: 'bids' | 'asks'): boolean => market.seen[side].length === 0 && hasOwn(market, side);
    const shown = (side: 'bids' | 'asks') => ({ count: market.seen[side].length, hidden: hidden(side) });
    const book = bookViewOf(market.seen, { bids: shown('bids'), asks: shown('asks'), ageMs: 0 } as never);
    market.mid = book.mid;
    market.weightedMid = book.weightedMid;
    market.account.markAt(book.mid === null ? null : book.mid * PRICE_ONE);
    signals.declare(owner.instance.signals);
    signals.look(() => ({
      nowMs: now / 1_000,
      book,
      fair: fairOf(market),
      msToClose: this.views.msToClose(quoted, now),
    }));
    quoted.halted = !market.isOpen || signals.halt !== null || owner.instance.fault !== null;
    if (quoted.halted) market.intent = null;
    return book;
  }

  private asking(quoted: readonly Quoted[]): void {
    for (const one of quoted) one.isAsking = true;
  }

  private answered(asked: readonly Quoted[], decision: Decision, now: Micros): void {
    const wakeInMs = (decision.ok ? decision.wakeInMs : undefined) ?? Infinity;
    for (const one of asked) {
      one.isAsking = false;
      one.fills = NO_FILLS;
      const silent = one.looksAtTime ? MOST_SILENT : Infinity;
      one.strategyAt = now + Math.min(Math.ceil(wakeInMs * 1_000), silent);
    }
    if (!decision.ok) for (const { market } of asked) market.intent = null;
    else for (const intent of decision.intents) this.take(intent, asked, now);
  }

  /** A stream may answer for other markets of its instance, too. */
  private take(intent: QuoteIntent, asked: readonly Quoted[], now: Micros): void {
    const quoted = this.quoted.get(intent.marketId);
    if (quoted === undefined) return;
    quoted.market.intent = intent;
    if (!asked.includes(quoted)) this.plan(quoted, now);
  }

  private plan(quoted: Quoted, now: Micros): void {
    const { market, signals } = quoted;
    const { restriction, changesAt } = this.restriction(quoted, now);
    const { tickUnits } = market.terms;
    const net = market.account.net;
    let intent = quoted.halted ? null : market.intent;
    if (intent !== null) intent = restrict(intent, restriction, { tickUnits, net });
    if (intent !== null) intent = this.fitted(quoted, intent);
    if (intent !== null) intent = market.affordable(intent, this.views.freeCash() + market.locked);
    const plan = planOrders(intent, market.orders, market.held, this.engine.quoting, now);
    const leavesAt = this.desk.send(market, plan);
    this.ordersChanged(quoted, intent);
    this.show(quoted);
    const { dueMs } = signals;
    const signalsAt = dueMs === null ? Infinity : Math.ceil(dueMs * 1_000);
    const strategyAt = quoted.halted ? Infinity : quoted.strategyAt;
    this.desk.wakeAt(
      market,
      Math.min(leavesAt, plan.restsUntil, changesAt ?? Infinity, strategyAt, signalsAt),
    );
  }

  private restriction({ market, event, breaker, markOut }: Quoted, now: Micros) {
    const { marketId, eventId } = market.terms;
    const { preClose } = this.engine.quoting;
    const closings = this.closingsOf(event);
    markOut.marked(marketId, market.mid === null ? null : market.mid * PRICE_ONE, now);
    const byFills = stricter(breaker.restriction(marketId, eventId, now), markOut.restriction(marketId));
    const judged = markOut.dueAt(marketId) ?? Infinity;
    const next = Math.min(
      preCloseChangesAt(closings, preClose, now) ?? Infinity,
      breaker.changesAt(marketId, eventId, now) ?? Infinity,
      judged > now ? judged : Infinity,
    );
    return { restriction: stricter(preCloseRestriction(closings, preClose, now), byFills), changesAt: next };
  }

  private closingsOf({ description, isLive }: ScreenedEvent): readonly Closing[] {
    const { whenLive } = this.engine.quoting.preClose;
    const closings: Closing[] = [];
    if (description.betEnd !== null)
      closings.push({ at: description.betEnd, until: null, reason: 'closing-soon' });
    if (whenLive && isLive) closings.push({ at: 0 as Micros, until: null, reason: 'event-live' });
    for (const { from, to } of this.engine.informationWindows.get(description.id) ?? [])
      closings.push({ at: from, until: to, reason: 'information-window' });
    return closings;
  }

  /** Cuts the ladder down to the limits of position and of the event's loss. */
  private fitted({ market, owner, event }: Quoted, intent: QuoteIntent): QuoteIntent {
    const { terms, account } = market;
    const { maxPositionShares, maxOrderShares, maxEventLoss } = owner.limits;
    const capped = {
      ...intent,
      bids: intent.bids.filter(({ shares }) => shares <= maxOrderShares),
      asks: intent.asks.filter(({ shares }) => shares <= maxOrderShares),
    };
    return fittedLadder(capped, {
      tickUnits: terms.tickUnits,
      fee: dearerFee(terms) as Money,
      bids: maxPositionShares - account.net,
      asks: maxPositionShares + account.net,
      standing: (side, price) =>
        market.orders.reduce(
          (sum, order) =>
            fromBookSide(order.side) === side && order.tick * terms.tickUnits === price
              ? sum + order.remaining
              : sum,
          0,
        ),
      refillShare: this.engine.quoting.refillShare,
      objection: (costs) =>
        -event.exposure.worstInstead(terms.marketId, costs) > maxEventLoss &&
        -event.exposure.worstInsteadWhereTheyCost(terms.marketId, costs) > maxEventLoss
          ? 'event-loss'
          : null,
    }).intent;
  }

  private holdingChanged({ event, market }: Quoted): void {
    const { account, terms } = market;
    const [long, short] = [account.holding('long').shares, account.holding('short').shares];
    event.exposure.hold(terms.marketId, { long, short, cost: account.netCost });
  }

  private ordersChanged({ event, market }: Quoted, intent: QuoteIntent | null): void {
    const { terms } = market;
    const costs = new OrderCosts();
    const fee = dearerFee(terms) as Money;
    for (const side of ['bid', 'ask'] as const)
      for (const { price, shares } of intent?.[`${side}s`] ?? [])
        costs.add({ side, position: 'long', price: (price * terms.tickUnits) as never }, shares, fee);
    event.exposure.order(terms.marketId, costs);
  }

  /** Wakes the strategies of other outcomes if what they may look at here has changed. */
  private show(quoted: Quoted): void {
    const { market, event } = quoted;
    const shown = `${market.weightedMid},${market.account.net},${quoted.halted}`;
    if (shown === quoted.shown) return;
    quoted.shown = shown;
    for (const other of event.quoted)
      if (other !== quoted && other.looksAtEvent && scopeOf(other.owner) === 'market')
        this.woken.add(other.market);
  }
}

const scopeOf = ({ instance }: QuotingInstance): 'market' | 'event' =>
  'quote' in instance.strategy && instance.strategy.scope === 'event' ? 'event' : 'market';

const hasOwn = ({ orders }: ScreenedMarket, side: 'bids' | 'asks'): boolean =>
  orders.some((order) => (order.side === BID) === (side === 'bids'));
