/**
 * Harbour, a venue made up for tests: as little like Futuur as a venue can be. Orders are kept in plain arrays and matched
 * by price, then time. An account has one signed net position a market. Nothing here knows of clients or sockets.
 */
import type {
  BookReply,
  Change,
  HarbourSide,
  Item,
  MarketMessage,
  MarketState,
  OrderMessage,
  PlaceItem,
  PositionMessage,
  Result,
  TopicMessage,
  Word,
} from './messages.js';

const ONE = 10_000;
/** How long an order that is over is still shown to who subscribes anew. */
const REMEMBERED_US = 10_000_000;

export interface HarbourMarketConfig {
  readonly event: string;
  readonly market: string;
  readonly name: string;
  readonly tick: number;
}

interface Order extends PlaceItem {
  readonly id: string;
  readonly account: string;
  readonly placed: number;
  filled: number;
  value: number;
  state: OrderMessage['state'];
  why: string | null;
  changed: number;
}

interface Market extends HarbourMarketConfig {
  tick: number;
  state: MarketState;
  result: Result | null;
  closes: number | null;
  /** Resting orders, oldest first. */
  resting: Order[];
  changes: Change[];
  /** Positions and payouts as they were before the market was settled. */
  undo: Map<string, { readonly position: Position; readonly paid: number }>;
}

interface Position {
  readonly net: number;
  readonly cost: number;
  /** Cash that trades here brought; below zero: cost. */
  readonly flow: number;
}

interface Account {
  cash: number;
  readonly positions: Map<string, Position>;
  readonly orders: Order[];
  /** Names that were used, by refused orders too. */
  readonly cids: Set<string>;
}

/** One side of a trade, for whoever looks on from inside. */
export interface HarbourFill {
  readonly account: string;
  readonly event: string;
  readonly market: string;
  readonly side: HarbourSide;
  readonly price: number;
  /** Size that closed a position, and size that opened one. */
  readonly closes: number;
  readonly opens: number;
}

export interface HarbourOptions {
  readonly now: () => number;
  readonly events: readonly { readonly event: string; readonly name: string; readonly exclusive: boolean }[];
  readonly markets: readonly HarbourMarketConfig[];
  readonly accounts: Readonly<Record<string, number>>;
  /** Told of everything that a topic is told, in order. */
  readonly say: (topic: string, message: TopicMessage) => void;
  readonly onFill?: (fill: HarbourFill) => void;
}

const NOTHING: Position = { net: 0, cost: 0, flow: 0 };
export const eventTopic = (event: string): string => `event/${event}`;
export const accountTopic = (account: string): string => `account/${account}`;

