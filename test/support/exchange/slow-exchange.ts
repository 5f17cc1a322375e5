/**
 * The obvious slow exchange: one list of orders searched from the front, money in big integers, every rule of the
 * facts page written down once as it is read there. The oracle of the fast core; it shares no code with it.
 */
import type { ExchangeConfig, OrderRequest, OrderUpdateRequest } from '../../../src/exchange/contract.js';

type Status = 'open' | 'partial_filled' | 'filled' | 'canceled';

interface SlowOrder {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly currency: string;
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  /** Of its position; null: a market order. */
  readonly price: number | null;
  readonly requested: number;
  readonly expiresAt: number | null;
  filled: number;
  /** Rate x share units so far. */
  accrued: bigint;
  status: Status;
}

interface Flow {
  readonly account: number;
  readonly market: number;
  readonly currency: string;
  readonly amount: bigint;
}

export interface SlowTrade {
  readonly taker: number;
  readonly maker: number;
  readonly price: number;
  readonly shares: number;
}

type Answer = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly code: string };

const refuse = (code: string): Answer => ({ ok: false, code });
const modeOf = (currency: string): 'play_money' | 'real_money' =>
  currency === 'OOM' ? 'play_money' : 'real_money';
const longPrice = (order: { position: string }, price: number): number =>
  order.position === 'long' ? price : 10_000 - price;
/** Stands on the buying side of the long book. */
const isBid = (order: { side: string; position: string }): boolean =>
  (order.side === 'bid') === (order.position === 'long');
const dueOf = (accrued: bigint): bigint => (accrued >= 0n ? (accrued + 99n) / 100n : -(-accrued / 100n));
const key = (...parts: readonly (string | number)[]): string => parts.join(' ');

export class SlowExchange {
  readonly orders: SlowOrder[] = [];
  readonly trades: SlowTrade[] = [];
  private readonly cash = new Map<string, bigint>();
  private readonly held = new Map<string, number>();
  private flows: Flow[] = [];
  private readonly closed = new Set<number>();
  private paused = false;

  constructor(private readonly config: ExchangeConfig) {
    for (const { id, balances } of config.accounts) {
      for (const [currency, amount] of Object.entries(balances))
        this.cash.set(key(id, currency), BigInt(amount));
    }
  }

  /** Spendable: all cash less what resting bids lock. */
  spendable(account: number, currency: string): bigint {
    return this.cashOf(account, currency) - this.lockedCash(account, currency);
  }

  lockedCash(account: number, currency: string, except?: SlowOrder): bigint {
    const bids = this.resting().filter(
      (order) =>
        order.account === account && order.currency === currency && order.side === 'bid' && order !== except,
    );
    return bids.reduce((sum, order) => sum + this.lockOf(order), 0n);
  }

  heldShares(account: number, market: number, position: string, currency: string): number {
    return this.held.get(key(account, market, position, currency)) ?? 0;
  }

  lockedShares(account: number, market: number, position: string, currency: string): number {
    return this.resting()
      .filter((order) => order.account === account && order.market === market && order.side === 'ask')
      .filter((order) => order.position === position && order.currency === currency)
      .reduce((sum, order) => sum + order.requested - order.filled, 0);
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
  }

  place(account: number, request: OrderRequest, now: number, replacing?: SlowOrder): Answer {
    const refused = this.refusal(account, request, now, replacing);
    if (refused !== null) return refuse(refused);
    for (const order of this.conflicts(account, request, replacing)) order.status = 'canceled';
    if (replacing !== undefined) replacing.status = 'canceled';
    const order = this.create(account, request);
    this.match(order, request);
    return { ok: true, id: order.id };
  }

