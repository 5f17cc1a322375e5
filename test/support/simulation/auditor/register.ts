/**
 * The account of the bot as the venue's own words make it: its orders in every currency, what it holds and paid in the
 * one that the bot trades. No code of the bot.
 */
import type { MarketId, OrderId } from '../../../../src/exchange/contract/ids.js';
import { complement, type Micros } from '../../../../src/domain/units.js';
import { bookSide, type Currency, type Position, type Side } from '../../../../src/domain/vocabulary.js';
import type {
  ExchangeEvent,
  OrderUpdateEvent,
  PositionUpdateEvent,
  TradeEvent,
  TradeParty,
} from '../../../../src/exchange/contract.js';
import type { Cause, Letter } from '../venue-record.js';

/** An order of the account. Prices are of the named position. */
export interface RegisteredOrder {
  readonly id: OrderId;
  readonly marketId: MarketId;
  readonly eventId: number;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  readonly bookSide: Side;
  /** Price units of the named position; 0 for a market order. */
  readonly price: number;
  readonly requested: number;
  readonly placedAt: Micros;
  /** The letter that asked for it; null for one by hand. */
  readonly letter: Letter | null;
  filled: number;
  isWorking: boolean;
}

/** What is held in a market, in share units, and what was paid for it less what came back, in money units. */
export interface RegisteredHolding {
  long: number;
  short: number;
  cost: number;
  /** What the venue says that the shares held were bought for. */
  readonly bought: Record<Position, number>;
}

const WORKING: readonly OrderUpdateEvent['status'][] = ['pending', 'open', 'partial_filled'];

export class Register {
  readonly orders = new Map<OrderId, RegisteredOrder>();
  /** Working ones by market. */
  readonly #working = new Map<MarketId, Set<RegisteredOrder>>();
  readonly #holdings = new Map<MarketId, RegisteredHolding>();
  /** Events in which money moved by decree: what was paid there says nothing any more. */
  readonly decreed = new Set<number>();
  /** What an order's creator created last. */
  #created: RegisteredOrder[] = [];

  constructor(
    readonly account: number,
    readonly currency: Currency,
  ) {}

  take(events: readonly ExchangeEvent[], cause: Cause, at: Micros): void {
    for (const event of events) {
      if (event.kind === 'order-update' && event.account === this.account) this.#order(event, cause, at);
      else if (event.kind === 'position-update' && event.account === this.account) this.#position(event);
      else if (event.kind === 'trade') this.#trade(event);
      else if (event.kind === 'market-status-change') this.#status(event);
    }
  }

  working(market: MarketId): Iterable<RegisteredOrder> {
    return this.#working.get(market) ?? [];
  }

  *allWorking(): Iterable<RegisteredOrder> {
    for (const orders of this.#working.values()) yield* orders;
  }

  holding(market: MarketId): RegisteredHolding {
    const known = this.#holdings.get(market);
    if (known !== undefined) return known;
    const none = { long: 0, short: 0, cost: 0, bought: { long: 0, short: 0 } };
    this.#holdings.set(market, none);
    return none;
  }

  /** Orders created since this was asked last. */
  drainCreated(): readonly RegisteredOrder[] {
    const created = this.#created;
    this.#created = [];
    return created;
  }

  #order(event: OrderUpdateEvent, cause: Cause, at: Micros): void {
    const order = this.orders.get(event.orderId) ?? this.#create(event, cause, at);
    order.filled = event.filled;
    order.isWorking = WORKING.includes(event.status);
    if (!order.isWorking) this.#working.get(order.marketId)?.delete(order);
  }

  #create(event: OrderUpdateEvent, cause: Cause, at: Micros): RegisteredOrder {
    const { orderId: id, marketId, eventId, side, position, currency, price, requested } = event;
    const order: RegisteredOrder = {
      id,
      marketId,
      eventId,
      side,
      position,
      currency,
      bookSide: bookSide(side, position),
      price: price ?? 0,
      requested,
      placedAt: at,
      letter: cause.by === 'letter' ? cause.letter : null,
      filled: 0,
      isWorking: true,
    };
    this.orders.set(id, order);
    this.#created.push(order);
    const shelf = this.#working.get(marketId) ?? new Set();
    this.#working.set(marketId, shelf.add(order));
    return order;
  }

  /** A run begins its books with what the shares held were bought for: what was earned or lost before is not its own. */
  openBooks(): void {
    for (const holding of this.#holdings.values()) holding.cost = holding.bought.long + holding.bought.short;
  }

  #position({ marketId, position, currency, shares, purchasesAmount }: PositionUpdateEvent): void {
    if (currency !== this.currency) return;
    const holding = this.holding(marketId);
    holding[position] = shares;
    holding.bought[position] = purchasesAmount;
  }

  #trade(event: TradeEvent): void {
    for (const party of [event.taker, event.maker])
      if (party.account === this.account && party.currency === this.currency)
        this.holding(event.marketId).cost += paid(event, party);
  }

  #status({ eventId, status }: Extract<ExchangeEvent, { kind: 'market-status-change' }>): void {
    if (status === 'resolved' || status === 'cancelled' || status === 'reversed') this.decreed.add(eventId);
  }
}

function paid({ price, shares }: TradeEvent, { side, position, fee }: TradeParty): number {
  const own = position === 'long' ? price : complement(price);
  return (side === 'bid' ? own * shares : -own * shares) + fee;
}
