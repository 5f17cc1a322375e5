/**
 * A screen plays a recording for one configuration and one scenario, without most of what execution needs: no budget, no
 * journal, no reads, no answers that are lost. The strategy, its modifiers and signals, planning, latency, queues, consumption,
 * fees and limits of position and event are those of the engine. It ranks configurations; the engine confirms the best.
 */
import TinyQueue from 'tinyqueue';
import { executableValue } from '../../analytics/series.js';
import { TrackedOrder } from '../../core/execution/orders/tracked-order.js';
import type { ApprovedPlan } from '../../core/execution/planning/plan.js';
import { reactionTo } from '../../core/execution/reactions.js';
import { Repeats } from '../../core/execution/sending/sent-requests.js';
import { Pauses } from '../../core/execution/sending/waiting-plans.js';
import { orderId } from '../../domain/ids.js';
import { currencyUnits, type Micros, type Money } from '../../domain/units.js';
import { ASK, BID } from '../../exchange/matching/levels.js';
import { MatchingBook } from '../../exchange/matching/matching-book.js';
import type { ForeignMoment } from '../../exchange/contract.js';
import type { LatencyModel } from '../../venues/simulated/models/latency.js';
import type { LiquidityModels } from '../../venues/simulated/models/liquidity.js';
import type { RunMarket } from '../backtest/merged-recordings.js';
import { ScreenedMarket, type VenueFill } from './screened-market.js';
import { ScreenedQuoting, type ScreenedQuotingOptions } from './screened-quoting.js';
import { gridOf, type Look, type News, type Step } from './steps.js';

export interface ScreenOptions extends ScreenedQuotingOptions {
  readonly markets: readonly RunMarket[];
  /** Levels a side that the venue publishes. */
  readonly topN: number;
  readonly latency: LatencyModel;
  readonly liquidity: LiquidityModels;
  readonly crossing: ForeignMoment['crossing'];
  readonly start: Micros;
  /** So long after a create the venue takes the same one again. */
  readonly copiesAfterMs: number;
}

export interface ScreenTotals {
  /** Currency units, open positions at what the book would pay. */
  readonly profit: number;
  readonly fills: number;
  /** What stopped strategies. */
  readonly faults: readonly string[];
}

/** Something that happens later; of one time requests come before news. */
interface Due {
  readonly at: number;
  readonly rank: 0 | 1;
  readonly seq: number;
  readonly happen: () => void;
}

/** Orders were gone when the request arrived: the engine's pause after that. */
const LATE_PAUSE_MS = reactionTo('unstated').pauseMs;
const REQUEST = 0;
const NEWS = 1;
const sooner = (a: Due, b: Due): number => a.at - b.at || a.rank - b.rank || a.seq - b.seq;

/** The engine reads orders, holdings, cash and events before its first order: so many requests after one another. */
const READS_BEFORE = 6;

/** After the last row news still arrive for so long, microseconds. */
const LINGER = 2_000_000;

export class Screen {
  /** By slot. */
  private readonly markets: readonly ScreenedMarket[];
  private readonly quoting: ScreenedQuoting;
  /** Steps of which the bot has not heard, and those to come. */
  private steps: readonly Step[] = [];
  private happened = 0;
  private heard = 0;
  private readonly due = new TinyQueue<Due>([], sooner);
  /** Markets that the bot has news of. */
  private readonly dirty = new Set<ScreenedMarket>();
  private readonly pauses: Pauses;
  private readonly repeats: Repeats;
  private now: Micros;
  private seq = 0;
  private lastOrder = 0;
  /** When the first request leaves. */
  private readonly begins: number;

  constructor(private readonly options: ScreenOptions) {
    const { engine, start } = options;
    this.now = start;
    this.pauses = new Pauses(engine.scheduler);
    this.repeats = new Repeats(options.copiesAfterMs);
    const { latency } = options;
    const reads = Array.from({ length: READS_BEFORE }, () => latency.request() + latency.response());
    this.begins = reads.reduce((sum, read) => sum + read, start);
    this.markets = options.markets.map((market) => this.open(market));
    this.quoting = new ScreenedQuoting(options, this.markets, {
      send: (market, plan) => this.send(market, plan),
      wakeAt: (market, at) => this.wakeAt(market, at),
      wake: (market) => void this.dirty.add(market),
    });
  }

  take(steps: readonly Step[]): void {
    this.steps = [...this.steps.slice(this.heard), ...steps];
    this.happened -= this.heard;
    this.heard = 0;
    for (; this.happened < this.steps.length; this.happened++) {
      const step = this.steps[this.happened]!;
      if (this.nextAt() < step.at) this.runUntil(step.at);
      this.now = step.at;
      const market = this.markets[step.slot]!;
      if (step.news === null && !market.isConcerned(step)) market.pass(step);
      else this.happens(market, step);
    }
  }