const refused = (
  word: Word,
  text = '',
): { readonly ok: false; readonly word: Word; readonly text: string } => ({
  ok: false,
  word,
  text,
});
const left = (order: Order): number => order.size - order.filled;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export class Harbour {
  readonly #options: HarbourOptions;
  readonly #markets: Map<string, Market>;
  readonly #accounts: Map<string, Account>;
  #ids = 0;
  /** Cash that backs the shares in existence. */
  #pool = 0;

  constructor(options: HarbourOptions) {
    this.#options = options;
    this.#markets = new Map(
      options.markets.map((config) => [
        config.market,
        { ...config, state: 'open', result: null, closes: null, resting: [], changes: [], undo: new Map() },
      ]),
    );
    this.#accounts = new Map(
      Object.entries(options.accounts).map(([id, cash]) => [
        id,
        { cash, positions: new Map(), orders: [], cids: new Set() },
      ]),
    );
  }

  get now(): number {
    return this.#options.now();
  }

  /** Does what has fallen due: orders that expire, markets that close. */
  beat(): void {
    for (const market of this.#markets.values()) {
      const isClosed = market.closes !== null && market.closes <= this.now;
      const isExpired = ({ expires }: Order): boolean => expires !== null && expires <= this.now;
      for (const order of market.resting.filter((one) => isClosed || isExpired(one)))
        this.#end(order, isClosed ? 'closed' : 'expired');
      this.#flush(market);
    }
  }

  place(account: string, item: PlaceItem): Item<OrderMessage> {
    this.beat();
    const market = this.#markets.get(item.market);
    if (market === undefined) return refused('WHICH_MARKET', item.market);
    const objection = this.#objection(account, market, item);
    this.#account(account).cids.add(item.cid);
    if (objection !== null) return objection;
    const order: Order = {
      ...item,
      id: `H-${++this.#ids}`,
      account,
      placed: this.now,
      filled: 0,
      value: 0,
      state: 'open',
      why: null,
      changed: this.now,
    };
    this.#account(account).orders.push(order);
    this.#tell(order);
    this.#match(order, market);
    if (left(order) > 0 && order.state === 'open') {
      market.resting.push(order);
      market.changes.push([order.side, order.price, left(order)]);
    }
    this.#trim(account, market);
    this.#sayCash(account);
    this.#flush(market);
    return { ok: true, value: this.#describe(order) };
  }

  cancel(account: string, id: string): Item<string> {
    this.beat();
    const order = this.#account(account).orders.find((one) => one.id === id);
    if (order === undefined) return refused('WHICH_ORDER', id);
    if (order.state !== 'open') return refused('ALREADY_OVER', order.state);
    this.#end(order, 'asked');
    this.#flush(this.#markets.get(order.market)!);
    return { ok: true, value: id };
  }

  /** @param market null: every order of the account */
  cancelAll(account: string, market: string | null): readonly string[] {
    const open = this.orders(account).filter((one) => market === null || one.market === market);
    for (const { id } of open) this.cancel(account, id);
    return open.map(({ id }) => id);
  }

  /** The open orders of an account, oldest first. */
  orders(account: string): readonly OrderMessage[] {
    this.beat();
    return this.#account(account)
      .orders.filter(({ state }) => state === 'open')
      .map((order) => this.#describe(order));
  }

  find(account: string, named: { readonly ids?: readonly string[]; readonly cids?: readonly string[] }) {
    const isNamed = ({ id, cid }: Order): boolean =>
      named.ids?.includes(id) === true || named.cids?.includes(cid) === true;
    return this.#account(account)
      .orders.filter(isNamed)
      .map((order) => this.#describe(order));
  }

  /** What a new subscriber is told first. */
  accountSnapshot(account: string): readonly (OrderMessage | PositionMessage)[] {
    const since = this.now - REMEMBERED_US;
    const orders = this.#account(account).orders.filter((one) => one.state === 'open' || one.changed > since);
    return [...orders.map((order) => this.#describe(order)), ...this.positions(account)];
  }

  /** Nothing is left out, positions of zero included, once there was one. */
  positions(account: string): readonly PositionMessage[] {
    return [...this.#account(account).positions.keys()].map((market) => this.#position(account, market));
  }

  /** Cash that no order locks. */
  cash(account: string): number {
    const { cash, orders } = this.#account(account);
    return cash - sum(orders.filter(({ state }) => state === 'open').map(lockOf));
  }

  /** Everything there is: cash of all accounts and of the pool. It never changes but by deposits. */
  get money(): number {
    return sum([...this.#accounts.values()].map(({ cash }) => cash)) + this.#pool;
  }

  book(name: string, viewer: string): BookReply {
    this.beat();
    const { resting } = this.#markets.get(name)!;
    const side = (of: HarbourSide): [number, number, number][] => {
      const levels = new Map<number, [number, number, number]>();
      for (const order of resting.filter((one) => one.side === of)) {
        const level = levels.get(order.price) ?? [order.price, 0, 0];
        level[1] += left(order);
        if (order.account === viewer) level[2] += left(order);
        levels.set(order.price, level);
      }
      return [...levels.values()].toSorted(([a], [b]) => (of === 'buy' ? b - a : a - b));
    };
    return { buys: side('buy'), sells: side('sell') };
  }

  event(event: string) {
    const known = this.#options.events.find((one) => one.event === event);
    const { name = event, exclusive = false } = known ?? {};
    const markets = [...this.#markets.values()].filter((one) => one.event === event);
    return { name, exclusive, markets: markets.map((one) => this.#describeMarket(one)) };
  }

  hasMarket(market: string): boolean {
    return this.#markets.has(market);
  }

  /** What an administrator does to a market: halts it, opens it, sets its tick or the time at which it closes. */
  setMarket(name: string, change: Partial<Pick<Market, 'state' | 'tick' | 'closes'>>): void {
    const market = this.#markets.get(name)!;
    if (market.state === 'over' && change.state !== undefined) return;
    if (change.tick !== undefined) this.#clear(market, 'closed');
    Object.assign(market, change);
    this.beat();
    this.#options.say(eventTopic(market.event), this.#describeMarket(market));
  }

  /** Pays out, or with `void` takes every cash flow of the market back. */
  settle(name: string, result: Result): void {
    const market = this.#markets.get(name)!;
    if (market.state === 'over') return;
    this.#clear(market, 'settled');
    Object.assign(market, { state: 'over', result });
    this.#options.say(eventTopic(market.event), this.#describeMarket(market));
    for (const [id, account] of this.#accounts) {
      const position = account.positions.get(name);
      if (position === undefined) continue;
      const { net, flow } = position;
      const won = result === 'yes' ? Math.max(net, 0) : Math.max(-net, 0);
      const paid = result === 'void' ? -flow : won * ONE;
      market.undo.set(id, { position, paid });
      this.#move(account, paid);
      account.positions.set(name, NOTHING);
      this.#sayPosition(id, name);
      this.#sayCash(id);
    }
  }

  /** Takes a settlement back. The market stays closed. */
  reverse(name: string): void {
    const market = this.#markets.get(name)!;
    if (market.state !== 'over') return;
    Object.assign(market, { state: 'undone', result: null });
    this.#options.say(eventTopic(market.event), this.#describeMarket(market));
    for (const [id, { position, paid }] of market.undo) {
      const account = this.#account(id);
      this.#move(account, -paid);
      account.positions.set(name, position);
      this.#sayPosition(id, name);
      this.#sayCash(id);
    }
    market.undo.clear();
  }

  deposit(id: string, amount: number): void {
    this.#account(id).cash += amount;
    this.#options.say(accountTopic(id), { type: 'deposit', amount });
    this.#sayCash(id);
  }

  #objection(account: string, market: Market, item: PlaceItem): ReturnType<typeof refused> | null {
    const { side, price, size, reduce, cid, post } = item;
    if (this.#account(account).cids.has(cid)) return refused('TAKEN_CID', cid);
    if (market.state !== 'open' || (market.closes !== null && market.closes <= this.now))
      return refused('NOT_TRADING', market.state);
    if (!(Number.isInteger(size) && size > 0)) return refused('BAD_SIZE', String(size));
    if (!(price > 0 && price < ONE && Number.isInteger(price / market.tick)))
      return refused('BAD_PRICE', String(price));
    const crossed = this.#crossedBy(item, market);
    if (post && crossed.length > 0) return refused('WOULD_TAKE', `rests behind ${crossed[0]!.price}`);
    if (crossed.some((one) => one.account === account)) return refused('OWN_ORDER');
    if (reduce && size > this.#reducible(account, market, side)) return refused('NOTHING_TO_REDUCE');
    return !reduce && lockOf({ ...item, filled: 0 }) > this.cash(account) ? refused('NO_MONEY') : null;
  }

  /** Resting orders that the incoming one trades with, in this order. */
  #crossedBy({ side, price }: Pick<PlaceItem, 'side' | 'price'>, { resting }: Market): Order[] {
    const other = resting.filter(
      (one) => one.side !== side && (side === 'buy' ? one.price <= price : one.price >= price),
    );
    return other.toSorted((a, b) => (side === 'buy' ? a.price - b.price : b.price - a.price));
  }

  /** Size by which the position can still be reduced on a side, less what other orders reduce already. */
  #reducible(account: string, market: Market, side: HarbourSide): number {
    const { net } = this.#account(account).positions.get(market.market) ?? NOTHING;
    const reducing = market.resting.filter(
      (one) => one.account === account && one.reduce && one.side === side,
    );
    return Math.max(0, side === 'sell' ? net : -net) - sum(reducing.map(left));
  }

  #match(taker: Order, market: Market): void {
    for (const maker of this.#crossedBy(taker, market)) {
      const size = maker.state === 'open' ? Math.min(left(taker), left(maker)) : 0;
      if (size <= 0) continue;
      this.#fill(maker, maker.price, size);
      this.#fill(taker, maker.price, size);
      market.changes.push([maker.side, maker.price, -size]);
      if (left(maker) === 0) market.resting.splice(market.resting.indexOf(maker), 1);
      const { event, market: name } = market;
      const print = { event, market: name, price: maker.price, size } as const;
      const id = `T-${++this.#ids}`;
      this.#options.say(eventTopic(event), { type: 'print', ...print, id, taker: taker.side, at: this.now });
      this.#trim(maker.account, market);
      this.#sayCash(maker.account);
    }
  }

  /** Books one side of a trade: closes what is held the other way, and opens with the rest. */
  #fill(order: Order, price: number, size: number): void {
    const account = this.#account(order.account);
    const { net, cost, flow } = account.positions.get(order.market) ?? NOTHING;
    const way = order.side === 'buy' ? 1 : -1;
    const closes = Math.min(size, Math.max(0, -net * way));
    const opens = size - closes;
    const own = order.side === 'buy' ? price : ONE - price;
    const cash = closes * (ONE - own) - opens * own;
    const kept = net === 0 ? 0 : Math.round((cost * (Math.abs(net) - closes)) / Math.abs(net));
    const { event } = this.#markets.get(order.market)!;
    this.#options.onFill?.({ ...order, event, price, closes, opens });
    this.#move(account, cash);
    account.positions.set(order.market, {
      net: net + way * size,
      cost: kept + opens * own,
      flow: flow + cash,
    });
    order.filled += size;
    order.value += price * size;
    if (left(order) === 0) order.state = 'filled';
    this.#tell(order);
    this.#sayPosition(order.account, order.market);
  }

  /** Ends the newest reducing orders of a position that has become too small for them. */
  #trim(account: string, market: Market): void {
    for (const side of ['buy', 'sell'] as const)
      while (this.#reducible(account, market, side) < 0) {
        const isReducing = (one: Order): boolean =>
          one.account === account && one.reduce && one.side === side;
        this.#end(market.resting.findLast(isReducing)!, 'nothing to reduce');
      }
  }

  #clear(market: Market, why: string): void {
    for (const order of market.resting.slice()) this.#end(order, why);
    this.#flush(market);
  }

  #end(order: Order, why: string): void {
    const market = this.#markets.get(order.market)!;
    order.state = 'gone';
    order.why = why;
    market.resting.splice(market.resting.indexOf(order), 1);
    market.changes.push([order.side, order.price, -left(order)]);
    this.#tell(order);
    this.#sayCash(order.account);
  }

  #move(account: Account, amount: number): void {
    account.cash += amount;
    this.#pool -= amount;
  }

  #tell(order: Order): void {
    order.changed = this.now;
    this.#options.say(accountTopic(order.account), this.#describe(order));
  }

  #flush(market: Market): void {
    const changes = market.changes.splice(0);
    if (changes.length === 0) return;
    const { event, market: name } = market;
    this.#options.say(eventTopic(event), { type: 'delta', event, market: name, changes, at: this.now });
  }

  #sayPosition(account: string, market: string): void {
    this.#options.say(accountTopic(account), this.#position(account, market));
  }

  #sayCash(account: string): void {
    this.#options.say(accountTopic(account), { type: 'cash', at: this.now });
  }

  #position(account: string, market: string): PositionMessage {
    const { net, cost } = this.#account(account).positions.get(market) ?? NOTHING;
    return { type: 'position', event: this.#markets.get(market)!.event, market, net, cost };
  }

  #describe({ account: _account, post: _post, changed, ...order }: Order): OrderMessage {
    return { type: 'order', event: this.#markets.get(order.market)!.event, ...order, at: changed };
  }

  #describeMarket({ event, market, name, tick, state, result, closes }: Market): MarketMessage {
    return { type: 'market', event, market, name, tick, state, result, closes, at: this.now };
  }

  #account(id: string): Account {
    return this.#accounts.get(id)!;
  }
}

/** Cash that an order keeps until it is filled: all that it can cost. */
const lockOf = ({
  reduce,
  side,
  price,
  size,
  filled,
}: Omit<PlaceItem, 'cid' | 'market' | 'post' | 'expires'> & { readonly filled: number }): number =>
  reduce ? 0 : (side === 'buy' ? price : ONE - price) * (size - filled);
