import type { LimitOrder } from '../../../domain/orders.js';
import { complement, PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import { bookSide, type Currency, type Side } from '../../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';

/** In {@link Row.partner}: none. */
export const NOBODY = -1;

const ASK_OF_BOOK = 1;
const SALE = 2;
const OTHER_CURRENCY = 4;
const FOREIGN = 8;

/** What is compared of an order. */
export class Row {
  /** Long price of a bid of the book, its negative of an ask: of two on one side the greater one is the better. */
  boldness = 0;
  shares = 0;
  /** Orders of one place are ours and change the same holding in the same direction: one can stand for the other. */
  place = 0;
  /** The order of the other list that it belongs to, as an index there. */
  partner = NOBODY;

  /** Does it stand on the bid side of the one book? */
  get isBid(): boolean {
    return (this.place & ASK_OF_BOOK) === 0;
  }

  /** Does it sell shares, long ones on the ask side and short ones on the bid side? */
  get isSale(): boolean {
    return (this.place & SALE) !== 0;
  }

  /** Is it not ours to touch? */
  get isForeign(): boolean {
    return (this.place & FOREIGN) !== 0;
  }

  /** What it pays for a share where it is a purchase: of long ones on the bid side, of short ones on the ask side. */
  get purchasePrice(): PriceUnits {
    return (this.isBid ? this.boldness : PRICE_ONE + this.boldness) as PriceUnits;
  }
}

/**
 * A list of orders as it is compared with another list: each order is read once, and then looked at many times. The
 * memory lasts, and takes up the list of the next plan.
 */
abstract class OrderRows<Order> {
  orders: readonly Order[] = [];
  readonly #rows: Row[] = [];

  at(index: number): Row {
    return this.#rows[index]!;
  }

  protected begin(orders: readonly Order[]): void {
    this.orders = orders;
    while (this.#rows.length < orders.length) this.#rows.push(new Row());
  }

  protected set(index: number, longPrice: PriceUnits, shares: number, place: number): Row {
    const row = this.at(index);
    row.place = place;
    row.boldness = row.isBid ? longPrice : 0 - longPrice;
    row.shares = shares;
    row.partner = NOBODY;
    return row;
  }
}

/** Rows of one side of the book, from there to before there. */
class Span {
  first = 0;
  end = 0;
}

/** Orders that should stand, with their shares: bids of the book before asks, best first. */
export class DesiredRows extends OrderRows<LimitOrder> {
  bidShares = 0;
  askShares = 0;
  /** How many of them have no partner. */
  open = 0;
  /** Where those lie: outside of these nothing is looked for. */
  readonly #bids = new Span();
  readonly #asks = new Span();

  /** @param currency the market's: only what is in the same has the same place */
  read(orders: readonly LimitOrder[], currency: Currency): void {
    this.begin(orders);
    let [bids, bidShares, askShares] = [0, 0, 0];
    for (let d = 0; d < orders.length; d += 1) {
      const order = orders[d]!;
      const place = placeOf(order, bookSideOf(order), currency);
      if (this.set(d, longPriceOf(order), order.shares, place).isBid) {
        bids += 1;
        bidShares += order.shares;
      } else askShares += order.shares;
    }
    this.bidShares = bidShares;
    this.askShares = askShares;
    this.open = orders.length;
    this.#bids.first = 0;
    this.#bids.end = bids;
    this.#asks.first = bids;
    this.#asks.end = orders.length;
  }

  /** A working order stands for it, or is to. */
  take(d: number, w: number): void {
    const row = this.at(d);
    row.partner = w;
    this.open -= 1;
    const span = this.#span(row);
    while (span.first < span.end && this.at(span.first).partner !== NOBODY) span.first += 1;
    while (span.first < span.end && this.at(span.end - 1).partner !== NOBODY) span.end -= 1;
  }

  /** Has it no partner, and the place of the row? */
  isOpen(d: number, { place }: Row): boolean {
    const row = this.at(d);
    return row.partner === NOBODY && row.place === place;
  }

  /** The first that is not better than the row, of its side where something is open; the {@link end} when all are. */
  firstNotBetter(row: Row): number {
    const { boldness } = row;
    let { first: low, end: high } = this.#span(row);
    // A side mostly moves beyond all that stands there.
    if (low < high && this.at(high - 1).boldness > boldness) return high;
    if (low < high && this.at(low).boldness <= boldness) return low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle).boldness > boldness) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Behind the last open one of the row's side. */
  end(row: Row): number {
    return this.#span(row).end;
  }

  /** The nearest open one of the row's place; of two as near the better one. */
  nearest(row: Row): number {
    const { boldness } = row;
    const middle = this.firstNotBetter(row);
    const better = this.#openBefore(middle, row);
    const worse = this.#openFrom(middle, row);
    if (better === NOBODY || worse === NOBODY) return Math.max(better, worse);
    return this.at(better).boldness - boldness <= boldness - this.at(worse).boldness ? better : worse;
  }

  /** From there towards worse prices. */
  #openFrom(first: number, row: Row): number {
    const end = this.end(row);
    for (let d = first; d < end; d += 1) if (this.isOpen(d, row)) return d;
    return NOBODY;
  }

  /** The last one before there; of several at its price the first. */
  #openBefore(end: number, row: Row): number {
    const { first } = this.#span(row);
    let open = NOBODY;
    for (let d = end - 1; d >= first; d -= 1) {
      if (open !== NOBODY && this.at(d).boldness !== this.at(open).boldness) break;
      if (this.isOpen(d, row)) open = d;
    }
    return open;
  }

  #span({ isBid }: Row): Span {
    return isBid ? this.#bids : this.#asks;
  }
}