  update(account: number, update: OrderUpdateRequest, now: number): Answer {
    const old = this.orders.find((order) => order.id === update.orderId && order.account === account);
    if (old === undefined) return refuse('not-found');
    if (old.status !== 'open') return refuse(old.status === 'partial_filled' ? 'not-open' : old.status);
    const request = {
      marketId: old.market,
      eventId: null,
      side: old.side,
      position: old.position,
      currency: old.currency,
      price: update.price ?? old.price,
      shares: update.shares ?? old.requested,
      amount: null,
      expiresAt: update.expiresAt === undefined ? old.expiresAt : update.expiresAt,
      cancelConflicting: false,
    } as OrderRequest;
    return this.place(account, request, now, old);
  }

  cancel(account: number, id: number): Answer {
    const order = this.orders.find((one) => one.id === id && one.account === account);
    if (order === undefined) return refuse('not-found');
    if (order.status === 'filled' || order.status === 'canceled') return refuse(order.status);
    order.status = 'canceled';
    return { ok: true, id };
  }

  cancelAll(account: number): number[] {
    const orders = this.resting().filter((order) => order.account === account);
    for (const order of orders) order.status = 'canceled';
    return orders.map(({ id }) => id);
  }

  expire(now: number): void {
    for (const order of this.resting()) {
      if (order.expiresAt !== null && order.expiresAt <= now) order.status = 'canceled';
    }
  }

  /** Pays one unit per winning share; void gives every flow back. */
  resolve(market: number, resolution: 'long' | 'short' | 'void'): void {
    for (const order of this.resting()) if (order.market === market) order.status = 'canceled';
    this.closed.add(market);
    if (resolution === 'void') this.undo(market);
    for (const [name, shares] of this.held) {
      const [account = '', of, position, currency = ''] = name.split(' ');
      if (Number(of) !== market) continue;
      if (position === resolution) this.pay(Number(account), market, currency, BigInt(shares) * 10_000n);
      this.held.delete(name);
    }
  }

  private undo(market: number): void {
    const flows = this.flows.filter((flow) => flow.market === market);
    for (const { account, currency, amount } of flows) this.pay(account, market, currency, -amount);
  }

  private refusal(
    account: number,
    request: OrderRequest,
    now: number,
    replacing: SlowOrder | undefined,
  ): string | null {
    const { price, shares, amount } = request;
    if (this.paused) return 'MarketClosed';
    if (this.closed.has(request.marketId)) return 'OrderBookMarketClosed';
    const tick = this.market(request.marketId).tickUnits;
    if (price !== null && (price <= 0 || price >= 10_000 || price % tick !== 0)) return 'ValidationError';
    if (shares === null && amount === null) return 'ValidationError';
    if (request.expiresAt !== null && request.expiresAt <= now) return 'ValidationError';
    if (shares !== null && shares <= 0) return 'InvalidShares';
    if (price !== null && this.isOutOfLimits(price * sharesOf(request))) return 'OrderBookInvalidAmount';
    if (
      price === null &&
      this.isOutOfLimits(amount ?? this.estimate(request, shares ?? 0).amount, shares !== null)
    )
      return 'OrderBookInvalidAmount';
    const conflicts = this.conflicts(account, request, replacing);
    if (conflicts.length > 0 && !request.cancelConflicting) return 'OrderBookConflictingOrders';
    return this.hasFunds(account, request, [...conflicts, ...(replacing === undefined ? [] : [replacing])])
      ? null
      : 'UserNotEnoughBalance';
  }

  private isOutOfLimits(amount: number, mayBeNothing = false): boolean {
    const { minAmount, maxAmount } = this.config.events[0]!;
    if (mayBeNothing && amount === 0) return false;
    return amount < minAmount || amount > maxAmount;
  }

  private hasFunds(account: number, request: OrderRequest, freed: readonly SlowOrder[]): boolean {
    const { currency, position, marketId: market } = request;
    const same = freed.filter((order) => order.currency === currency && order.side === request.side);
    if (request.side === 'ask') {
      const back = same.filter((order) => order.position === position);
      const free =
        this.heldShares(account, market, position, currency) -
        this.lockedShares(account, market, position, currency);
      return (
        free + back.reduce((sum, order) => sum + order.requested - order.filled, 0) >=
        Math.max(sharesOf(request), 1)
      );
    }
    const bids = freed.filter((order) => order.currency === currency && order.side === 'bid');
    const back = bids.reduce((sum, order) => sum + this.lockOf(order), 0n);
    return this.costOf(request) <= this.spendable(account, currency) + back;
  }

