/**
 * A desk trading at a model venue over a bad network, on a virtual clock: requests and answers are lost, delayed and
 * executed late, frames lost, repeated and shuffled. A schedule of numbers decides every fault.
 */
import type { SendEffect, TradingRequest } from '../../../src/domain/effects.js';
import { eventId, type MarketId, marketId } from '../../../src/domain/ids.js';
import type { Answer, AnswerBody } from '../../../src/domain/answers.js';
import type { QuoteIntent } from '../../../src/domain/intent.js';
import { bookSideOf, type LimitOrder, type OrderReport } from '../../../src/domain/orders.js';
import { type Micros, type Money, type Shares, ticks } from '../../../src/domain/units.js';
import { approvePlan } from '../../../src/core/execution/planning/plan.js';
import { Desk } from '../../../src/core/execution/desk.js';
import type { MarketTerms } from '../../../src/core/execution/planning/market-terms.js';
import type { OrderNews, OwnOrder } from '../../../src/core/execution/orders/own-order.js';
import type { Side } from '../../../src/domain/vocabulary.js';
import { type ReconcilePolicy, reconcile } from '../../../src/core/execution/planning/reconcile.js';
import { route } from '../../../src/core/execution/planning/route.js';
import { ModelVenue } from './model-venue.js';
import { approved } from '../bot/effects.js';
import { marketTerms } from './market-terms.js';
import { passOver } from './order-scenario.js';
import { FUTUUR } from '../../../src/venues/futuur/protocol/profile.js';

export const MARKETS = [marketId(1), marketId(2), marketId(3)];
const EVENT = eventId(1);
const CLOCK_WINDOW_MS = 60_000;
const TIMEOUT_MS = 1_000;
const HOLDINGS_EVERY_MS = 3_000;

const STRICT: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  change: { of: ['price', 'size', 'expiry'] },
};

export const termsOf = (market: MarketId): MarketTerms => marketTerms({ eventId: EVENT, marketId: market });

export type NetworkFault =
  | 'none'
  /** The request never arrives. */
  | 'lost-request'
  /** It takes effect, and nobody hears of it. */
  | 'lost-answer'
  /** It arrives long after we gave up waiting, while its signature is still good. */
  | 'late'
  /** The venue refuses it before looking at it. */
  | 'throttled'
  /** A listing that should not be empty is. */
  | 'empty-listing';

