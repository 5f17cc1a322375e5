/**
 * What one would write first: an Rx chain per market, prices and sizes as Decimal, a log line and labelled metrics on
 * the way, the body made by JSON.stringify. It signs as we do, and has neither risk rules nor a journal.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import { pino } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { filter, map, Subject, type Subscription } from 'rxjs';
import type { JsonObject } from '../../../src/venues/futuur/protocol/json-spelling.js';
import { bodyParameters, signedText } from '../../../src/venues/futuur/protocol/signing.js';
import type { NestedStyle } from '../../../src/venues/futuur/protocol/signed-values.js';
import { Pusher } from '../../../src/venues/futuur/realtime/pusher-link.js';
import { KEYS } from './doors.js';
import type { Stack } from './frame-to-batch.js';
import { orderText, type VenueOrder } from './frames.js';
import { frameReceiver, startQuietService, type QuietService } from './pusher-socket.js';
import { LADDER } from './stage.js';

interface WireLevel {
  readonly price: number;
  readonly total_shares: number;
}
interface WireBook {
  readonly market_id: number;
  readonly bid: readonly WireLevel[];
  readonly ask: readonly WireLevel[];
}
interface WireOrder {
  readonly order_id: number;
  readonly market_id: number;
  readonly status: string;
  readonly price: number;
  readonly shares_requested: number;
}
interface Level {
  readonly price: Decimal;
  readonly shares: Decimal;
}
interface Quote extends Level {
  readonly side: 'bid' | 'ask';
}

type Target = Stack['targets'][number];

const TICK = new Decimal('0.01');
const SIZE = new Decimal(40);
const HALF_SPREAD = new Decimal(LADDER.halfSpread);

export class IdiomaticStack implements Stack {
  readonly receive: (text: string) => void;
  onBatch: Stack['onBatch'] = () => undefined;
  readonly #key = createSecretKey(Buffer.from(KEYS.privateKey));
  readonly #log = pino({ level: 'info' }, createWriteStream('/dev/null'));
  readonly #registry = new Registry();
  readonly #frames = new Counter({
    name: 'frames_total',
    help: 'frames',
    labelNames: ['market', 'event'],
    registers: [this.#registry],
  });
  readonly #orders = new Counter({
    name: 'orders_total',
    help: 'orders',
    labelNames: ['market', 'side'],
    registers: [this.#registry],
  });
  readonly #mid = new Gauge({
    name: 'mid',
    help: 'mid',
    labelNames: ['market'],
    registers: [this.#registry],
  });
  readonly #updates = new Counter({
    name: 'order_updates_total',
    help: 'private frames',
    labelNames: ['market', 'status'],
    registers: [this.#registry],
  });
  readonly #working = new Map<number, Quote[]>();
  /** Per market the orders that the venue has told of since the last batch, by id. */
  readonly #standing = new Map<number, Map<number, Level>>();
  /** Orders that private frames are to tell of. */
  readonly #accepted: VenueOrder[] = [];
  readonly #subscriptions: readonly Subscription[];
  #lastId = 0;

  private constructor(
    readonly targets: Stack['targets'],
    private readonly nested: NestedStyle,
    private readonly client: Pusher,
    private readonly service: QuietService,
  ) {
    const books = new Subject<WireBook>();
    for (const event of new Set(targets.map((target) => target.event)))
      client.subscribe(`event-${event}`).bind('order-book-update', (book: WireBook) => books.next(book));
    const updates = new Subject<WireOrder>();
    client.bind('order-update', (order: WireOrder) => updates.next(order));
    const noting = updates.subscribe((order) => this.#note(order));
    const quoting = targets.map(({ event, market }) =>
      books
        .pipe(
          filter((book) => book.market_id === market),
          map(decimalBook),
          map(({ bids, asks }) => weightedMid(bids[0]!, asks[0]!)),
          map((mid) => ({ mid, desired: ladderAround(mid) })),
          map(({ mid, desired }) => ({
            mid,
            changed: changedQuotes(desired, this.#working.get(market) ?? []),
            desired,
          })),
          filter(({ changed }) => changed.length > 0),
        )
        .subscribe(({ mid, changed, desired }) => this.#send({ event, market }, mid, changed, desired)),
    );
    this.#subscriptions = [noting, ...quoting];
    this.receive = frameReceiver();
  }

  static async open(targets: Stack['targets'], nested: NestedStyle): Promise<IdiomaticStack> {
    const service = await startQuietService();
    const options = { cluster: '', wsHost: '127.0.0.1', wsPort: service.port, forceTLS: false };
    const client = new Pusher('bench', { ...options, enabledTransports: ['ws'] });
    await new Promise<void>((resolve) => client.connection.bind('connected', () => resolve()));
    return new IdiomaticStack(targets, nested, client, service);
  }

  shows(): void {
    // It reads no books.
  }

  /** Private frames about what was sent follow, as they do for our stack. */
  async settle(): Promise<void> {
    await turn();
    for (const order of this.#accepted.splice(0)) this.receive(orderText(order, Date.now()));
    await turn();
  }

  async close(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.client.disconnect();
    this.service.stop();
    await turn();
  }

  #send({ event, market }: Target, mid: Decimal, changed: readonly Quote[], desired: Quote[]): void {
    this.#frames.inc({ market: String(market), event: 'order-book-update' });
    this.#mid.set({ market: String(market) }, mid.toNumber());
    const orders = changed.map(({ side, price, shares }) => ({
      market,
      event,
      side: 'bid',
      currency: 'OOM',
      position: side === 'bid' ? 'long' : 'short',
      price: (side === 'bid' ? price : new Decimal(1).minus(price)).toNumber(),
      shares: shares.toFixed(2),
      expired_at: null,
    }));
    for (const { side } of changed) this.#orders.inc({ market: String(market), side });
    const ids = [...(this.#standing.get(market)?.keys() ?? [])];
    const updates = ids.map((id, at) => ({
      id,
      price: String(orders[at]!.price),
      shares: orders[at]!.shares,
    }));
    const body: JsonObject = { orders: updates.length === orders.length ? updates : orders };
    const text = JSON.stringify(body);
    const head = { publicKey: KEYS.publicKey, timestamp: Math.floor(Date.now() / 1_000) };
    const signed = signedText(head, bodyParameters(body, this.nested));
    const signature = createHmac('sha512', this.#key).update(signed).digest('hex');
    this.#log.info({ market, mid: mid.toString(), orders: orders.length, bytes: text.length }, 'quotes move');
    this.#working.set(market, desired);
    if (signature.length > 0) this.onBatch(orders.length, performance.now());
    this.#standing.set(market, new Map());
    for (const order of orders)
      this.#accepted.push({ ...order, id: ++this.#lastId, shares: Number(order.shares) });
  }

  #note({ order_id: id, market_id: market, status, price, shares_requested: shares }: WireOrder): void {
    this.#updates.inc({ market: String(market), status });
    this.#standing.get(market)?.set(id, { price: new Decimal(price), shares: new Decimal(shares) });
  }
}

const decimalLevels = (levels: readonly WireLevel[]): Level[] =>
  levels.map(({ price, total_shares: shares }) => ({
    price: new Decimal(price),
    shares: new Decimal(shares),
  }));

const decimalBook = ({ bid, ask }: WireBook) => ({ bids: decimalLevels(bid), asks: decimalLevels(ask) });

function weightedMid(bid: Level, ask: Level): Decimal {
  const imbalance = bid.shares.div(bid.shares.plus(ask.shares));
  return imbalance.times(ask.price).plus(new Decimal(1).minus(imbalance).times(bid.price));
}

function ladderAround(mid: Decimal): Quote[] {
  const bid = mid.minus(HALF_SPREAD).div(TICK).floor().times(TICK);
  const ask = mid.plus(HALF_SPREAD).div(TICK).ceil().times(TICK);
  const quotes: Quote[] = [];
  for (let level = 0; level < LADDER.levels; level++) {
    quotes.push({ side: 'bid', price: bid.minus(TICK.times(level)), shares: SIZE });
    quotes.push({ side: 'ask', price: ask.plus(TICK.times(level)), shares: SIZE });
  }
  return quotes;
}

const changedQuotes = (desired: readonly Quote[], working: readonly Quote[]): Quote[] =>
  desired.filter(
    (quote) =>
      !working.some(
        ({ side, price, shares }) => side === quote.side && price.eq(quote.price) && shares.eq(quote.shares),
      ),
  );
