/** The recorder's own orders on a tape, merged from frames, answers and listings. */
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Answer } from '../../domain/answers.js';
import type { OrderReport } from '../../domain/orders.js';
import { complement, type Micros, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import {
  bookSide,
  type CurrencyMode,
  modeOf,
  type OrderStatus,
  type Position,
  type Side,
} from '../../domain/vocabulary.js';
import type { EngineStart } from '../tape/records.js';

/** One order as it stands or stood in the one book of its market. */
export interface TapedOrder {
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  /** Side of the long book, and the long-side price there. */
  readonly side: Side;
  readonly price: PriceUnits;
  readonly position: Position;
  readonly requested: Shares;
  /** When the venue took it, by the venue's clock. */
  readonly placedAt: Micros;
  /** Whether the recorder found it resting: its earlier life was not seen. */
  readonly adopted: boolean;
  readonly filled: Shares;
  readonly endedAt: Micros | null;
}

/** What a report, an answer or a listing changed. */
export type TapedOrderNews =
  | { readonly kind: 'placed'; readonly at: Micros; readonly order: TapedOrder }
  | {
      readonly kind: 'filled';
      readonly at: Micros;
      readonly order: TapedOrder;
      readonly shares: Shares;
      /** Long-side price units; a fraction when several trades were reported as one. */
      readonly price: number;
      /** Whether it traded on arrival. */
      readonly liquidity: 'maker' | 'taker';
    }
  | { readonly kind: 'ended'; readonly at: Micros; readonly order: TapedOrder };

const RESTS: ReadonlySet<OrderStatus> = new Set(['open', 'partial_filled', 'filled']);
const IS_OVER: ReadonlySet<OrderStatus> = new Set(['filled', 'canceled', 'expired']);

/** So many ended orders are remembered, so that a late answer does not bring them back. */
const ENDED_MOST = 10_000;

type Life = { -readonly [Name in keyof TapedOrder]: TapedOrder[Name] } & {
  /** Of the named position, price units times share units. */
  amount: number;
};

/** Merges by id: fills only grow, an end is final, and repeated reports change nothing. */
export class TapedOrders {
  readonly #lives = new Map<OrderId, Life>();
  readonly #standing = new Map<MarketId, Map<OrderId, Life>>();
  readonly #ended = new Set<OrderId>();

  /**
   * @param scope which orders of the account are meant
   * @param mode  of the books that are read; orders of the other mode rest in other books
   * @param meets whether an order that arrives now trades at once
   */
  constructor(
    private readonly scope: OwnOrderScope,
    private readonly mode: CurrencyMode,
    private readonly meets: (order: TapedOrder) => boolean,
  ) {}

  /** Orders that stand in a market now. */
  standing(market: MarketId): Iterable<TapedOrder> {
    return this.#standing.get(market)?.values() ?? [];
  }

  /** @param at venue time of the report */
  report(report: OrderReport, at: Micros): readonly TapedOrderNews[] {
    const news: TapedOrderNews[] = [];
    const life = this.#lives.get(report.orderId) ?? this.#place(report, at, news);
    if (life === null || life.endedAt !== null) return news;
    this.#fill(life, report, at, news);
    if (IS_OVER.has(report.status)) this.#end(life, at, news);
    return news;
  }

  /**
   * @param asked venue time at which the request left
   * @param at    venue time at which the answer was received
   */
  answer({ outcome }: Answer, asked: Micros, at: Micros): readonly TapedOrderNews[] {
    if (!outcome.ok) return [];
    const { body } = outcome;
    if (body.kind === 'cancel-orders')
      return this.#gone(
        body.items.flatMap((item) => (item.ok ? item.value : [])),
        at,
      );
    if (body.kind === 'cancel-scope' || body.kind === 'create-orders')
      return this.#gone(body.canceledIds, at);
    return body.kind === 'read-orders' ? this.#listed(body.orders, asked, at) : [];
  }

  /** A complete listing: an order that is missing is gone, a new one rested before. */
  #listed(orders: readonly OrderReport[], askedAt: Micros, at: Micros): readonly TapedOrderNews[] {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    const known = [...this.#standing.values()].flatMap((market) => [...market.values()]);
    const gone = known.filter(({ orderId, placedAt }) => placedAt < askedAt && !listed.has(orderId));
    const news: TapedOrderNews[] = [
      ...this.#gone(
        gone.map(({ orderId }) => orderId),
        at,
      ),
    ];
    for (const report of orders) if (!this.#lives.has(report.orderId)) this.#place(report, at, news, true);
    return news;
  }

  #place(report: OrderReport, at: Micros, news: TapedOrderNews[], adopted = false): Life | null {
    const { orderId, marketId, side, position, currency, price, requested, status } = report;
    if (modeOf(currency) !== this.mode) return null;
    if (price === null || !(RESTS.has(status) || IS_OVER.has(status))) return null;
    if (!this.scope.isOurs(report)) return null;
    const life: Life = {
      orderId,
      marketId,
      position,
      side: bookSide(side, position),
      price: position === 'long' ? price : complement(price),
      requested,
      placedAt: at,
      adopted,
      filled: 0 as Shares,
      endedAt: null,
      amount: 0,
    };
    this.#lives.set(orderId, life);
    this.#market(marketId).set(orderId, life);
    news.push({ kind: 'placed', at, order: life });
    return life;
  }

  #fill(life: Life, { filled, averageFillPrice }: OrderReport, at: Micros, news: TapedOrderNews[]): void {
    const shares = ((filled ?? life.filled) - life.filled) as Shares;
    if (shares <= 0) return;
    const limit = life.position === 'long' ? life.price : complement(life.price);
    const average = averageFillPrice === null ? limit : averageFillPrice * PRICE_ONE;
    const amount = average * (life.filled + shares);
    const paid = (amount - life.amount) / shares;
    life.amount = amount;
    life.filled = (life.filled + shares) as Shares;
    const price = life.position === 'long' ? paid : PRICE_ONE - paid;
    const liquidity = at === life.placedAt && this.meets(life) ? 'taker' : 'maker';
    news.push({ kind: 'filled', at, order: life, shares, price, liquidity });
  }

  #gone(orders: readonly OrderId[], at: Micros): readonly TapedOrderNews[] {
    const news: TapedOrderNews[] = [];
    for (const id of orders) {
      const life = this.#lives.get(id);
      if (life !== undefined && life.endedAt === null) this.#end(life, at, news);
    }
    return news;
  }

  #end(life: Life, at: Micros, news: TapedOrderNews[]): void {
    life.endedAt = at;
    this.#market(life.marketId).delete(life.orderId);
    this.#ended.add(life.orderId);
    if (this.#ended.size > ENDED_MOST) this.#forgetOldest();
    news.push({ kind: 'ended', at, order: life });
  }

  #forgetOldest(): void {
    const [oldest] = this.#ended;
    this.#ended.delete(oldest!);
    this.#lives.delete(oldest!);
  }

  #market(id: MarketId): Map<OrderId, Life> {
    let market = this.#standing.get(id);
    if (market === undefined) this.#standing.set(id, (market = new Map()));
    return market;
  }
}

/** What the start of a run says of them. */
export type OwnOrderStart = Pick<EngineStart, 'ownership' | 'recovered'>;

/**
 * Which of the account's orders are the recording bot's: all, except in shared markets, where only ids from its own
 * answers count. There an order whose answer was lost counts as somebody else's.
 */
export class OwnOrderScope {
  #shared: ReadonlySet<MarketId> = new Set();
  /** In shared markets, until the order is met. */
  readonly #named = new Set<OrderId>();

  begins({ ownership, recovered }: OwnOrderStart): void {
    const shared = ownership.$entries.filter(([, scope]) => scope === 'shared');
    this.#shared = new Set(shared.map(([market]) => market));
    for (const record of recovered)
      if (record.kind === 'own-orders') record.orderIds.forEach((id) => this.#named.add(id));
  }

  /** An answer to the bot named this order. */
  named({ marketId, orderId }: OrderReport): void {
    if (this.#shared.has(marketId)) this.#named.add(orderId);
  }

  /** Asked once of every order. */
  isOurs({ marketId, orderId }: OrderReport): boolean {
    return !this.#shared.has(marketId) || this.#named.delete(orderId);
  }
}