  finish(): ScreenTotals {
    this.runUntil(this.now + LINGER);
    let profit = 0;
    let fills = 0;
    for (const market of this.markets) {
      profit += market.account.cash + openValue(market);
      fills += market.fills;
    }
    return { profit: currencyUnits(profit as Money), fills, faults: this.quoting.faults() };
  }

  private open(market: RunMarket): ScreenedMarket {
    const { liquidity, crossing, engine, topN } = this.options;
    const { depth, tickUnits, eventId, marketId } = market;
    const description = engine.events.flatMap(({ markets }) => markets).find(({ id }) => id === marketId)!;
    const book = new MatchingBook(gridOf(market, { depth, ...liquidity, crossing }));
    return new ScreenedMarket(description, { ...engine.terms, eventId, marketId, tickUnits }, book, topN);
  }

  /** What a step does to the venue. */
  private happens(market: ScreenedMarket, step: Step): void {
    const { news } = step;
    if (news === null || news.kind === 'order') this.traded(market, market.play(step), step.arrives);
    else if (news.kind === 'status') market.isOpenAtVenue = news.isOpen;
    else if (news.kind === 'resolved') {
      market.isOpenAtVenue = false;
      market.cancelAll();
    }
  }

  /** When the next thing is due before which no step may happen. */
  private nextAt(): number {
    if (this.dirty.size > 0) return this.now;
    const at = this.due.length === 0 ? Infinity : this.due.peek()!.at;
    return this.heard < this.happened ? Math.min(at, this.steps[this.heard]!.arrives) : at;
  }

  /** Everything that happens before a time. News of one time are one observation. */
  private runUntil(time: number): void {
    for (;;) {
      const step = this.heard < this.happened ? this.steps[this.heard]! : null;
      const first = this.due.peek();
      const at = Math.min(step?.arrives ?? Infinity, first?.at ?? Infinity);
      if (this.dirty.size > 0 && at > this.now) {
        this.look();
        continue;
      }
      if (at >= time) return;
      this.now = at as Micros;
      if (first !== undefined && first.at === at) this.due.pop()!.happen();
      else {
        this.heard += 1;
        this.hear(this.markets[step!.slot]!, step!);
      }
    }
  }

  /** The bot hears of a step. */
  private hear(market: ScreenedMarket, step: Step): void {
    if (step.news !== null && step.news.kind !== 'order') return this.learn(market, step.news);
    const look = market.lookAfter(step);
    // Of one moment the request came last.
    if (step.at > market.sawUntil) this.see(market, look);
  }

  private see(market: ScreenedMarket, look: Look): void {
    const before = market.seen;
    if (look === before) return;
    market.seen = look;
    if (look.touch !== before.touch || market.looksAtLevels) this.dirty.add(market);
  }

  private learn(market: ScreenedMarket, news: News): void {
    if (news.kind === 'status') market.isOpen = news.isOpen && market.resolution === null;
    else if (news.kind === 'resolved') {
      market.orders = [];
      market.isOpen = false;
      market.resolution = news.resolution;
      if (news.resolution !== null) market.account.resolve(news.resolution);
    } else if (news.kind === 'live') return this.quoting.setLive(news.event, news.isLive);
    this.quoting.changed(market);
    this.dirty.add(market);
  }

  /** Our orders traded at the venue: the bot hears of it. @returns tells it before that, where an answer comes first */
  private traded(market: ScreenedMarket, fills: readonly VenueFill[], arrives: number): () => void {
    let isTold = fills.length === 0;
    const tell = (): void => {
      if (isTold) return;
      isTold = true;
      for (const fill of fills) this.quoting.filled(market, market.hear(fill, this.now), this.now);
      this.quoting.changed(market);
      this.dirty.add(market);
    };
    if (!isTold) this.later(arrives, NEWS, tell);
    return tell;
  }

  private later(at: number, rank: Due['rank'], happen: () => void): void {
    this.due.push({ at, rank, seq: this.seq++, happen });
  }

  /** An alarm that rings too early is set again. */
  private wakeAt(market: ScreenedMarket, at: number): void {
    market.wakesAt = Math.max(at, this.now + 1);
    if (market.wakesAt >= market.alarmAt) return;
    const rings = (market.alarmAt = market.wakesAt);
    this.later(rings, NEWS, () => {
      if (market.alarmAt !== rings) return;
      market.alarmAt = Infinity;
      if (market.wakesAt <= this.now) this.dirty.add(market);
      else this.wakeAt(market, market.wakesAt);
    });
  }

