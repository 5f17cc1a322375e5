/** One market of a screen under one scenario: what stands at the venue, what the bot knows of it, and what it earned. */
import type { Depth } from '../../analytics/series.js';
import { type ForeignLevels, UNSEEN_BOOK } from '../../core/engine/quoting/book-view.js';
import type { TrackedOrder } from '../../core/execution/orders/tracked-order.js';
import { lockOf, type MarketTerms } from '../../core/execution/planning/market-terms.js';
import { MarketAccount } from '../../core/portfolio/market-account.js';
import type { Fill } from '../../domain/fill.js';
import { orderId } from '../../domain/ids.js';
import type { QuoteIntent } from '../../domain/intent.js';
import { feeFor } from '../../domain/locks.js';
import type { MarketDescription } from '../../domain/market.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  type PriceUnits,
  type Shares,
  type Ticks,
} from '../../domain/units.js';
import type { Position, Resolution } from '../../domain/vocabulary.js';
import type { OrderId } from '../../exchange/contract/ids.js';
import { ASK, BID, type BookSide, opposite, toBookSide } from '../../exchange/matching/levels.js';
import type { MatchingBook } from '../../exchange/matching/matching-book.js';
import { areSameLevels, isSameBest, levelsOf, Look, type Step } from './steps.js';

/** Shares of an order of ours that traded at the venue. What a taker gets at several prices is one fill. */
export interface VenueFill {
  readonly order: TrackedOrder;
  readonly shares: Shares;
  /** Shares times the price of long, in ticks. */
  readonly paid: number;
  readonly liquidity: 'maker' | 'taker';
}

const NOTHING_SEEN = new Look(UNSEEN_BOOK, 0, { atLevels: false });

export class ScreenedMarket {
  readonly account = new MarketAccount();
  /** As the bot knows them. */
  orders: readonly TrackedOrder[] = [];
  intent: QuoteIntent | null = null;
  /** As the bot saw it last. */
  seen = NOTHING_SEEN;
  /** Up to this moment it has seen everything, because a request of its own was answered by a book. */
  sawUntil = -Infinity;
  /** Whether the bot is to look at it again when levels behind the best ones change. */
  looksAtLevels = false;
  isOpenAtVenue = true;
  /** As the bot knows it; a recording that says nothing is of an open market. */
  isOpen = true;
  resolution: Resolution | null = null;
  fills = 0;
  /** A request of the market is under way: no other leaves before its answer. */
  isBusy = false;
  /** When the market is to be looked at again though nothing comes in, and when that is noticed at the latest. */
  wakesAt = Infinity;
  alarmAt = Infinity;
  /** Rises whenever orders, holdings or their cash change. */
  version = 0;
  /** What our orders lock: cash, and shares that they sell. */
  locked = { cash: 0, long: 0, short: 0 };
  /** Orders in the book of the venue, in which they are known by their serial. */
  private standing: readonly TrackedOrder[] = [];
  /** Where they stand; see {@link Step.low} and {@link Step.bids}. */
  private bids = 0;
  private asks = 0;
  private bestBid = -Infinity;
  private bestAsk = Infinity;
  /** The newest step that is not in the book: until our orders are concerned it may wait. */
  private behind: Step | null = null;
  private newest: Step['newest'] = null;
  private printed = 0;
  /** Others have less than recorded where the bot sees it, because we traded. */
  private isTouched = false;
  /** Where they had less when that ended: out of sight. As {@link Step.bids}. */
  private missingBids = 0;
  private missingAsks = 0;
  /** As the recording has it at the newest step. */
  private recorded = NOTHING_SEEN;
  /** What the bot will see of it then. */
  private readonly touched: { readonly step: Step; readonly look: Look }[] = [];
  private own = NOTHING_SEEN;
  private touches = 0;

  constructor(
    readonly description: MarketDescription,
    readonly terms: MarketTerms,
    private readonly book: MatchingBook,
    /** Levels a side that the bot sees. */
    private readonly topN: number,
  ) {}

  /** Whether a step concerns our orders, or a book that we took from. */
  isConcerned(step: Step): boolean {
    const { bids, asks, low, high } = step;
    return (
      this.isTouched ||
      low <= this.bestBid ||
      high >= this.bestAsk ||
      (bids & this.bids) !== 0 ||
      (asks & this.asks) !== 0 ||
      this.isMissed(step)
    );
  }

