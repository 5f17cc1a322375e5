/** Recordings order by order (`lobster-aapl-l3` in `../shared/data`): CSV of adds, cancels and executions. */
import { eventId, marketId } from '../../domain/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import { LineSplitter, textOf } from '../tape/packed-text.js';
import { RecordingError } from '../tape/tape-files.js';
import { BlockBuilder, changeWord, type OrderChange, ROW, takerWord, type TapeBlock } from './blocks.js';
import type { BlockStream } from './neutral.js';

/** First line of such a file. */
export const ORDERS_HEAD = 'seq,t_ns,action,order_id,side,price,size';

const EVENT = eventId(1);
const MARKET = marketId(1);
/** Index of the only market. */
const PLACE = 0;
/** The first price of the file becomes 0.5. A cent is a tick. */
const MIDDLE = PRICE_ONE / 2;
const SHARE_UNITS = 100;
const NANOS = 1_000;
const ROW_TEXT = /^(\d+),(\d+),([AOICDEH]),(\d+),([BS]),(\d+(?:\.\d+)?),(\d+)$/;

/**
 * Decodes such a recording. It names no market and no date, and its prices are in cents. So the market is 1 of event 1, time
 * starts at midnight of 1 January 1970, and prices are moved so that the first one is 0.5.
 * @throws RecordingError, from the iteration, naming line and offset
 */
export function decodeOrders(file: string): BlockStream {
  const decoder = new OrdersDecoder(file);
  return { markets: decoder.builder.markets, blocks: decoder.blocks(), about: () => decoder.about };
}

interface OrderRow {
  readonly seq: number;
  readonly at: number;
  readonly action: string;
  readonly id: number;
  readonly side: Side;
  readonly cents: number;
  readonly shares: number;
}

class OrdersDecoder {
  readonly builder = new BlockBuilder();
  private readonly queues = new OrderQueues();
  private readonly splitter = new LineSplitter((bytes, from, to, offset) => {
    this.offset = offset;
    this.line(bytes.toString('latin1', from, to));
  });
  private readonly outside = new Set<number>();
  private count = 0;
  private offset = 0;
  private seq = -1;
  private latest = 0;
  private shift: number | null = null;

  constructor(private readonly file: string) {}

  get about() {
    const notes = [
      'it tells each order: queue positions are exact, whatever the queue model',
      `prices are moved by ${(this.shift ?? 0) / SHARE_UNITS} so that the first one is 0.5, a cent is 0.0001`,
      ...(this.outside.size === 0 ? [] : [`${this.outside.size} orders beyond 0 and 1 are left out`]),
    ];
    return {
      named: [{ eventId: EVENT, marketId: MARKET, title: 'Order by order', tickUnits: 1 }],
      notes,
    };
  }

  async *blocks(): AsyncGenerator<TapeBlock> {
    for await (const piece of textOf(this.file, () => undefined, 'whole')) {
      this.splitter.push(piece);
      yield* this.builder.take();
    }
    this.splitter.end();
    if (this.shift === null) throw new RecordingError(this.file, 0, 'the recording is empty');
    yield* this.builder.end();
  }

  private line(text: string): void {
    this.count += 1;
    if (this.count === 1 && text !== ORDERS_HEAD) this.fail(`expected ${ORDERS_HEAD}`);
    if (this.count === 1 || text === '') return;
    const row = this.read(text);
    if (this.shift === null) this.begin(row);
    this.apply(row);
  }

  /** The book is empty at the beginning. */
  private begin({ cents, at }: OrderRow): void {
    this.shift = MIDDLE - Math.floor(cents);
    this.builder.place(EVENT, MARKET);
    this.row(ROW.book, at, 0);
  }

  private read(text: string): OrderRow {
    const [, seq, nanos, action = '', id, side, cents, shares] = ROW_TEXT.exec(text) ?? [];
    if (seq === undefined) return this.fail(`expected a row of ${ORDERS_HEAD}`);
    const row: OrderRow = {
      seq: Number(seq),
      at: Math.floor(Number(nanos) / NANOS),
      action,
      id: Number(id),
      side: side === 'B' ? 'bid' : 'ask',
      cents: Number(cents),
      shares: Number(shares) * SHARE_UNITS,
    };
    if (row.seq <= this.seq) this.fail(`row ${row.seq} is here again or out of order, after row ${this.seq}`);
    if (this.seq >= 0 && row.seq !== this.seq + 1)
      this.fail(`rows ${this.seq + 1} to ${row.seq - 1} are missing`);
    if (row.at < this.latest) this.fail('its time is before that of the line above');
    this.seq = row.seq;
    this.latest = row.at;
    return row;
  }