/** Orders that stand, or may, with the shares that can still be filled. */
export class WorkingRows extends OrderRows<OwnOrder> {
  /** How many of them are ours, and their shares. */
  own = 0;
  bidShares = 0;
  askShares = 0;
  /** {@link Row.boldness} of the best, whoever owns it: nothing is bolder than what would trade with nobody. */
  bestBid = 0;
  bestAsk = 0;

  /** @param currency the market's: only what is in the same has the same place */
  read(orders: readonly OwnOrder[], currency: Currency): void {
    this.begin(orders);
    let [own, bidShares, askShares] = [0, 0, 0];
    let bestBid = 0;
    let bestAsk = 0 - PRICE_ONE;
    for (let w = 0; w < orders.length; w += 1) {
      const order = orders[w]!;
      const { remaining } = order;
      const isOurs = order.ownership === 'ours';
      const place = placeOf(order, order.bookSide, currency) + (isOurs ? 0 : FOREIGN);
      const { boldness, isBid } = this.set(w, order.longPrice, remaining, place);
      const ours = isOurs ? remaining : 0;
      if (isOurs) own += 1;
      if (isBid) {
        bidShares += ours;
        if (boldness > bestBid) bestBid = boldness;
      } else {
        askShares += ours;
        if (boldness > bestAsk) bestAsk = boldness;
      }
    }
    this.own = own;
    this.bidShares = bidShares;
    this.askShares = askShares;
    this.bestBid = bestBid;
    this.bestAsk = bestAsk;
  }
}

const placeOf = (order: Pick<LimitOrder, 'side' | 'currency'>, side: Side, currency: Currency): number =>
  (side === 'ask' ? ASK_OF_BOOK : 0) +
  (order.side === 'ask' ? SALE : 0) +
  (order.currency === currency ? 0 : OTHER_CURRENCY);

type Priced = Pick<LimitOrder, 'side' | 'position' | 'price'>;

export const longPriceOf = ({ position, price }: Priced): PriceUnits =>
  position === 'long' ? price : complement(price);

export const bookSideOf = (order: Priced): Side => bookSide(order.side, order.position);