  private look(): void {
    const markets = [...this.dirty];
    this.dirty.clear();
    this.quoting.look(markets, this.now);
  }

  /**
   * One request leaves: cancels, else moves, else creates. The rest is planned again after its answer.
   * @returns when it may leave, where it has to wait; else infinite
   */
  private send(market: ScreenedMarket, { cancels, replacements, creates }: ApprovedPlan): number {
    const { now } = this;
    const use = cancels.length > 0 ? 'cancel' : 'quote';
    const isAsking = cancels.length + replacements.length === 0;
    const asked = { kind: 'create-orders', orders: creates } as const;
    const copiesUntil = isAsking ? this.repeats.freeAt(asked, now) : 0;
    const waitsUntil = Math.max(this.begins, this.pauses.until(market.terms.marketId, use), copiesUntil);
    if (waitsUntil > now) return waitsUntil;
    // Plans show orders as everybody may read them; these are the market's own.
    const [leaving, moving] = [
      cancels as TrackedOrder[],
      replacements.map(({ order, to }) => ({ order: order as TrackedOrder, to })),
    ];
    if (leaving.length > 0) {
      for (const order of leaving) order.state = 'cancelling';
      this.request(market, () => leaving.map((order) => this.cancel(market, order)));
    } else if (moving.length > 0) {
      for (const { order } of moving) order.state = 'updating';
      this.request(market, () =>
        moving.map(({ order, to }) => this.move(market, order, new TrackedOrder(to, to, order.serial, now))),
      );
    } else if (isAsking) {
      this.repeats.note(asked, now);
      const born = creates.map((one) => new TrackedOrder(one, one, (this.lastOrder += 1), now));
      market.orders = [...market.orders, ...born];
      this.request(market, () => born.map((order) => this.create(market, order)));
    }
    return Infinity;
  }

  /** @param act what the request does at the venue; what it returns is done when the answer comes: false where it was refused */
  private request(market: ScreenedMarket, act: () => readonly (() => boolean)[]): void {
    const { latency } = this.options;
    market.isBusy = true;
    this.quoting.changed(market);
    this.later(this.now + latency.request(), REQUEST, () => {
      const answers = act();
      const look = market.lookAfterRequest();
      const { now } = this;
      if (look !== null)
        this.later(now + latency.feed(), NEWS, () => {
          market.sawUntil = now;
          this.see(market, look);
        });
      this.later(this.now + latency.response(), NEWS, () => {
        market.isBusy = false;
        const isWhole = answers.map((answer) => answer()).every(Boolean);
        if (isWhole) this.pauses.succeeded(market.terms.marketId, this.now);
        else this.pauses.failed(market.terms.marketId, LATE_PAUSE_MS, this.now);
        this.quoting.changed(market);
        this.dirty.add(market);
      });
    });
  }

  /** A cancel that comes too late asks for no pause. */
  private cancel(market: ScreenedMarket, order: TrackedOrder): () => boolean {
    market.cancel(order);
    return () => {
      market.forget(order);
      return true;
    };
  }

  private move(market: ScreenedMarket, order: TrackedOrder, to: TrackedOrder): () => boolean {
    const taken = market.replace(order, to);
    const tell = this.traded(market, taken ?? [], this.now + this.options.latency.feed());
    return () => {
      tell();
      // The engine does not know then what stands: it cancels.
      if (taken === null) order.state = 'unknown';
      else {
        // The newest stands last, as the engine lists them: the next request names them in that order.
        market.forget(order);
        if (to.remaining > 0) market.orders = [...market.orders, live(to)];
      }
      return taken !== null;
    };
  }

  private create(market: ScreenedMarket, order: TrackedOrder): () => boolean {
    const isOpen = market.isOpenAtVenue;
    const tell = this.traded(
      market,
      isOpen ? market.enter(order) : [],
      this.now + this.options.latency.feed(),
    );
    return () => {
      tell();
      if (isOpen) live(order);
      else market.forget(order);
      return isOpen;
    };
  }
}

/** The venue has confirmed the order. */
function live(order: TrackedOrder): TrackedOrder {
  order.state = 'live';
  order.orderId = orderId(order.serial);
  if (order.filled === 0) order.stage = 'open';
  return order;
}

function openValue(market: ScreenedMarket): number {
  const held = { long: market.held('long'), short: market.held('short') };
  if (market.resolution !== null || (held.long === 0 && held.short === 0)) return 0;
  const depth = { bids: market.depthOf(BID), asks: market.depthOf(ASK) };
  return executableValue(held, depth, market.terms.takerFee);
}
