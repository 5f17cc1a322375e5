import { invariant } from '../../domain/errors.js';
import type { MarketId } from '../../domain/ids.js';
import type { Micros, Shares, Ticks } from '../../domain/units.js';
import type { ConsumptionModel } from '../../venues/simulated/models/liquidity.js';
import type { OrderId } from '../../exchange/contract/ids.js';
import {
  FOREIGN_ORDER,
  MatchingBook,
  opposite,
  type QueueModel,
  toBookSide,
} from '../../exchange/matching/index.js';
import type { TapedOrder } from '../../storage/index.js';
import { type PreparedMoment, tickRange } from './prepared-moment.js';

/** What is believed of fills in one simulation. */
export interface FillBelief {
  readonly name: string;
  readonly queue: QueueModel;
  /** What becomes of shares of others that we took; that of the matching book when left out. */
  readonly consumption?: ConsumptionModel;
  /** Whether a level of others that crosses an order of ours fills it. */
  readonly crossing: 'fill' | 'ignore';
}

/** Shares of one order that traded at one time. */
export interface ShadowFill {
  readonly at: Micros;
  /** Long-side price units. */
  readonly price: number;
  readonly shares: number;
  readonly liquidity: 'maker' | 'taker';
}

export interface SimulatedVenueOptions {
  readonly belief: FillBelief;
  /** Price units per tick. */
  readonly tickUnits: ReadonlyMap<MarketId, number>;
  readonly onFill: (order: number, fill: ShadowFill) => void;
}

/**
 * The matching core of the bundled exchange with others' volume in it, and our orders in the same queues. Our orders
 * go by numbers of their own, which are not the venue's.
 */
export class SimulatedVenue {
  readonly #books = new Map<MarketId, MatchingBook>();
  readonly #options: SimulatedVenueOptions;

  constructor(options: SimulatedVenueOptions) {
    this.#options = options;
  }

  /** Whether a book of the market was shown. */
  knows(market: MarketId): boolean {
    return this.#books.has(market);
  }

  /** @returns whether it was taken: an order that would trade with one of ours is refused */
  enter(id: number, { marketId, side, price, requested }: TapedOrder, at: Micros): boolean {
    const book = this.#books.get(marketId);
    if (book === undefined) return false;
    const bookSide = toBookSide(side);
    const tick = (price / this.#tickUnits(marketId)) as Ticks;
    if (meetsOurs(book, opposite(bookSide), tick)) return false;
    book.add(id as OrderId, bookSide, tick, requested);
    for (let entry = 0; entry < book.fills.count; entry++)
      this.#fill(id, marketId, at, 'taker', book.fills.tick(entry), book.fills.shares(entry));
    return true;
  }

  leave(id: number, market: MarketId): void {
    this.#books.get(market)?.cancel(id as OrderId);
  }

  /** Whether it stands, and with how many shares. */
  left(id: number, market: MarketId): Shares {
    return this.#books.get(market)?.sharesOf(id as OrderId) ?? (0 as Shares);
  }

  moment({ moment, between, prints, bids, asks }: PreparedMoment): void {
    const { marketId, at, depth } = moment;
    const book = this.#books.get(marketId) ?? this.#open(marketId, depth);
    if (between !== null) book.recordBook(between.bids, between.asks);
    this.#heard(book, marketId, at);
    for (const { taker, tick, shares } of prints) {
      book.recordPrint(taker, tick, shares as Shares);
      this.#heard(book, marketId, at);
    }
    book.recordBook(bids, asks);
    this.#heard(book, marketId, at);
  }

  #tickUnits(market: MarketId): number {
    const units = this.#options.tickUnits.get(market);
    invariant(units !== undefined, `market ${market} has no tick`);
    return units;
  }

  #open(market: MarketId, depth: number): MatchingBook {
    const { name: _name, ...belief } = this.#options.belief;
    const book = new MatchingBook({
      ...tickRange(this.#tickUnits(market)),
      foreign: { depth, ...belief },
    });
    this.#books.set(market, book);
    return book;
  }

  /** Ours that others met. */
  #heard({ fills }: MatchingBook, market: MarketId, at: Micros): void {
    for (let entry = 0; entry < fills.count; entry++)
      if (fills.makerId(entry) !== FOREIGN_ORDER)
        this.#fill(fills.makerId(entry), market, at, 'maker', fills.tick(entry), fills.shares(entry));
  }

  #fill(
    id: number,
    market: MarketId,
    at: Micros,
    liquidity: ShadowFill['liquidity'],
    tick: number,
    shares: number,
  ): void {
    const price = tick * this.#tickUnits(market);
    this.#options.onFill(id, { at, price, shares, liquidity });
  }
}

/** Whether an order that reaches a tick would meet one of ours. */
function meetsOurs(book: MatchingBook, resting: ReturnType<typeof opposite>, tick: Ticks): boolean {
  for (const level of book.levels(resting)) {
    const isReached = resting === 0 ? level.tick >= tick : level.tick <= tick;
    if (!isReached) return false;
    if (level.shares > level.foreign) return true;
  }
  return false;
}