  /** The step changes nothing of ours. */
  pass(step: Step): void {
    this.behind = step;
    this.recorded = step.look;
  }

  /** Plays a step. @returns what traded of ours */
  play(step: Step): readonly VenueFill[] {
    this.catchUp();
    const fills: VenueFill[] = [];
    const { book } = this;
    for (const { resting, tick, shares } of step.prints) {
      book.recordPrint(opposite(resting), tick, shares);
      this.collect(fills);
    }
    if (step.line !== null) book.recordBook(step.line.bids, step.line.asks);
    else if (step.news?.kind === 'order') book.recordOrder(toBookSide(step.news.order.side), step.news.order);
    if (step.line !== null || step.news !== null) this.collect(fills);
    this.newest = step.newest;
    this.printed = step.since.length;
    if (fills.length > 0) this.restand();
    this.recorded = step.look;
    if (this.isTouched || this.isMissed(step) || this.isCrossedBy(step.look.levels))
      this.touched.push({ step, look: this.lookNow() });
    return fills;
  }

  /** What the bot sees once it hears of the step. */
  lookAfter(step: Step): Look {
    return this.touched[0]?.step === step ? this.touched.shift()!.look : step.look;
  }

  /** What the bot will see of requests of its own, once they are done; null: of others it is nothing new. */
  lookAfterRequest(): Look | null {
    if (!this.isTouched) return null;
    this.catchUp();
    return this.lookNow();
  }

  /** An order arrives at the venue. @returns what it traded with at once */
  enter(order: TrackedOrder): readonly VenueFill[] {
    this.catchUp();
    this.book.add(idOf(order), toBookSide(order.bookSide), this.tickOf(order), order.remaining);
    this.standing = [...this.standing, order];
    return this.taken(order);
  }

  /** An order is replaced, unless it is not whole any more. @returns what the new one traded with at once; null: it was not */
  replace(order: TrackedOrder, by: TrackedOrder): readonly VenueFill[] | null {
    this.catchUp();
    const { book } = this;
    if (!this.isOpenAtVenue || book.sharesOf(idOf(order)) !== order.requested) return null;
    book.replace(idOf(order), this.tickOf(by), by.remaining);
    this.standing = this.standing.map((one) => (one === order ? by : one));
    return this.taken(by);
  }

  cancel(order: TrackedOrder): void {
    this.catchUp();
    this.book.cancel(idOf(order));
    this.restand();
  }

  cancelAll(): void {
    for (const order of this.standing) this.book.cancel(idOf(order));
    this.restand();
  }

  /** What others have now, as the engine's profit counts it: what no line shows any more is left out. */
  depthOf(side: BookSide): Depth['bids'] {
    this.catchUp();
    const levels = this.book.seen(side, this.topN).filter(({ foreign }) => foreign > 0);
    return {
      prices: levels.map(({ tick }) => (tick * this.terms.tickUnits) as PriceUnits),
      shares: levels.map(({ foreign }) => foreign),
    };
  }

  /** The bot hears of a fill. */
  hear({ order, shares, paid, liquidity }: VenueFill, at: Micros): Fill {
    const { eventId, marketId, currency, takerFee, makerFee, tickUnits } = this.terms;
    const { side, position, serial } = order;
    order.remaining = (order.remaining - shares) as Shares;
    order.filled = (order.filled + shares) as Shares;
    order.stage = 'partial';
    if (order.remaining <= 0) this.forget(order);
    this.fills += 1;
    const cost = paid * tickUnits;
    const fill: Fill = {
      id: this.fills,
      orderId: orderId(serial),
      eventId,
      marketId,
      side,
      position,
      currency,
      shares,
      amount: (position === 'long' ? cost : PRICE_ONE * shares - cost) as Money,
      fee: feeFor(shares, liquidity === 'maker' ? makerFee : takerFee) as Money,
      liquidity,
      at,
      isInferred: false,
      replaces: null,
    };
    this.account.book(fill);
    return fill;
  }

  forget(order: TrackedOrder): void {
    this.orders = this.orders.filter((one) => one !== order);
  }

  held(position: Position): Shares {
    return this.account.holding(position).shares;
  }

