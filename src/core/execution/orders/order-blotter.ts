import type { MarketId, OrderId } from '../../../domain/ids.js';
import { MarketNumbers } from '../../../domain/market-numbers.js';
import { MarketTable } from '../../../domain/market-table.js';
import type { Micros, Shares } from '../../../domain/units.js';
import { OrdersById } from './orders-by-id.js';
import { RecentIds } from './recent-ids.js';
import { shrink } from './order-changes.js';
import type { OwnOrder } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';
import { UnheardEnds } from './unheard-ends.js';

/** The account's orders in one market, each list in order of appearance. */
export interface MarketOrders {
  /** Another number after every change of one of these orders; what was made from them serves while it is the same. */
  readonly version: number;
  /** Everything that is not `done`, foreign orders included. */
  readonly working: readonly OwnOrder[];
  /** What ended lately, oldest first: frames about it, and books that still show it, may be under way. */
  readonly ended: readonly OwnOrder[];
}

/** Who is told of every change at once. */
export interface OrderFollower {
  /** Orders of a market have changed, come or gone. */
  changed(market: MarketId): void;
  /** Those of the list from `first` to before `end` came, all in one market, of which nothing else has changed. */
  came(orders: readonly OwnOrder[], first: number, end: number): void;
}

/** The list of every market that has none; never pushed to. */
const NO_ORDERS: TrackedOrder[] = [];
/** Lists up to this long have no room to spare. */
const FEW = 4;
/** A list up to this long is cut as soon as its oldest entry is old. */
const SHORT_LIST = 64;

/** Where the orders are kept: by market for those who plan, by id for those who listen. */
export class OrderBlotter {
  readonly #byId = new OrdersById();
  readonly #versions = new MarketNumbers();
  readonly #working = new MarketTable<TrackedOrder[]>();
  readonly #ended = new MarketTable<TrackedOrder[]>();
  /** Those that have a version, in order of first appearance. */
  readonly #markets: MarketId[] = [];
  readonly #forgotten = new RecentIds();
  readonly #doubtful = new Set<TrackedOrder>();
  readonly #watchers: Set<MarketId>[] = [];
  readonly #followers: OrderFollower[] = [];
  readonly #unheardEnds = new UnheardEnds();
  #isGathering = false;
  /** Whose change nobody has heard of yet; some of its working orders may be done. */
  #gathered: MarketId | null = null;

  /** @param keepEnded microseconds an ended order is kept for late fills */
  constructor(readonly keepEnded: number) {}

