import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { Micros, Shares } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';

/** The account's orders in one market, each list in order of appearance. */
export interface MarketOrders {
  /** Another number after every change of one of these orders. */
  readonly version: number;
  /** Everything that is not `done`, foreign orders included. */
  readonly working: readonly OwnOrder[];
  /** Recently ended orders, oldest first: frames about them, and books that still show them, may be under way. */
  readonly ended: readonly OwnOrder[];
}

interface Orders {
  version: number;
  readonly working: TrackedOrder[];
  readonly ended: TrackedOrder[];
}

const NO_ORDERS: MarketOrders = { version: 0, working: [], ended: [] };

/** At least so many ids of forgotten orders are remembered. */
const FORGOTTEN_LEAST = 10_000;

/** All orders of the account: by market for planning, by id for messages. */
export class OrderBlotter {
  readonly #byId = new Map<OrderId, TrackedOrder>();
  /** In order of first appearance. */
  readonly #byMarket = new Map<MarketId, Orders>();
  /** Ids of forgotten orders, so that a late copy of a frame does not revive one. Two sets in turn bound the memory. */
  #forgotten = new Set<OrderId>();
  #forgottenBefore = new Set<OrderId>();
  readonly #doubtful = new Set<TrackedOrder>();
  readonly #watchers: Set<MarketId>[] = [];
  #count = 0;
  #version = 0;
  /**
   * Ended orders of which nobody has told how much was filled before the end: the frame that says so is late or lost.
   * With the time since when each may have been filled by more than was told.
   */
  readonly #unheardEnds = new Map<TrackedOrder, Micros>();

  /** @param keepEnded microseconds an ended order is kept for late fills */
  constructor(readonly keepEnded: number) {}

  /** @returns a set that takes the market of every order that comes, changes or goes; its owner empties it */
  watch(): Set<MarketId> {
    const changed = new Set(this.#byMarket.keys());
    this.#watchers.push(changed);
    return changed;
  }

  /** @returns live views; do not hold on to them while orders change */
  market(id: MarketId): MarketOrders {
    return this.#byMarket.get(id) ?? NO_ORDERS;
  }

  /** Number of orders in all markets that are not `done`, foreign ones included. */
  get count(): number {
    return this.#count;
  }

  /** Everything of the market that is not `done`. */
  working(id: MarketId): readonly TrackedOrder[] {
    return this.#byMarket.get(id)?.working ?? [];
  }

  markets(): IterableIterator<MarketId> {
    return this.#byMarket.keys();
  }

  byId(id: OrderId): TrackedOrder | undefined {
    return this.#byId.get(id);
  }

  isForgotten(id: OrderId): boolean {
    return this.#forgotten.has(id) || this.#forgottenBefore.has(id);
  }

  /** Orders in state `unknown`, in the order in which they came into doubt. */
  get doubtful(): ReadonlySet<TrackedOrder> {
    return this.#doubtful;
  }

  /** Ended orders of the market that may have traded before their end without our knowing, in order of appearance. */
  unheardEnds(market: MarketId): readonly TrackedOrder[] {
    return [...this.#unheardEnds.keys()].filter(({ marketId }) => marketId === market);
  }

  /** Since when the first of them may have; null when there is none. */
  get oldestUnheardEnd(): Micros | null {
    let oldest = Infinity;
    for (const since of this.#unheardEnds.values()) oldest = Math.min(oldest, since);
    return oldest === Infinity ? null : (oldest as Micros);
  }

  /** Forgets the unheard ends whose fills are known. */
  settleEnds(isKnown: (order: TrackedOrder, since: Micros) => boolean): void {
    for (const [order, since] of this.#unheardEnds) {
      if (!isKnown(order, since)) continue;
      this.#unheardEnds.delete(order);
      this.touch(order.marketId);
    }
  }

  /** Another number after every change of an order. */
  get version(): number {
    return this.#version;
  }

  /** Orders of the market, or what may be filled there, have changed. */
  touch(market: MarketId): void {
    this.#version += 1;
    this.#in(market).version += 1;
    for (const watcher of this.#watchers) watcher.add(market);
  }

  /** An order changed. */
  restate(order: TrackedOrder): void {
    this.touch(order.marketId);
    if (order.state === 'unknown') this.#doubtful.add(order);
    else this.#doubtful.delete(order);
  }

  add(order: TrackedOrder): void {
    this.#in(order.marketId).working.push(order);
    this.#count += 1;
    this.touch(order.marketId);
    if (order.orderId !== null) this.#byId.set(order.orderId, order);
  }

  /** The venue told the id of an order that had none. */
  name(order: TrackedOrder, id: OrderId): void {
    order.orderId = id;
    this.touch(order.marketId);
    this.#byId.set(id, order);
    this.#forgotten.delete(id);
    this.#forgottenBefore.delete(id);
  }

  /** Takes out an order that turned out to be another one we know. */
  drop(order: TrackedOrder): void {
    if (remove(this.#in(order.marketId).working, order)) this.#count -= 1;
    this.#doubtful.delete(order);
    this.touch(order.marketId);
  }

  /** Moves an order that just became `done` from the working to the ended ones. */
  end(order: TrackedOrder, at: Micros): void {
    this.drop(order);
    order.endedAt = at;
    order.shrink(0 as Shares, at);
    if (order.ending === 'rejected' || order.ending === 'never-executed') order.shownBefore = 0 as Shares;
    // The answer to a cancel comes after the frame, and may disprove the successor.
    if (order.successor?.orderId !== null) order.successor = null;
    if (mayHaveTraded(order)) this.#unheardEnds.set(order, at);
    const { ended } = this.#in(order.marketId);
    ended.push(order);
    while (ended.length > 0 && (ended[0]!.endedAt ?? 0) < at - this.keepEnded) this.#forget(ended.shift()!);
  }

  /** Moves an ended order back to the working ones, as the youngest. */
  revive(order: TrackedOrder): void {
    const { working, ended } = this.#in(order.marketId);
    remove(ended, order);
    working.push(order);
    this.#count += 1;
    this.touch(order.marketId);
  }

  #in(market: MarketId): Orders {
    let orders = this.#byMarket.get(market);
    if (orders === undefined) this.#byMarket.set(market, (orders = { version: 0, working: [], ended: [] }));
    return orders;
  }

  /** Another order may carry the id by now. */
  #forget(order: TrackedOrder): void {
    const { orderId } = order;
    if (orderId === null || this.#byId.get(orderId) !== order) return;
    this.#byId.delete(orderId);
    if (this.#forgotten.size >= FORGOTTEN_LEAST)
      [this.#forgottenBefore, this.#forgotten] = [this.#forgotten, new Set()];
    this.#forgotten.add(orderId);
  }
}

/** @returns whether it was there */
function remove(orders: TrackedOrder[], order: TrackedOrder): boolean {
  const at = orders.indexOf(order);
  if (at >= 0) orders.splice(at, 1);
  return at >= 0;
}

/** A report that tells the end tells the fills, too; an answer to a cancel and an absence do not. */
const mayHaveTraded = ({ stage, ending, filled, requested }: TrackedOrder): boolean =>
  stage !== 'ended' && (ending === 'canceled' || ending === 'vanished') && filled < requested;