  private costOf(request: OrderRequest): bigint {
    const rates = this.config.fees[modeOf(request.currency)];
    const { price, shares, amount } = request;
    if (price !== null) {
      const worst = BigInt(Math.max(rates.taker, rates.maker, 0));
      return BigInt(price * sharesOf(request)) + dueOf(worst * BigInt(sharesOf(request)));
    }
    if (shares === null) return BigInt(amount ?? 0);
    const estimate = this.estimate(request, shares);
    const cost = BigInt(estimate.amount) + dueOf(BigInt(rates.taker * estimate.shares));
    return amount === null || cost < BigInt(amount) ? cost : BigInt(amount);
  }

  /** What taking shares from the book would trade and cost. */
  private estimate(request: OrderRequest, shares: number): { shares: number; amount: number } {
    let [left, amount] = [shares, 0];
    for (const maker of this.makersFor(request)) {
      const traded = Math.min(left, maker.requested - maker.filled);
      left -= traded;
      amount += traded * ownPrice(request.position, longPrice(maker, maker.price ?? 0));
    }
    return { shares: shares - left, amount };
  }

  private conflicts(account: number, request: OrderRequest, except: SlowOrder | undefined): SlowOrder[] {
    return this.makersFor(request)
      .filter((order) => order.account === account && order !== except)
      .sort((a, b) => a.id - b.id);
  }

  /** Resting orders that an order could trade with, in the order it would meet them. */
  private makersFor(request: OrderRequest | SlowOrder): SlowOrder[] {
    const market = 'market' in request ? request.market : request.marketId;
    const limit = request.price === null ? null : longPrice(request, request.price);
    const bids = isBid(request);
    const price = (order: SlowOrder): number => longPrice(order, order.price ?? 0);
    return this.resting()
      .filter((order) => order.market === market && modeOf(order.currency) === modeOf(request.currency))
      .filter((order) => isBid(order) !== bids)
      .filter((order) => limit === null || (bids ? price(order) <= limit : price(order) >= limit))
      .sort((a, b) => (bids ? price(a) - price(b) : price(b) - price(a)) || a.id - b.id);
  }

  private create(account: number, request: OrderRequest): SlowOrder {
    const order: SlowOrder = {
      id: this.orders.length + 1,
      account,
      market: request.marketId,
      currency: request.currency,
      side: request.side,
      position: request.position,
      price: request.price,
      requested: request.price === null ? (request.shares ?? 0) : sharesOf(request),
      expiresAt: request.expiresAt,
      filled: 0,
      accrued: 0n,
      status: 'filled',
    };
    this.orders.push(order);
    return order;
  }

  private match(taker: SlowOrder, request: OrderRequest): void {
    const budget = taker.price === null ? this.budgetOf(taker, request) : null;
    let [spent, unit] = [0, 0];
    for (const maker of this.makersFor(taker)) {
      if (taker.requested !== 0 && taker.filled === taker.requested) break;
      const price = longPrice(maker, maker.price ?? 0);
      const wanted = taker.requested === 0 ? Number.MAX_SAFE_INTEGER : taker.requested - taker.filled;
      unit = this.unitCost(taker, price);
      const payable = budget === null ? wanted : Math.min(wanted, Math.floor((budget - spent) / unit));
      const cap = this.sellable(taker);
      const shares = Math.min(payable, cap, maker.requested - maker.filled);
      if (shares <= 0) break;
      spent += shares * unit;
      this.trade(taker, maker, price, shares);
    }
    this.conclude(taker, (request.amount ?? 0) - spent < unit);
  }