  /** @returns a set that takes the market of every order that comes, changes or goes; its owner empties it */
  watch(): Set<MarketId> {
    const changed = new Set(this.#markets);
    this.#watchers.push(changed);
    return changed;
  }

  /** Tells of every change from now on, and of what there is. */
  follow(follower: OrderFollower): void {
    for (const market of this.#markets) follower.changed(market);
    this.#followers.push(follower);
  }

  /**
   * Of all changes to the orders of one market that follow each other in `change` the others hear once, and what ended leaves the
   * list of those that work in one pass. Whoever looks meanwhile sees everything as it is.
   */
  gather(change: () => void): void {
    this.#isGathering = true;
    try {
      change();
    } finally {
      this.#isGathering = false;
      this.#spread();
    }
  }

  /** @returns live views; do not hold on to them while orders change */
  market(id: MarketId): MarketOrders {
    this.#spread();
    return { version: this.#versions.get(id) ?? 0, working: this.working(id), ended: this.#endedOf(id) };
  }

  /** Everything of the market that is not `done`. */
  working(id: MarketId): readonly TrackedOrder[] {
    this.#spread();
    return this.#working.get(id) ?? NO_ORDERS;
  }

  markets(): IterableIterator<MarketId> {
    return this.#markets.values();
  }

  byId(id: OrderId): TrackedOrder | undefined {
    return this.#byId.get(id);
  }

  isForgotten(id: OrderId): boolean {
    return this.#forgotten.has(id);
  }

  /** Orders in state `unknown`, in the order in which they came into doubt. */
  get doubtful(): ReadonlySet<TrackedOrder> {
    return this.#doubtful;
  }

  /** Ended orders that may have traded before their end without our knowing; see {@link UnheardEnds}. */
  unheardEnds(market: MarketId): readonly TrackedOrder[] {
    return this.#unheardEnds.of(market);
  }

  /** Since when the first of them may have; null when there is none. */
  get oldestUnheardEnd(): Micros | null {
    return this.#unheardEnds.oldest;
  }

  /** What may be filled in the market is another amount now. */
  touch(market: MarketId): void {
    this.#changed(market);
  }

  /** What was filled is known of those that it holds for. */
  settleEnds(isKnown: (order: TrackedOrder, since: Micros) => boolean): void {
    for (const market of this.#unheardEnds.settle(isKnown)) this.#changed(market);
  }

  /** An order changed. */
  restate(order: TrackedOrder): void {
    this.#changed(order.marketId);
    if (order.state === 'unknown') this.#doubtful.add(order);
    else this.#isCertain(order);
  }

  add(order: TrackedOrder): void {
    this.#work(order);
    if (order.orderId !== null) this.#byId.set(order.orderId, order);
  }

  /** Takes in what one request asks for; mostly all of it in one market. */
  addAll(orders: readonly TrackedOrder[]): void {
    for (let next = 0; next < orders.length;) next = this.#addFrom(orders, next);
  }

  /** The venue told the id of an order that had none. */
  name(order: TrackedOrder, id: OrderId): void {
    order.orderId = id;
    this.#changed(order.marketId);
    this.#byId.set(id, order);
    this.#forgotten.delete(id);
  }

  /** Takes out an order that turned out to be another one we know. */
  drop(order: TrackedOrder): void {
    const working = this.#working.get(order.marketId) ?? NO_ORDERS;
    const position = working.indexOf(order);
    if (position >= 0) working.splice(position, 1);
    this.#changed(order.marketId);
    this.#isCertain(order);
  }

  /** Moves an order that just became `done` from the working to the ended ones. */
  end(order: TrackedOrder, at: Micros): void {
    if (this.#isGathering) this.restate(order);
    else this.drop(order);
    order.endedAt = at;
    shrink(order, 0 as Shares, at);
    if (order.ending === 'rejected' || order.ending === 'never-executed') order.shownBefore = 0 as Shares;
    // What the order was to be replaced by may be disproved by the answer to a cancel, which comes after the frame.
    if (order.successor?.orderId !== null) order.successor = null;
    if (mayHaveTraded(order)) this.#unheardEnds.add(order, at);
    const ended = appended(this.#endedOf(order.marketId), order);
    this.#ended.set(order.marketId, ended);
    this.#forgetBefore(ended, at - this.keepEnded);
  }

  /** Moves an ended order back to the working ones, as the youngest. */
  revive(order: TrackedOrder): void {
    this.#spread();
    const ended = this.#endedOf(order.marketId);
    ended.splice(ended.indexOf(order), 1);
    this.#work(order);
  }

  /** Those of the first one's market. @returns the place behind them */
  #addFrom(orders: readonly TrackedOrder[], first: number): number {
    const { marketId } = orders[first]!;
    let end = first + 1;
    while (end < orders.length && orders[end]!.marketId === marketId) end += 1;
    let working = this.#working.get(marketId) ?? NO_ORDERS;
    for (let next = first; next < end; next += 1) working = appended(working, orders[next]!);
    this.#working.set(marketId, working);
    this.#renew(marketId);
    for (const follower of this.#followers) follower.came(orders, first, end);
    return end;
  }

  #work(order: TrackedOrder): void {
    const { marketId } = order;
    this.#working.set(marketId, appended(this.#working.get(marketId) ?? NO_ORDERS, order));
    this.#changed(marketId);
  }

  #endedOf(market: MarketId): TrackedOrder[] {
    return this.#ended.get(market) ?? NO_ORDERS;
  }

  /** Nearly always none is in doubt. */
  #isCertain(order: TrackedOrder): void {
    if (this.#doubtful.size > 0) this.#doubtful.delete(order);
  }

  #changed(market: MarketId): void {
    if (market === this.#gathered) return;
    this.#spread();
    if (this.#isGathering) this.#gathered = market;
    else this.#tell(market);
  }

  #tell(market: MarketId): void {
    this.#renew(market);
    for (const follower of this.#followers) follower.changed(market);
  }

  /** What was gathered is told. */
  #spread(): void {
    const market = this.#gathered;
    if (market === null) return;
    this.#gathered = null;
    const working = this.#working.get(market);
    if (working !== undefined) keepWorking(working);
    this.#tell(market);
  }

  #renew(market: MarketId): void {
    const version = this.#versions.get(market) ?? 0;
    if (version === 0) this.#markets.push(market);
    this.#versions.set(market, version + 1);
    for (const watcher of this.#watchers) watcher.add(market);
  }

  #forgetBefore(ended: TrackedOrder[], time: number): void {
    // Cutting the front off moves all the others: a long list is cut when half of it is old.
    const middle = ended.length < SHORT_LIST ? 0 : ended.length >> 1;
    if ((ended[middle]?.endedAt ?? 0) >= time) return;
    let old = 0;
    while (old < ended.length && (ended[old]?.endedAt ?? 0) < time) this.#forget(ended[old++]!);
    if (old > 0) ended.splice(0, old);
  }

  /** Another order may carry the id by now. */
  #forget(order: TrackedOrder): void {
    if (order.orderId !== null && this.#byId.delete(order.orderId, order)) this.#forgotten.add(order.orderId);
  }
}

/**
 * A short list takes no more room than it has entries: there is one for every market, and one that is pushed to makes
 * room for seventeen. What is appended comes as a list, too: of anything else `concat` asks first whether it is one, which
 * takes four times as long as the rest.
 */
function appended(orders: TrackedOrder[], order: TrackedOrder): TrackedOrder[] {
  if (orders.length < FEW) return orders.concat([order]);
  orders.push(order);
  return orders;
}

/** Takes out what is done. */
function keepWorking(orders: TrackedOrder[]): void {
  let kept = 0;
  for (const order of orders) if (order.state !== 'done') orders[kept++] = order;
  orders.length = kept;
}

/** A report that tells the end tells the fills, too; an answer to a cancel and an absence do not. */
const mayHaveTraded = ({ stage, ending, filled, requested }: TrackedOrder): boolean =>
  stage !== 'ended' && (ending === 'canceled' || ending === 'vanished') && filled < requested;