  private apply(row: OrderRow): void {
    const { action, id } = row;
    // Hidden orders are in no visible queue.
    if (action === 'H') return;
    if (action === 'A' || action === 'O' || action === 'I') return this.join(row);
    if (this.outside.has(id)) return;
    const gone = this.queues.leave(id, action === 'D' ? null : row.shares);
    if (gone === null) return this.fail(`order ${id} is not open, or has fewer shares`);
    if (gone.side !== row.side || gone.price !== row.cents + this.shift!)
      return this.fail(`order ${id} is open on another side or at another price`);
    if (action === 'E' && gone.ahead === 0) return this.execute(row, gone);
    this.write(row, 'leave', gone.price, [gone.shares, gone.ahead]);
  }

  private join(row: OrderRow): void {
    const { id, side, cents, shares } = row;
    const price = cents + this.shift!;
    if (this.queues.has(id)) this.fail(`order ${id} is open already`);
    if (!Number.isInteger(price) || shares === 0)
      this.fail('an order has a price in whole cents, and shares');
    if (price <= 0 || price >= PRICE_ONE) return void this.outside.add(id);
    this.write(row, 'join', price, [shares, this.queues.join({ id, side, price, shares })]);
  }

  /** A trade takes the first order of the queue. A row behind it states the size that is left of the level. */
  private execute(row: OrderRow, { price, shares, left }: Departed): void {
    this.row(ROW.trade, row.at, takerWord(row.side === 'bid' ? 'ask' : 'bid'));
    this.builder.level(price, shares);
    this.write(row, 'restate', price, [left, 0]);
  }

  /** @param shares of the order, and the shares ahead of it */
  private write(
    { at, side }: OrderRow,
    change: OrderChange,
    price: number,
    shares: readonly [own: number, ahead: number],
  ): void {
    this.row(ROW.order, at, changeWord(change), side);
    for (const count of shares) this.builder.level(price, count);
  }

  private row(kind: number, at: number, word: number, side: Side | null = null): void {
    const [bids, asks] = [Number(side === 'bid'), Number(side === 'ask')];
    this.builder.row({ kind, at, market: PLACE, line: this.count, word, bids, asks });
  }

  private fail(text: string): never {
    throw new RecordingError(this.file, this.count, text, this.offset);
  }
}

/** An open order. */
interface Resting {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  shares: number;
}

/** Shares that left a queue, with the size of their level before and afterwards. */
interface Departed {
  readonly side: Side;
  readonly price: number;
  readonly shares: number;
  readonly ahead: number;
  readonly left: number;
}

/** Queues by price in order of time. Order numbers increase with time, so they give the order. */
class OrderQueues {
  readonly #orders = new Map<number, Resting>();
  readonly #levels = new Map<string, Resting[]>();

  has(id: number): boolean {
    return this.#orders.has(id);
  }

  /** @returns shares of its level before it */
  join(order: Resting): number {
    const queue = this.#queue(order);
    const place = queue.findLastIndex(({ id }) => id < order.id) + 1;
    queue.splice(place, 0, order);
    this.#orders.set(order.id, order);
    return total(queue.slice(0, place));
  }

  /** @param shares null: all of it. @returns null when there is no such order, or it has fewer */
  leave(id: number, shares: number | null): Departed | null {
    const order = this.#orders.get(id);
    if (order === undefined || (shares ?? 0) > order.shares) return null;
    const { side, price } = order;
    const queue = this.#queue(order);
    const place = queue.indexOf(order);
    const gone = shares ?? order.shares;
    order.shares -= gone;
    if (order.shares === 0) {
      this.#orders.delete(id);
      queue.splice(place, 1);
    }
    return { side, price, shares: gone, ahead: total(queue.slice(0, place)), left: total(queue) };
  }

  #queue({ side, price }: Resting): Resting[] {
    const key = `${side} ${price}`;
    const queue = this.#levels.get(key) ?? [];
    this.#levels.set(key, queue);
    return queue;
  }
}

const total = (queue: readonly Resting[]): number => queue.reduce((sum, { shares }) => sum + shares, 0);
