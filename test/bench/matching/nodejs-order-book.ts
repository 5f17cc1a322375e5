import type { IOrder, IProcessOrder } from 'nodejs-order-book';
import { OrderBook, Side } from 'nodejs-order-book';
import type { Ofw1Totals } from '../../support/matching/ofw1.js';
import { ADD, CANCEL, HASH_START, hashWord, REPLACE } from '../../support/matching/ofw1.js';
import type { Engine, EngineRun, PassTotals } from './engine.js';
import type { Flow } from './flow-file.js';

/** The most used order book on npm, as published, its ids text made beforehand. */
export const nodejsOrderBook: Engine = {
  start: (flow) => new Run(flow, namesOf(flow)),
  check: (flow) => check(flow, namesOf(flow)),
};

const namesOf = (flow: Flow): string[] => Array.from(flow.ids, (id) => `o${id}`);

class Run implements EngineRun {
  private readonly book = new OrderBook();
  private trades = 0;
  private volume = 0;

  constructor(
    private readonly flow: Flow,
    private readonly names: readonly string[],
  ) {}

  operations(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const answer = send(this.book, this.flow, at, this.names[at]!);
      if (answer !== null) this.count(answer, this.flow.sizes[at]!, this.names[at]!);
    }
  }

  totals(): PassTotals {
    return { trades: this.trades, volume: this.volume };
  }

  private count(answer: IProcessOrder, size: number, taker: string): void {
    const { done, partial } = answer;
    const finished = done.length - (done.at(-1)?.id === taker ? 1 : 0);
    if (finished === 0 && partial === null) return;
    const open = partial?.id === taker;
    this.trades += finished + (partial !== null && !open ? 1 : 0);
    this.volume += size - (open ? partial.size : answer.quantityLeft);
  }
}

/** @returns the book's answer, null where it can hold no trade */
function send(book: OrderBook, flow: Flow, at: number, id: string): IProcessOrder | null {
  const { kinds, ticks, sizes } = flow;
  const side = flow.sides[at] === 0 ? Side.BUY : Side.SELL;
  const kind = kinds[at]!;
  if (kind === ADD) return book.limit({ id, side, price: ticks[at]!, size: sizes[at]! });
  if (kind === REPLACE) return book.modify(id, { price: ticks[at]!, size: sizes[at]! });
  if (kind !== CANCEL) return book.market({ side, size: sizes[at]! });
  book.cancel(id);
  return null;
}

function check(flow: Flow, names: readonly string[]): Ofw1Totals {
  const book = new OrderBook();
  let [trades, volume, hash] = [0, 0, HASH_START];
  for (let at = 0; at < flow.count; at++) {
    const answer = send(book, flow, at, names[at]!);
    if (answer === null) continue;
    for (const { maker, tick, shares } of tradesOf(answer, names[at]!)) {
      trades++;
      volume += shares;
      hash = hashWord(hashWord(hash, flow.ids[at]!), maker);
      hash = hashWord(hashWord(hash, tick), shares);
    }
  }
  const orders = book.snapshot();
  const resting = [...orders.bids, ...orders.asks].flatMap((level) => level.orders);
  const restingVolume = resting.reduce((sum, order) => sum + order.size, 0);
  return { trades, volume, restingOrders: resting.length, restingVolume, hash: hash >>> 0 };
}

interface Trade {
  readonly maker: number;
  readonly tick: number;
  readonly shares: number;
}

/** Finished makers in order, then the one that was hit last and is not finished. */
function tradesOf({ done, partial, partialQuantityProcessed }: IProcessOrder, taker: string): Trade[] {
  const trade = (order: IOrder, shares: number): Trade => {
    const tick = 'price' in order ? order.price : 0;
    return { maker: Number(order.id.slice(1)), tick, shares };
  };
  const finished = done.filter(({ id }) => id !== taker).map((order) => trade(order, order.size));
  return partial === null || partial.id === taker
    ? finished
    : [...finished, trade(partial, partialQuantityProcessed)];
}
