/** One market of a screen under one scenario: what stands at the venue, what the bot knows of it, and what it earned. */
import type { Depth } from '../../analytics/series.js';
import { UNSEEN_BOOK } from '../../core/engine/quoting/book-view.js';
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
import { type BookSide, opposite, toBookSide } from '../../exchange/matching/levels.js';
import type { MatchingBook } from '../../exchange/matching/matching-book.js';
import { areSameLevels, levelsOf, Look, type Step } from './steps.js';

/** Shares of an order of ours that traded at the venue. */
export interface VenueFill {
  readonly order: TrackedOrder;
  readonly tick: Ticks;
  readonly shares: Shares;
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
  /** Whether the bot is to look at it again when levels behind the best ones change. */
  looksAtLevels = false;
  isOpenAtVenue = true;
  /** As the bot knows it; a recording that says nothing is of an open market. */
  isOpen = true;
  resolution: Resolution | null = null;
  fills = 0;
  /** A request of the market is under way: no other leaves before its answer. */
  isBusy = false;
  /** When each create was sent last. */
  readonly createdAt = new Map<string, number>();
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
  /** Others have less than recorded, because we traded. */
  private isTouched = false;
  /** What the bot will see of it then. */
  private readonly touched: { readonly step: Step; readonly look: Look }[] = [];
  private own = NOTHING_SEEN;
  private touches = 0;

  constructor(
    readonly description: MarketDescription,
    readonly terms: MarketTerms,
    private readonly book: MatchingBook,
    /** Levels a side that the bot sees. */
    private readonly depth: number,
  ) {}

  /** Whether a step concerns our orders, or a book that we took from. */
  isConcerned({ bids, asks, low, high }: Step): boolean {
    return (
      this.isTouched ||
      low <= this.bestBid ||
      high >= this.bestAsk ||
      (bids & this.bids) !== 0 ||
      (asks & this.asks) !== 0
    );
  }

  /** The step changes nothing of ours. */
  pass(step: Step): void {
    this.behind = step;
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
    if (this.isTouched) this.compare(step);
    return fills;
  }

  /** What the bot sees once it hears of the step. */
  lookAfter(step: Step): Look {
    return this.touched[0]?.step === step ? this.touched.shift()!.look : step.look;
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

  /** @returns whether anything of it stood */
  cancel(order: TrackedOrder): boolean {
    this.catchUp();
    const found = this.book.cancel(idOf(order)) > 0;
    this.restand();
    return found;
  }

  cancelAll(): void {
    for (const order of this.standing) this.book.cancel(idOf(order));
    this.restand();
  }

  /** All that others have now, levels out of sight as they were seen last. */
  depthOf(side: BookSide): Depth['bids'] {
    this.catchUp();
    const levels = [...this.book.levels(side)].filter(({ foreign }) => foreign > 0);
    return {
      prices: levels.map(({ tick }) => (tick * this.terms.tickUnits) as PriceUnits),
      shares: levels.map(({ foreign }) => foreign),
    };
  }

  /** The bot hears of a fill. */
  hear({ order, tick, shares, liquidity }: VenueFill, at: Micros): Fill {
    const { eventId, marketId, currency, takerFee, makerFee, tickUnits } = this.terms;
    const { side, position, serial } = order;
    order.remaining = (order.remaining - shares) as Shares;
    order.filled = (order.filled + shares) as Shares;
    order.stage = 'partial';
    if (order.remaining <= 0) this.forget(order);
    this.fills += 1;
    const price = position === 'long' ? tick * tickUnits : PRICE_ONE - tick * tickUnits;
    const fill: Fill = {
      id: this.fills,
      orderId: orderId(serial),
      eventId,
      marketId,
      side,
      position,
      currency,
      shares,
      amount: (price * shares) as Money,
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
      found.push({ order, tick: fills.tick(entry), shares: fills.shares(entry), liquidity: 'maker' });
      this.isTouched = true;
    }
  }

  private taken(order: TrackedOrder): readonly VenueFill[] {
    const { fills } = this.book;
    const found = Array.from({ length: fills.count }, (_, entry): VenueFill => ({
      order,
      tick: fills.tick(entry),
      shares: fills.shares(entry),
      liquidity: 'taker',
    }));
    this.isTouched ||= found.length > 0;
    this.restand();
    return found;
  }

  /** Compares what others have with the recording, after we took something. */
  private compare(step: Step): void {
    const levels = levelsOf(this.book, this.depth, this.terms.tickUnits);
    if (areSameLevels(levels, step.look.levels)) {
      this.isTouched = false;
      return;
    }
    if (!areSameLevels(levels, this.own.levels))
      this.own = new Look(levels, (this.touches -= 1), step.look.looked);
    this.touched.push({ step, look: this.own });
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

const idOf = ({ serial }: TrackedOrder): OrderId => serial as unknown as OrderId;
