/** Plays a script of requests and venue events to own orders, with messages late, twice, lost and in any order. */
import type { TradingRequest } from '../../../src/domain/effects.js';
import { eventId, marketId, type OrderId } from '../../../src/domain/ids.js';
import type { AnswerBody } from '../../../src/domain/answers.js';
import {
  type KnownOrders,
  type LimitOrder,
  missedOrders,
  type OrderReport,
} from '../../../src/domain/orders.js';
import { type Micros, micros, type Money, priceUnits, shares } from '../../../src/domain/units.js';
import type { OrderNews } from '../../../src/core/execution/orders/own-order.js';
import { OwnOrders } from '../../../src/core/execution/orders/own-orders.js';
import { approved } from '../bot/effects.js';
import { ModelVenue } from './model-venue.js';

export const MARKET = marketId(7);
export const EVENT = eventId(3);
const CLOCK_WINDOW_MS = 65_000;

/** A bid on long unless told otherwise; price and size in cents and whole shares. */
export const limitOrder = (cents: number, whole: number, terms: Partial<LimitOrder> = {}): LimitOrder => ({
  eventId: EVENT,
  marketId: MARKET,
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(cents * 100),
  shares: shares(whole * 100),
  expiresAt: null,
  ...terms,
});

/** @param nets whether the venue nets long and short shares */
export const exclusiveOrders = (nets = false): OwnOrders =>
  new OwnOrders({
    tradedMarket: (market) =>
      market === MARKET ? { eventId: EVENT, ownership: 'exclusive', mode: 'play_money' } : null,
    fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
    clockWindowMs: CLOCK_WINDOW_MS,
    keepEndedMs: 3_600_000,
    nets,
  });

/** What becomes of a request: told, lost before it arrived, or lost after it took effect. */
export type Fate = 'answered' | 'lost-before' | 'lost-after';

export type Step =
  | { readonly kind: 'create'; readonly orders: readonly LimitOrder[]; readonly fate: Fate }
  /** Targets are picked among the orders that are live by our own account. */
  | { readonly kind: 'replace'; readonly pick: number; readonly cents: number; readonly fate: Fate }
  | { readonly kind: 'cancel'; readonly pick: number; readonly fate: Fate }
  | { readonly kind: 'cancel-scope'; readonly fate: Fate }
  /** Any order of the venue, cheaper by so many price units. */
  | { readonly kind: 'fill'; readonly pick: number; readonly whole: number; readonly better: number }
  | { readonly kind: 'end'; readonly pick: number; readonly how: 'canceled' | 'expired' };

/** For each frame: after how many further steps it arrives, how often, and whether at all. */
export interface Delivery {
  readonly delay: number;
  readonly copies: number;
}

/** What a pass shows: everything that works, and the ends of known orders that were not among it. */
export function passOver(
  venue: ModelVenue,
  places: KnownOrders['places'],
): { readonly orders: readonly OrderReport[]; readonly ended: readonly OrderReport[] } {
  const orders = venue.listing();
  const missed = missedOrders({ places, pages: 20 }, orders);
  return { orders, ended: missed === null ? [] : venue.ends(missed.ids) };
}

export class OrderScenario {
  readonly venue = new ModelVenue();
  readonly orders = exclusiveOrders();
  readonly news: OrderNews[] = [];
  /** Called when a request has taken effect and its answer is still under way. */
  underWay: () => void = () => undefined;
  /** Whether one connection carries all frames, so that none overtakes another. */
  isInOrder = false;
  readonly #deliveries: readonly Delivery[];
  readonly #due: { readonly step: number; readonly order: number; readonly frame: number }[] = [];
  #framesSeen = 0;
  #step = 0;
  #requestId = 0;
  #now = 1_000_000_000;

  /** @param deliveries one per frame, used in turn; empty: at once and once */
  constructor(deliveries: readonly Delivery[]) {
    this.#deliveries = deliveries;
    this.venue.endow(MARKET, 'long', 1e9);
    this.venue.endow(MARKET, 'short', 1e9);
  }

