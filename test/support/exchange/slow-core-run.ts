import { NaiveBook } from '../matching/naive-book.js';
import type { Ofw1Case, Ofw1Tape } from '../matching/ofw1.js';
import { ADD, CANCEL, MARKET } from '../matching/ofw1.js';
import { FLOW_CASH, flowAccount, flowTick } from './core-flow.js';

interface SlowOrder {
  /** The tape's id. */
  readonly id: number;
  readonly account: number;
  readonly side: 0 | 1;
  readonly tick: number;
  filled: number;
  left: number;
}

export interface SlowTrade {
  readonly taker: number;
  readonly maker: number;
  readonly tick: number;
  readonly shares: number;
}

/**
 * The obvious slow core for OFW1 alone, where a million operations are too many for searching all orders: the naive
 * book, a map of each account's working orders, and money moved trade by trade. Accounts by number of the tape.
 */
export class SlowCoreRun {
  readonly book: NaiveBook;
  readonly cash = new Map<number, number>();
  /** Long and short shares per account. */
  readonly shares = new Map<number, [long: number, short: number]>();
  private readonly working = new Map<number, SlowOrder>();
  private readonly byAccount = new Map<number, Set<SlowOrder>>();
  private readonly tick: number;
  private trades: SlowTrade[] = [];

  constructor(
    private readonly flow: Ofw1Case,
    private readonly tape: Ofw1Tape,
  ) {
    this.book = new NaiveBook(1, flow.maxTick);
    this.tick = flowTick(flow);
  }

  /** Executes one operation. @returns what it traded */
  step(at: number): readonly SlowTrade[] {
    this.trades = [];
    const [kind, id, side] = [this.tape.kinds[at], this.tape.ids[at]!, this.tape.sides[at] as 0 | 1];
    if (kind === ADD) this.place(id, side, this.tape.ticks[at]!, this.tape.sizes[at]!);
    else if (kind === MARKET) this.market(id, side, this.tape.sizes[at]!);
    else if (kind === CANCEL) this.remove(id);
    else this.replace(id, this.tape.ticks[at]!, this.tape.sizes[at]!);
    return this.trades;
  }

  /** Cash that no working order has locked. */
  spendable(account: number): number {
    const locked = [...this.ordersOf(account)].map(({ side, tick, left }) => this.price(side, tick) * left);
    return this.cashOf(account) - locked.reduce((sum, lock) => sum + lock, 0);
  }

  private place(id: number, side: 0 | 1, tick: number, size: number): void {
    const account = flowAccount(id);
    for (const order of this.conflicts(account, side, tick)) this.remove(order.id);
    const order = { id, account, side, tick, filled: 0, left: size };
    this.book.add(id, side, tick, size);
    this.settle(order);
    if (order.left > 0) this.rest(order);
  }

  private market(id: number, side: 0 | 1, size: number): void {
    const account = flowAccount(id);
    for (const order of this.conflicts(account, side, side === 0 ? this.flow.maxTick : 1))
      this.remove(order.id);
    this.book.market(side, size);
    this.settle({ id, account, side, tick: 0, filled: 0, left: size });
  }

  /** Only an order without fills is replaced, and only by one that conflicts with none of the account's. */
  private replace(id: number, tick: number, size: number): void {
    const old = this.working.get(id);
    if (old === undefined || old.filled > 0 || this.conflicts(old.account, old.side, tick).length > 0) return;
    this.remove(id);
    this.place(id, old.side, tick, size);
  }

  private conflicts(account: number, side: 0 | 1, tick: number): SlowOrder[] {
    const crosses = (order: SlowOrder): boolean => (side === 0 ? order.tick <= tick : order.tick >= tick);
    return [...this.ordersOf(account)].filter((order) => order.side !== side && crosses(order));
  }

  private settle(taker: SlowOrder): void {
    for (const { makerId, tick, shares } of this.book.fills) {
      const maker = this.working.get(makerId)!;
      this.trades.push({ taker: taker.id, maker: makerId, tick, shares });
      this.fill(taker, tick, shares);
      this.fill(maker, tick, shares);
      if (maker.left === 0) this.forget(maker);
    }
  }

  private fill(order: SlowOrder, tick: number, shares: number): void {
    const { account, side } = order;
    this.cash.set(account, this.cashOf(account) - this.price(side, tick) * shares);
    const held = this.shares.get(account) ?? [0, 0];
    held[side] += shares;
    this.shares.set(account, held);
    order.filled += shares;
    order.left -= shares;
  }

  private price(side: 0 | 1, tick: number): number {
    return side === 0 ? tick * this.tick : 10_000 - tick * this.tick;
  }

  private remove(id: number): void {
    const order = this.working.get(id);
    if (order === undefined) return;
    this.book.cancel(id);
    this.forget(order);
  }

  private rest(order: SlowOrder): void {
    this.working.set(order.id, order);
    this.ordersOf(order.account).add(order);
  }

  private forget(order: SlowOrder): void {
    this.working.delete(order.id);
    this.ordersOf(order.account).delete(order);
  }

  private ordersOf(account: number): Set<SlowOrder> {
    const orders = this.byAccount.get(account) ?? new Set();
    this.byAccount.set(account, orders);
    return orders;
  }

  private cashOf(account: number): number {
    return this.cash.get(account) ?? FLOW_CASH;
  }
}