  /** Counts anew what our orders lock, after they or our holdings have changed. */
  changed(): void {
    const locked = { cash: 0, long: 0, short: 0 };
    for (const { side, position, price, remaining } of this.orders)
      if (side === 'bid') locked.cash += lockOf(price, remaining, this.terms);
      else locked[position] += remaining;
    this.locked = locked;
    this.version += 1;
  }

  private catchUp(): void {
    const { behind, book } = this;
    if (behind === null) return;
    const { newest, since } = behind;
    if (newest !== this.newest && newest !== null) {
      book.recordBook(newest.bids, newest.asks);
      this.printed = 0;
    }
    for (let at = this.printed; at < since.length; at++)
      book.recordPrint(opposite(since[at]!.resting), since[at]!.tick, since[at]!.shares);
    this.newest = newest;
    this.printed = since.length;
    this.behind = null;
  }

  /** Adds what the last command of the book traded of orders that rested. */
  private collect(found: VenueFill[]): void {
    const { fills } = this.book;
    for (let entry = 0; entry < fills.count; entry++) {
      const order = this.standing.find((one) => idOf(one) === fills.makerId(entry));
      if (order === undefined) continue;
      const shares = fills.shares(entry);
      found.push({ order, shares, paid: shares * fills.tick(entry), liquidity: 'maker' });
      this.isTouched = true;
    }
  }

  private taken(order: TrackedOrder): readonly VenueFill[] {
    const { fills } = this.book;
    let [shares, paid] = [0, 0];
    for (let entry = 0; entry < fills.count; entry++) {
      shares += fills.shares(entry);
      paid += fills.shares(entry) * fills.tick(entry);
    }
    const found: VenueFill[] =
      shares === 0 ? [] : [{ order, shares: shares as Shares, paid, liquidity: 'taker' }];
    this.isTouched ||= found.length > 0;
    this.restand();
    return found;
  }

  private isMissed({ bids, asks }: Step): boolean {
    return (bids & this.missingBids) !== 0 || (asks & this.missingAsks) !== 0;
  }

  /** Compares what others have with the recording, after we took something. */
  private lookNow(): Look {
    const { recorded, own, book } = this;
    const levels = levelsOf(book, this.topN, this.terms.tickUnits);
    const isCrossed = this.isCrossedBy(levels);
    this.isTouched = isCrossed || !areSameLevels(levels, recorded.levels);
    if (!this.isTouched) {
      this.missingBids = bitsOf(book.missing(BID));
      this.missingAsks = bitsOf(book.missing(ASK));
      return recorded;
    }
    const isSame = isCrossed === own.isCrossed;
    if (isSame && areSameLevels(levels, own.levels)) return own;
    const touch = isSame && isSameBest(levels, own.levels) ? own.touch : (this.touches -= 1);
    return (this.own = new Look(levels, touch, recorded.looked, isCrossed));
  }

  /** Levels that cross our orders stand there where the scenario has them ignore us. */
  private isCrossedBy({ bids, asks }: ForeignLevels): boolean {
    const { tickUnits } = this.terms;
    const [bid, ask] = [bids[0], asks[0]];
    return (
      (bid !== undefined && bid.price / tickUnits >= this.bestAsk) ||
      (ask !== undefined && ask.price / tickUnits <= this.bestBid)
    );
  }

  private restand(): void {
    this.standing = this.standing.filter((order) => this.book.has(idOf(order)));
    [this.bids, this.asks, this.bestBid, this.bestAsk] = [0, 0, -Infinity, Infinity];
    for (const order of this.standing) {
      const tick = this.tickOf(order);
      if (order.bookSide === 'bid') {
        this.bids |= 1 << (tick % 32);
        this.bestBid = Math.max(this.bestBid, tick);
      } else {
        this.asks |= 1 << (tick % 32);
        this.bestAsk = Math.min(this.bestAsk, tick);
      }
    }
  }

  private tickOf({ longPrice }: TrackedOrder): Ticks {
    return (longPrice / this.terms.tickUnits) as Ticks;
  }
}

const bitsOf = (ticks: readonly Ticks[]): number =>
  ticks.reduce((bits, tick) => bits | (1 << (tick % 32)), 0);

const idOf = ({ serial }: TrackedOrder): OrderId => serial as unknown as OrderId;
