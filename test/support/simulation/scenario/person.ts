/** The person whose account it is: trades at the venue's own screen, which shows the book and the account's orders. */
import { marketId, type OrderId } from '../../../../src/exchange/contract/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import { modeOf } from '../../../../src/domain/vocabulary.js';
import type { ListedOrderStatus, OrderView } from '../../../../src/exchange/contract.js';
import type { Cause } from '../venue-record.js';
import { type HouseWorld, MAKER } from '../world.js';
import type { HandHappening } from './happening.js';

const HAND: Cause = { by: 'hand' };
const TICK = 100;
const [LEAST, MOST] = [100, 9_900];
const WORKING: readonly ListedOrderStatus[] = ['processing', 'open', 'partial_filled'];
const ALL = { limit: 100_000, offset: 0 };

type Placing = Extract<HandHappening, { kind: 'hand-places' }>;

export class Person {
  /** Orders that the person placed, over. */
  readonly #own = new Set<OrderId>();

  /** @param shared events in which others than the bot may trade with the account */
  constructor(
    private readonly world: HouseWorld,
    private readonly shared: ReadonlySet<number>,
  ) {}

  act(happening: HandHappening): void {
    if (!this.world.isListening) return;
    switch (happening.kind) {
      case 'hand-places':
        return this.#place(happening);
      case 'hand-cancels':
        return this.#cancel(this.#choose(happening.whose, happening.which));
      case 'hand-moves':
        return this.#move(this.#choose('own', happening.which), happening.byTicks);
      case 'hand-clears':
        return void this.world.execute(HAND, {
          kind: 'cancel-all',
          account: MAKER,
          eventId: null,
          marketId: marketId(happening.market),
        });
    }
  }

  #place(placing: Placing): void {
    const { market, side, position, currency, clearsTheWay, expiresAfterMs } = placing;
    const shares = side === 'bid' ? placing.shares : Math.min(placing.shares, this.#sellable(placing));
    if (shares === 0) return;
    const outcome = this.world.execute(HAND, {
      kind: 'place-order',
      account: MAKER,
      request: null,
      order: {
        marketId: marketId(market),
        eventId: null,
        side,
        position,
        currency,
        price: this.#priceOf(placing),
        shares,
        amount: null,
        expiresAt: expiresAfterMs === null ? null : ((this.world.now + expiresAfterMs * 1_000) as Micros),
        cancelConflicting: clearsTheWay,
      },
    });
    if (outcome.ok) this.#own.add(outcome.order.id);
  }

  #priceOf({ market, side, position, currency, ticks }: Placing): number | null {
    if (ticks === null) return null;
    const book = this.world.venue.exchange.book(marketId(market), modeOf(currency), position, null)!;
    const touch = side === 'bid' ? (book.asks[0]?.price ?? 6_000) : (book.bids[0]?.price ?? 4_000);
    return onGrid(touch + (side === 'bid' ? -ticks : ticks) * TICK);
  }

  /** Shares that the account holds and does not offer yet. */
  #sellable({ market, position, currency }: Placing): number {
    const { accounts } = this.world.venue.exchange.ledger();
    const account = accounts.find((one) => one.id === MAKER && one.currency === currency);
    const row = account?.shares.find((one) => one.marketId === market && one.position === position);
    return row === undefined ? 0 : row.shares - row.locked;
  }

  #cancel(order: OrderView | undefined): void {
    if (order !== undefined)
      this.world.execute(HAND, { kind: 'cancel-order', account: MAKER, orderId: order.id });
  }

  #move(order: OrderView | undefined, byTicks: number): void {
    if (order === undefined || order.price === null) return;
    const updates = [{ orderId: order.id, price: onGrid(order.price + byTicks * TICK) }];
    const command = { kind: 'update-batch', account: MAKER, request: null, updates } as const;
    const outcome = this.world.execute(HAND, command);
    for (const item of outcome.ok ? outcome.items : []) if (item.ok) this.#own.add(item.value.id);
  }

  #choose(whose: 'own' | 'any', which: number): OrderView | undefined {
    const { exchange } = this.world.venue;
    const orders = WORKING.flatMap((status) => exchange.orders(MAKER, { status, ...ALL }).results).filter(
      ({ id, eventId }) => this.shared.has(eventId) && (whose === 'any' || this.#own.has(id)),
    );
    return orders[which % Math.max(1, orders.length)];
  }
}

const onGrid = (price: number): number => Math.min(MOST, Math.max(LEAST, price));