/** What the world may do between two steps of the desk. */
export interface Chance {
  readonly fault: NetworkFault;
  /** Milliseconds a message takes. */
  readonly latencyMs: number;
  /** Copies of the frames sent now: 0 is lost. */
  readonly copies: number;
  readonly frameDelayMs: number;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class DeskWorld {
  readonly venue = new ModelVenue();
  readonly desk: Desk;
  readonly news: OrderNews[] = [];
  readonly sent: SendEffect[] = [];
  /** First execution of each key at the venue: how long after the first copy left. */
  readonly executionAgesMs: number[] = [];
  readonly #intents = new Map<MarketId, QuoteIntent>();
  readonly #held = new Map<string, number>();
  readonly #decidedAt = new Map<number, number>();
  readonly #executed = new Set<number>();
  readonly #happenings: Happening[] = [];
  #chances: readonly Chance[] = [];
  #chance = 0;
  #framesSeen = 0;
  #happened = 0;
  #spins = 0;
  #now = 1_000_000_000_000;

  constructor() {
    this.desk = new Desk(
      {
        orders: {
          tradedMarket: (market) =>
            MARKETS.includes(market) ? { eventId: EVENT, ownership: 'exclusive', mode: 'play_money' } : null,
          fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
          clockWindowMs: CLOCK_WINDOW_MS + 5_000,
          keepEndedMs: 3_600_000,
        },
        budget: {
          perMinute: 6_000,
          perDay: 1e7,
          burst: 0.5,
          readReserve: 10,
          bookShare: 0.25,
        },
        venue: FUTUUR,
        scheduler: {
          quoteLifetimeMs: 500,
          otherLifetimeMs: 5_000,
          throttledMs: 1_000,
          firstPauseMs: 100,
          lastPauseMs: 5_000,
        },
        spending: null,
        callsBefore: 1,
        venueAhead: 0,
        settlement: { replayMaxAgeMs: 5_000, firstTryMs: 200, lastTryMs: 5_000, routineListMs: 20_000 },
        withdrawal: { roundMs: 250, giveUpMs: 300_000, longestWaitMs: 60_000 },
        touchOf: () => ({ bid: null, ask: null }),
        venueTime: (ours) => ours,
        mayReplay: () => true,
        disabledIn: () => [],
      },
      this.now,
    );
    this.#in(HOLDINGS_EVERY_MS, () => this.#readHoldings());
  }

  get now(): Micros {
    return this.#now as Micros;
  }

  /** Faults from now on, used in turn; empty: none. */
  suffer(chances: readonly Chance[]): void {
    this.#chances = chances;
  }

  intend(market: MarketId, bids: readonly [number, number][], asks: readonly [number, number][]): void {
    const level = ([cents, whole]: readonly [number, number]) => ({
      price: ticks(cents),
      shares: (whole * 100) as Shares,
      reason: [],
    });
    this.#intents.set(market, {
      marketId: market,
      bids: bids.toSorted(([one], [other]) => other - one).map(level),
      asks: asks.toSorted(([one], [other]) => one - other).map(level),
    });
  }

  /** Somebody trades with one of our orders. */
  trade(pick: number, whole: number): void {
    const working = this.venue.working();
    const target = working[pick % Math.max(1, working.length)];
    if (target !== undefined) this.venue.fill(target.orderId, (whole * 100) as Shares);
    this.#sendFrames();
  }

  /** Lets so much time pass, the desk working all the while. */
  run(ms: number): void {
    const until = this.#now + ms * 1_000;
    this.#step();
    for (let next = this.#nextTime(); next <= until; next = this.#nextTime()) {
      this.#spins = next <= this.#now ? this.#spins + 1 : 0;
      if (this.#spins > 50) throw new Error(`the desk wants to be called at ${next}, again and again`);
      this.#now = Math.max(this.#now + 1, next);
      this.#happen();
      this.#step();
    }
    this.#now = until;
  }

  /** Orders the desk believes to work in a market. */
  working(market: MarketId): readonly OwnOrder[] {
    return this.desk.orders.own(market).working;
  }

  desired(market: MarketId): readonly LimitOrder[] {
    const intent = this.#intents.get(market);
    if (intent === undefined) return [];
    const standing = { orders: this.working(market), missingShares: 0, refillShare: 0 };
    const policy = { order: 'held-first', fair: null, standing } as const;
    return route(intent, { cash: 1e15 as Money, ...this.#holdings(market) }, termsOf(market), policy).orders;
  }

  #holdings(market: MarketId): { long: Shares; short: Shares } {
    const of = (position: string): Shares => (this.#held.get(`${market} ${position}`) ?? 0) as Shares;
    return { long: of('long'), short: of('short') };
  }

  #step(): void {
    for (const market of MARKETS) this.#plan(market);
    const effects = this.desk.due(this.now);
    this.desk.sent(effects, this.now);
    for (const effect of effects) this.#send(effect);
  }

  #plan(market: MarketId): void {
    const working = this.working(market);
    const held = this.#holdings(market);
    const free = { cash: 1e15 as Money, long: held.long as number, short: held.short as number };
    for (const order of working) if (order.side === 'ask') free[order.position] -= order.remaining;
    const { now } = this;
    const at = { terms: termsOf(market), free: free as never, fair: null, now, venueNow: now };
    const plan = reconcile(this.desired(market), working, at, STRICT);
    const gate = {
      create: approved<LimitOrder>,
      replace: (to: LimitOrder, { orderId }: OwnOrder) =>
        approved({
          orderId: orderId!,
          place: to,
          price: to.price,
          shares: to.shares,
          expiresAt: null,
          says: 'all' as const,
        }),
    };
    this.desk.offer(approvePlan(market, plan, gate));
  }

  #send(effect: SendEffect): void {
    this.sent.push(effect);
    const { requestId, request } = effect;
    if (!this.#decidedAt.has(requestId)) this.#decidedAt.set(requestId, this.#now);
    const { fault, latencyMs } = this.#draw();
    const sentAt = this.now;
    if (fault === 'throttled') return this.#answerIn(latencyMs, requestId, sentAt, THROTTLED);
    if (fault === 'lost-request' || fault === 'late') {
      if (fault === 'late')
        this.#in(TIMEOUT_MS + 97 * latencyMs, () => void this.#execute(requestId, request));
      return this.#answerIn(TIMEOUT_MS, requestId, sentAt, LOST);
    }
    this.#in(latencyMs, () => {
      const body = this.#execute(requestId, request);
      const empty = fault === 'empty-listing' && body.kind === 'read-orders';
      const told: Answer['outcome'] = { ok: true, body: empty ? { ...body, orders: [] } : body };
      if (fault === 'lost-answer') this.#answerIn(TIMEOUT_MS, requestId, sentAt, LOST);
      else this.#answerIn(latencyMs, requestId, sentAt, told);
    });
  }

  #execute(requestId: number, request: SendEffect['request']): AnswerBody {
    if (request.kind === 'read-orders')
      return { kind: 'read-orders', ...passOver(this.venue, request.known!.places) };
    if (request.kind.startsWith('read')) return { kind: 'read-balances', balances: new Map() };
    const trading = request as TradingRequest;
    if (!this.#executed.has(requestId)) {
      this.#executed.add(requestId);
      this.executionAgesMs.push((this.#now - this.#decidedAt.get(requestId)!) / 1_000);
    }
    const body = this.venue.execute(trading, `run-${requestId}`, this.now);
    this.#sendFrames();
    return body;
  }

  #sendFrames(): void {
    for (; this.#framesSeen < this.venue.frames.length; this.#framesSeen += 1) {
      const frame = this.venue.frames[this.#framesSeen]!;
      const { copies, frameDelayMs } = this.#draw();
      for (let copy = 1; copy <= copies; copy += 1)
        this.#in(frameDelayMs * copy, () => this.#hear(this.desk.reported(frame, this.now)));
    }
  }

  #answerIn(ms: number, requestId: number, sentAt: Micros, outcome: Answer['outcome']): void {
    this.#in(ms, () => {
      this.#hear(this.desk.answered({ kind: 'answer', requestId, sentAt, outcome }, this.now).orders);
    });
  }

  /** Fills tell what is held; once in a while the venue's holdings are read and win. */
  #readHoldings(): void {
    const { orders } = this.desk;
    let agree = true;
    for (const market of MARKETS)
      for (const position of ['long', 'short'] as const) {
        const key = `${market} ${position}`;
        const truth = this.venue.held(market, position);
        const came = truth - (this.#held.get(key) ?? 0);
        if (came === 0) continue;
        agree = false;
        if (orders.areFillsWithheld(market)) continue;
        this.#hear(
          orders.holdingDiffers(
            market,
            { position, currency: 'OOM', came, venue: truth as Shares, since: this.now },
            this.now,
          ),
        );
        this.#held.set(key, truth);
      }
    if (agree) orders.holdingsAgree(this.now);
    this.#in(HOLDINGS_EVERY_MS, () => this.#readHoldings());
  }

  /** Net shares, bought ones counted as positive on the side of bids, if everything on that side of the book fills. */
  reachedAtVenue(market: MarketId, side: Side): number {
    const net = this.venue.held(market, 'long') - this.venue.held(market, 'short');
    const open = this.venue.working().filter((order) => order.marketId === market);
    return (side === 'bid' ? net : -net) + sharesOn(side, open);
  }

  /** The same by our own account, with what may have been filled unheard. */
  reached(market: MarketId, side: Side): number {
    const { long, short } = this.#holdings(market);
    const { orders } = this.desk;
    const open = [...orders.own(market).working, ...orders.unheardEnds(market)];
    return (side === 'bid' ? long - short : short - long) + sharesOn(side, open);
  }

  #hear(news: readonly OrderNews[]): void {
    this.news.push(...news);
    for (const item of news) {
      if (item.kind !== 'filled') continue;
      const { marketId: market, position, side, shares } = item.fill;
      const key = `${market} ${position}`;
      this.#held.set(key, (this.#held.get(key) ?? 0) + (side === 'bid' ? shares : -shares));
    }
  }

  #draw(): Chance {
    const chance = this.#chances[this.#chance % Math.max(1, this.#chances.length)];
    this.#chance += 1;
    return chance ?? CALM;
  }

  #in(ms: number, run: () => void): void {
    this.#happenings.push({ at: this.#now + Math.max(1, ms * 1_000), order: this.#happened++, run });
  }

  #nextTime(): number {
    let next: number = this.desk.nextDue(this.now) ?? Infinity;
    for (const { at } of this.#happenings) next = Math.min(next, at);
    return next;
  }

  #happen(): void {
    const due = this.#happenings.filter(({ at }) => at <= this.#now);
    due.sort((a, b) => a.at - b.at || a.order - b.order);
    for (const happening of due) {
      this.#happenings.splice(this.#happenings.indexOf(happening), 1);
      happening.run();
    }
  }
}

const CALM: Chance = { fault: 'none', latencyMs: 5, copies: 1, frameDelayMs: 3 };
const LOST: Answer['outcome'] = { ok: false, failure: { kind: 'unknown', reason: 'timed out' } };
const THROTTLED: Answer['outcome'] = {
  ok: false,
  failure: {
    kind: 'refused',
    status: 429,
    code: 'Throttled',
    means: 'throttled',
    detail: '',
    retryAfterMs: 300,
  },
};

/** Shares that orders on one side of the long-side book may still trade, in share units. */
function sharesOn(
  side: Side,
  orders: readonly Pick<OrderReport, 'side' | 'position' | 'requested' | 'filled'>[],
): number {
  let shares = 0;
  for (const order of orders) if (bookSideOf(order) === side) shares += order.requested - (order.filled ?? 0);
  return shares;
}