  /** A market order sells no more than is held and free; a limit order has its shares locked. */
  private sellable({ side, price, account, market, position, currency }: SlowOrder): number {
    if (side === 'bid' || price !== null) return Number.MAX_SAFE_INTEGER;
    return (
      this.heldShares(account, market, position, currency) -
      this.lockedShares(account, market, position, currency)
    );
  }

  private conclude(order: SlowOrder, isSpent: boolean): void {
    if (order.requested !== 0 && order.filled === order.requested) order.status = 'filled';
    else if (order.price !== null) order.status = order.filled > 0 ? 'partial_filled' : 'open';
    else order.status = this.isSatisfied(order, isSpent) ? 'filled' : 'canceled';
  }

  /** A market order by amount alone is filled when it traded and the book still had volume, or no money was left. */
  private isSatisfied(order: SlowOrder, isSpent: boolean): boolean {
    if (order.requested !== 0 || order.filled === 0) return false;
    return isSpent || this.makersFor(order).length > 0;
  }

  private budgetOf(taker: SlowOrder, { amount }: OrderRequest): number {
    if (taker.side === 'ask') return amount ?? Number.MAX_SAFE_INTEGER;
    const cash = Number(this.spendable(taker.account, taker.currency));
    return Math.min(amount ?? Number.MAX_SAFE_INTEGER, cash);
  }

  private unitCost(taker: SlowOrder, price: number): number {
    const rate = taker.side === 'bid' ? Math.max(this.config.fees[modeOf(taker.currency)].taker, 0) : 0;
    return ownPrice(taker.position, price) + Math.ceil(rate / 100);
  }

  private trade(taker: SlowOrder, maker: SlowOrder, price: number, shares: number): void {
    const rates = this.config.fees[modeOf(taker.currency)];
    this.fill(taker, ownPrice(taker.position, price), shares, rates.taker);
    this.fill(maker, ownPrice(maker.position, price), shares, rates.maker);
    maker.status = maker.filled === maker.requested ? 'filled' : 'partial_filled';
    this.trades.push({ taker: taker.id, maker: maker.id, price, shares });
  }

  private fill(order: SlowOrder, price: number, shares: number, rate: number): void {
    const before = order.accrued;
    order.accrued += BigInt(rate * shares);
    const fee = dueOf(order.accrued) - dueOf(before);
    const { account, market, position, currency } = order;
    const sign = order.side === 'bid' ? 1 : -1;
    order.filled += shares;
    this.pay(account, market, currency, -BigInt(sign * price * shares) - fee);
    const name = key(account, market, position, currency);
    this.held.set(name, (this.held.get(name) ?? 0) + sign * shares);
  }

  private pay(account: number, market: number, currency: string, amount: bigint): void {
    this.flows.push({ account, market, currency, amount });
    this.cash.set(key(account, currency), this.cashOf(account, currency) + amount);
  }

  private cashOf(account: number, currency: string): bigint {
    return this.cash.get(key(account, currency)) ?? 0n;
  }

  /** What is left to buy, and the most its fee can still come to. */
  private lockOf(order: SlowOrder): bigint {
    const rates = this.config.fees[modeOf(order.currency)];
    const worst = BigInt(Math.max(rates.taker, rates.maker, 0));
    const left = BigInt(order.requested - order.filled);
    return BigInt(order.price ?? 0) * left + dueOf(order.accrued + worst * left) - dueOf(order.accrued);
  }

  private resting(): SlowOrder[] {
    return this.orders.filter(({ status }) => status === 'open' || status === 'partial_filled');
  }

  private market(id: number) {
    return this.config.events[0]!.markets.find((market) => market.id === id)!;
  }
}

const ownPrice = (position: string, price: number): number => (position === 'long' ? price : 10_000 - price);
const sharesOf = ({ shares, amount, price }: OrderRequest): number =>
  shares ?? (price === null ? 0 : Math.floor((amount ?? 0) / price));
