import { InvariantError } from '../../../domain/errors.js';
import type { Fill, Replaced } from '../../../domain/fill.js';
import { type MarketId, type OrderId, orderId } from '../../../domain/ids.js';
import type { TradingTerms } from '../../../domain/market.js';
import type { OrderPlace, OrderReplacement, OrderReport } from '../../../domain/orders.js';
import {
  type Micros,
  type Money,
  PRICE_ONE,
  SHARE_ONE,
  type Shares,
  ZERO_MONEY,
  ZERO_SHARES,
  money,
} from '../../../domain/units.js';
import type { Currency } from '../../../domain/vocabulary.js';
import type { PrivateFeedWatch } from './private-feed-watch.js';
import type { Ending, LifeEvent } from './order-life.js';
import type { OrderBlotter } from './order-blotter.js';
import { NO_NEWS, type OrderNews, endedUnreplaced, isCancelable } from './own-order.js';
import { type OrderTerms, TrackedOrder } from './tracked-order.js';
import { type DifferingHolding, PresumedFills, type Taken } from './presumed-fills.js';
import { type FreshFill, absorb, conclude, isTerminal } from './venue-report.js';

/** What a frame tells may be so old, in microseconds. */
const FRAME_AGE = 10_000_000;

/** Changes orders and keeps the blotter in step. It collects the news of one message. */
export class OrderWriter {
  readonly blotter: OrderBlotter;
  readonly presumed: PresumedFills;
  readonly #privateFeed: PrivateFeedWatch;
  readonly #fees: (marketId: MarketId) => ShareFees;
  #at = 0 as Micros;
  #serial = 0;
  #fills = 0;
  #news: OrderNews[] | null = null;

  /**
   * @param fees per whole share of a market, for the fee of a fill
   * @param nets whether the venue nets long and short shares
   */
  constructor(
    blotter: OrderBlotter,
    privateFeed: PrivateFeedWatch,
    fees: (marketId: MarketId) => ShareFees,
    nets = false,
  ) {
    this.blotter = blotter;
    this.presumed = new PresumedFills(blotter.keepEnded, nets);
    this.#privateFeed = privateFeed;
    this.#fees = fees;
  }

  /** Receive time of the message being worked on. */
  get at(): Micros {
    return this.#at;
  }

  /** Begins a message. */
  begin(at: Micros): void {
    this.#at = at;
    this.#news = null;
  }

  /** @returns the news since {@link begin} */
  news(): readonly OrderNews[] {
    return this.#news ?? NO_NEWS;
  }