  get now(): Micros {
    return micros(this.#now);
  }

  pass(ms: number): void {
    this.#now += ms * 1_000;
  }

  play(step: Step): void {
    this.#step += 1;
    this.pass(1);
    if (step.kind === 'fill' || step.kind === 'end') this.#venueActs(step);
    else this.#request(step);
    this.#deliver(this.#step);
  }

  /** Everything still under way arrives. */
  flush(): void {
    this.#deliver(Infinity);
  }

  /** A complete listing, begun and answered now. */
  list(): void {
    this.pass(1);
    const startedAt = this.now;
    this.pass(1);
    const { ended, orders } = passOver(this.venue, this.orders.places);
    this.news.push(...this.orders.listed(orders, startedAt, this.now, ended));
  }

  /**
   * Time passes until nothing can take effect any more; the venue is asked twice, what it does not show is
   * cancelled by id, and it is asked twice again.
   */
  settle(): void {
    this.flush();
    this.pass(2 * CLOCK_WINDOW_MS);
    this.#listTwice();
    const doubtful = [...this.orders.doubtful].flatMap(({ orderId }) => orderId ?? []);
    if (doubtful.length > 0) this.#send({ kind: 'cancel-orders', orderIds: doubtful }, 'answered');
    if (this.venue.working().length === 0) this.#send(WHOLE_MARKET, 'answered');
    this.#listTwice();
    this.flush();
  }

  #listTwice(): void {
    for (let pass = 0; pass < 2; pass += 1) {
      this.pass(5_000);
      this.list();
    }
  }

  #venueActs(step: Extract<Step, { kind: 'fill' | 'end' }>): void {
    const all = this.venue.everyOrder();
    const target = all[step.pick % Math.max(1, all.length)];
    if (target === undefined) return;
    if (step.kind === 'end') this.venue.end(target.orderId, step.how);
    else
      this.venue.fill(
        target.orderId,
        shares(step.whole * 100),
        priceUnits((target.price ?? 0) - step.better),
      );
  }

  #request(step: Exclude<Step, { kind: 'fill' | 'end' }>): void {
    const request = this.#requestOf(step);
    if (request !== null) this.#send(request, step.fate);
  }

  #send(request: TradingRequest, fate: Fate): void {
    const requestId = ++this.#requestId;
    const sentAt = this.now;
    this.orders.sent({ kind: 'send', requestId, request, deadline: sentAt }, sentAt);
    const body = fate === 'lost-before' ? null : this.venue.execute(request, `run-${requestId}`, sentAt);
    this.#noticeFrames();
    // Some frames overtake the answer.
    this.#deliver(this.#step - 1);
    this.underWay();
    this.pass(1);
    this.#answer(requestId, fate === 'answered' ? body : null, sentAt);
  }

  #answer(requestId: number, body: AnswerBody | null, sentAt: Micros): void {
    const outcome =
      body === null
        ? ({ ok: false, failure: { kind: 'unknown', reason: 'timed out' } } as const)
        : ({ ok: true, body } as const);
    this.news.push(...this.orders.answered({ kind: 'answer', requestId, sentAt, outcome }, this.now));
  }

  #requestOf(step: Exclude<Step, { kind: 'fill' | 'end' }>): TradingRequest | null {
    if (step.kind === 'create') return { kind: 'create-orders', orders: step.orders.map(approved) };
    if (step.kind === 'cancel-scope') return WHOLE_MARKET;
    const target = this.#live(step.pick);
    if (target === null) return null;
    if (step.kind === 'cancel') return { kind: 'cancel-orders', orderIds: [target] };
    const replacement = {
      orderId: target,
      place: this.orders.byId(target)!,
      price: priceUnits(step.cents * 100),
      shares: shares(500),
      expiresAt: null,
      says: 'all' as const,
    };
    return { kind: 'replace-orders', replacements: [approved(replacement)] };
  }

  #live(pick: number): OrderId | null {
    const live = this.orders.own(MARKET).working.filter((order) => order.state === 'live');
    return live[pick % Math.max(1, live.length)]?.orderId ?? null;
  }

  #noticeFrames(): void {
    for (; this.#framesSeen < this.venue.frames.length; this.#framesSeen += 1) {
      const frame = this.#framesSeen;
      const { delay, copies } = this.#deliveries[frame % Math.max(1, this.#deliveries.length)] ?? AT_ONCE;
      for (let copy = 0; copy < copies; copy += 1)
        this.#due.push({ step: this.#step - 1 + delay * (copy + 1), order: this.#due.length, frame });
    }
  }

  /** Frames that have been under way for different times overtake each other, unless they are in order. */
  #deliver(upTo: number): void {
    this.#noticeFrames();
    const arriving = this.#due.filter(({ step }) => step <= upTo);
    for (const arrival of arriving) this.#due.splice(this.#due.indexOf(arrival), 1);
    arriving.sort((a, b) => a.step - b.step || (this.isInOrder ? a.order - b.order : b.order - a.order));
    for (const { frame } of arriving) {
      this.pass(0.01);
      this.news.push(...this.orders.reported(this.venue.frames[frame]!, this.now));
    }
  }
}

const WHOLE_MARKET: TradingRequest = {
  kind: 'cancel-scope',
  scope: { kind: 'market', eventId: EVENT, marketId: MARKET },
};

const AT_ONCE: Delivery = { delay: 0, copies: 1 };