  tell(news: OrderNews): void {
    (this.#news ??= []).push(news);
  }

  /** @returns serial and time for an order that is found */
  birth(): { readonly serial: number; readonly at: Micros } {
    return { serial: ++this.#serial, at: this.#at };
  }

  /** Adds an order of ours that is asked for now. */
  order(place: OrderPlace, terms: OrderTerms): TrackedOrder {
    const order = new TrackedOrder(place, terms, ++this.#serial, this.#at);
    this.blotter.add(order);
    return order;
  }

  /** A request about this order leaves now. */
  ask(order: TrackedOrder, event: LifeEvent): void {
    this.#leave(order, event);
    this.apply(order, event, null);
  }

  /** An update leaves now: both orders of the replacement count until the venue has answered. */
  replace(old: TrackedOrder, replacement: OrderReplacement): TrackedOrder {
    const successor = this.order(old, replacement);
    old.asked(this.#at);
    old.successor = successor;
    this.apply(old, 'update-sent', null);
    return successor;
  }

  /** Applies an event to an order. @param ending why the order ended, if it has */
  apply(order: TrackedOrder, event: LifeEvent, ending: Ending | null): void {
    const wasInDoubt = order.state === 'unknown';
    const ended = order.advance(event);
    if (wasInDoubt && order.state === 'live') this.tell({ kind: 'certain', order });
    if (ending !== null && order.state === 'done') conclude(order, ending);
    this.blotter.restate(order);
    if (!ended) return;
    this.blotter.end(order, this.#at);
    this.tell({ kind: 'ended', order });
  }

  /** The update that was to create this order can have no effect any more. If it is under way, its answer tells so. */
  disprove(successor: TrackedOrder): void {
    if (successor.orderId === null && successor.state !== 'creating')
      this.apply(successor, 'finished', 'never-executed');
  }

  /** See {@link OwnOrders.clockSet}. Live orders are left out: nobody asks when they were asked for. */
  clockSet(later: number): void {
    for (const market of this.blotter.markets())
      for (const order of this.blotter.working(market))
        if (order.state !== 'live') order.askedAt = (order.askedAt + later) as Micros;
  }

  /** Merges what the venue says of a known order. */
  merge(order: TrackedOrder, report: OrderReport, source: ReportSource): void {
    if (source === 'frame') this.#hear(order);
    this.#merge(order, report, source);
    const { status, requested, filled } = report;
    if (source === 'frame') order.shownTold(isTerminal(status) ? 0 : requested - (filled ?? 0), this.#at);
  }

  #merge(order: TrackedOrder, report: OrderReport, source: ReportSource): void {
    const liquidity = liquidityOf(order, source, report.toldAt);
    const { stage, filled, remaining, fillsUnknownSince, countsFills } = order;
    const fresh = absorb(order, report, this.#at);
    if (!countsFills && order.countsFills) this.#beginCount(order, fresh?.shares ?? 0);
    if (stage === 'processing' && isCancelable(order)) this.tell({ kind: 'processed', order });
    if (fresh !== null) this.#tellFill(order, fresh, isImproved(order, fresh) ? 'taker' : liquidity);
    if (source === 'frame' && report.filled !== null) this.knowFilled(order, this.#at - FRAME_AGE);
    if (order.stage === 'ended') this.blotter.settleEnds((one) => one === order);
    const isNews =
      order.stage !== stage ||
      order.filled !== filled ||
      order.remaining !== remaining ||
      order.fillsUnknownSince !== fillsUnknownSince;
    // A frame mostly repeats an answer and changes nothing.
    if (!isNews && order.state === 'live' && !isTerminal(report.status)) return;
    const { successor } = order;
    this.apply(order, isTerminal(report.status) ? 'finished' : 'working', null);
    if (successor !== null && endedUnreplaced(order)) this.disprove(successor);
  }

  /** Cash is another sum than fills make it: where inferred fills can explain that, their prices were other ones. */
  reprice(currency: Currency, residual: Money): void {
    for (const [order, { id, orderId: of, liquidity }, more] of this.presumed.reprice(currency, residual)) {
      const replaces = { id, orderId: of, shares: ZERO_SHARES, amount: ZERO_MONEY, fee: ZERO_MONEY };
      const fill = { ...this.#fill(order, ZERO_SHARES, more, liquidity), isInferred: true, replaces };
      this.tell({ kind: 'filled', fill, order });
    }
  }

  /** All fills of the order up to that time are known: a repair from before cannot contain a later fill. */
  knowFilled(order: TrackedOrder, by: number): void {
    this.presumed.heard(order, by);
  }

  /** A holding changed without a fill. The frame is late or lost, and partly filled orders may have traded on. */
  presume(market: MarketId, differing: DifferingHolding): void {
    let came = differing.came - this.#takeBack(market, differing, false);
    const working = this.blotter.working(market);
    const [doubtful, certain] = [true, false].map((is) =>
      working.filter((o) => is === (o.state === 'unknown')),
    );
    const candidates = [...this.blotter.unheardEnds(market), ...doubtful!, ...certain!];
    const left = this.presumed.presume(
      market,
      candidates,
      { ...differing, came },
      this.#at,
      (order, shares) => {
        const amount = money(shares * order.price);
        const liquidity = liquidityOf(order, 'frame');
        const fill = {
          ...this.#fill(order, shares, amount, liquidity),
          at: differing.since,
          isInferred: true,
        };
        this.tell({ kind: 'filled', fill, order });
        return fill;
      },
    );
    came = Math.sign(came) * left;
    if (left > 0) this.#takeBack(market, { ...differing, came }, true);
    for (const order of certain!) {
      if (order.stage !== 'partial' || order.state !== 'live') continue;
      order.fillsUnknownSince ??= this.#at;
      this.blotter.restate(order);
    }
  }

  /** The venue told the id of the order, in an answer or in an earlier frame. */
  name(order: TrackedOrder, id: OrderId): void {
    // Earlier cancels and listings could not mean this id and prove nothing about it.
    order.failedCancels = 0;
    order.absences = 0;
    order.namedAt = this.#at;
    order.lockKnownAt = this.#at;
    this.blotter.name(order, id);
  }

  /** An answer confirmed the order: a private frame must follow unless one came first. */
  awaitFrame(order: TrackedOrder): void {
    if (order.heardAt === null) this.#privateFeed.await(order, this.#at);
  }

  /** Takes back the end of an order that a listing shows. */
  revive(order: TrackedOrder): void {
    this.blotter.revive(order);
    order.state = 'live';
    order.ending = null;
    order.endedAt = null;
    order.absences = 0;
    order.failedCancels = 0;
    order.remaining = Math.max(0, order.requested - order.filled) as Shares;
    this.tell({ kind: order.ownership === 'ours' ? 'found' : order.ownership, order });
  }

  /** Earlier fills may not be in the holdings yet: a later read of them tells. */
  #beginCount(order: TrackedOrder, fresh: number): void {
    this.presumed.believe(order, (order.filled - fresh) as Shares, this.#at);
    if (order.filled > fresh) this.blotter.touch(order.marketId);
  }

  #leave(order: TrackedOrder, event: LifeEvent): void {
    if (event !== 'cancel-sent') return order.asked(this.#at);
    order.requestedAt = this.#at;
    order.activeAt = this.#at;
  }

  #hear(order: TrackedOrder): void {
    order.heardAt = this.#at;
    this.#privateFeed.heard(order);
  }

  /** Of shares that were inferred only the difference is news. */
  #tellFill(order: TrackedOrder, { shares, amount }: FreshFill, liquidity: Fill['liquidity']): void {
    if (order.orderId === null) throw new InvariantError(`order ${order.serial} has fills and no id`);
    let [sharesLeft, amountLeft] = [shares, amount];
    for (const taken of this.presumed.told(order, shares, this.#at)) {
      const told = money(Math.round((amountLeft * taken.shares) / sharesLeft));
      this.#tellTold(order, taken, told, liquidity);
      sharesLeft = (sharesLeft - taken.shares) as Shares;
      amountLeft = money(amountLeft - told);
    }
    if (sharesLeft > 0 || shares === 0)
      this.tell({ kind: 'filled', fill: this.#fill(order, sharesLeft, amountLeft, liquidity), order });
  }

  /** The venue told of shares that were inferred: the order, the price and the fee are known now. */
  #tellTold(order: TrackedOrder, taken: Taken, amount: Money, liquidity: Fill['liquidity']): void {
    const { order: guessed, shares } = taken;
    const fee = money(this.#feeOf(order, shares, liquidity) - taken.fee);
    const booked =
      guessed.position === order.position ? taken.amount : money(shares * PRICE_ONE - taken.amount);
    const fill = {
      ...this.#fill(order, ZERO_SHARES, money(amount - booked), liquidity),
      fee,
      replaces: { ...replacedOf(taken), amount: booked },
    };
    this.tell({ kind: 'filled', fill, order });
  }

  /** @returns by how much that changes what differs */
  #takeBack(market: MarketId, differing: DifferingHolding, isMoved: boolean): number {
    let shares = 0;
    for (const taken of this.presumed.contradicted(market, differing, isMoved)) {
      this.#tellTaken(taken.order, taken);
      shares += taken.shares;
    }
    return Math.sign(differing.came) * shares;
  }

  /** An inferred fill, or a part of it, never was. */
  #tellTaken(order: TrackedOrder, taken: Taken): void {
    const shares = (0 - taken.shares) as Shares;
    const fill = {
      ...this.#fill(order, shares, money(0 - taken.amount), liquidityOf(order, 'frame')),
      fee: money(0 - taken.fee),
      replaces: replacedOf(taken),
    };
    this.tell({ kind: 'filled', fill, order });
  }

  #fill(order: TrackedOrder, shares: Shares, amount: Money, liquidity: Fill['liquidity']): Fill {
    const { eventId, marketId, side, position, currency } = order;
    return {
      id: ++this.#fills,
      orderId: order.orderId ?? orderId(`unnamed-${order.serial}`),
      eventId,
      marketId,
      side,
      position,
      currency,
      shares,
      amount,
      fee: this.#feeOf(order, shares, liquidity),
      liquidity,
      at: this.#at,
      isInferred: false,
      replaces: null,
    };
  }

  #feeOf({ marketId }: TrackedOrder, shares: Shares, liquidity: Fill['liquidity']): Money {
    return feeOn(shares, liquidity, this.#fees(marketId));
  }
}

const replacedOf = ({ id, orderId: of, shares, amount, fee }: Taken): Replaced => ({
  id,
  orderId: of,
  shares,
  amount,
  fee,
});

/** Source of a report: the answer to the order's request, a private frame, or a listing. */
export type ReportSource = 'answer' | 'frame' | 'listing';

/**
 * Fills within the answer were taken. Fills of an order seen resting were made, but for those at the instant in which it
 * left processing: it may have taken them.
 */
function liquidityOf(
  { stage, openedAt }: TrackedOrder,
  source: ReportSource,
  toldAt?: Micros,
): Fill['liquidity'] {
  if (source === 'answer') return 'taker';
  const isAtOnce = toldAt !== undefined && toldAt === openedAt;
  return (stage === 'open' || stage === 'partial') && !isAtOnce ? 'maker' : 'unknown';
}

/**
 * Did the fill improve on the order's price? Only a taker gets a better price, even when the order left processing and
 * a frame has called it open. An average price is rounded: less than half a price unit a share is no improvement.
 */
function isImproved({ side, price }: TrackedOrder, { shares, amount }: FreshFill): boolean {
  const gained = side === 'bid' ? shares * price - amount : amount - shares * price;
  return shares > 0 && gained > shares / 2;
}

/** Fees in money units per whole share. */
export type ShareFees = Pick<TradingTerms, 'takerFee' | 'makerFee'>;

/** Unknown liquidity pays the higher fee; fractions of a unit are rounded up. */
function feeOn(shares: Shares, liquidity: Fill['liquidity'], { takerFee, makerFee }: ShareFees): Money {
  const dearer = Math.max(takerFee, makerFee);
  const perShare = liquidity === 'maker' ? makerFee : liquidity === 'taker' ? takerFee : dearer;
  return money(Math.ceil((perShare * shares) / SHARE_ONE));
}
