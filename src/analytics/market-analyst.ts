import type { Fill } from '../domain/fill.js';
import type { OrderId } from '../domain/ids.js';
import { type Micros, type PriceUnits, type Shares, PRICE_ONE, MONEY_ONE } from '../domain/units.js';
import { type Position, type Resolution, bookSide } from '../domain/vocabulary.js';
import { DepthSeries, Series, type SeriesGrid, ThinnedList } from './series.js';
import { FlowSums } from './flow.js';
import { InventoryMeter, OwnQuotes, QuotingMeter, type MarketScore, ScoreMeter } from './quoting-meter.js';
import { type KeptFill, MarkOutQueue } from './mark-outs.js';
import type { StandingOrder, DescribedEvent, DescribedMarket, UptimeRule } from './observer.js';
import { InvariantError } from '../domain/errors.js';
import { MarketAccount, type Profit } from '../core/portfolio/market-account.js';
import type { ProfitFigures } from './analysis.js';

/** Fills kept per market for pictures. */
const FILLS_KEPT = 2_000;

interface QueuePlace {
  readonly ahead: Shares;
  readonly others: Shares;
}

/** Everything that is kept of one market while a run goes on. */
export class MarketAnalyst {
  readonly accounts = new MarketAccounts();
  readonly flows = { bid: new FlowSums(), ask: new FlowSums() };
  readonly inventory: InventoryMeter;
  readonly quoting: QuotingMeter;
  readonly series: Record<'bid' | 'ask' | 'ownBid' | 'ownAsk' | 'inventory' | 'profit', Series>;
  readonly depth: DepthSeries;
  readonly fills = new ThinnedList<KeptFill>(FILLS_KEPT);
  othersShares = 0;
  resolvedAt: Micros | null = null;
  ownScore: MarketScore | null = null;
  marketScore: MarketScore | null = null;
  readonly #markOuts = new MarkOutQueue();
  readonly #quotes = new OwnQuotes((side, shares) => this.flows[side].offer(shares));
  readonly #ownMid: ScoreMeter;
  readonly #mid: ScoreMeter;
  readonly #places = new Map<OrderId, QueuePlace>();
  #bid: PriceUnits | null = null;
  #ask: PriceUnits | null = null;
  /** Long-side price units: of the recording, which our orders take nothing from; null where there is none. */
  #recordedMid: number | null = null;

  constructor(
    readonly event: DescribedEvent,
    readonly market: DescribedMarket,
    grid: SeriesGrid,
    uptime: UptimeRule,
  ) {
    const at = grid.startedAt;
    this.inventory = new InventoryMeter(at);
    this.quoting = new QuotingMeter(at, uptime);
    this.#ownMid = new ScoreMeter(at);
    this.#mid = new ScoreMeter(at);
    const series = (): Series => new Series(grid);
    this.series = {
      bid: series(),
      ask: series(),
      ownBid: series(),
      ownAsk: series(),
      inventory: series(),
      profit: series(),
    };
    this.depth = new DepthSeries(grid);
    this.series.inventory.record(at, 0);
    this.series.profit.record(at, 0);
  }

  /** Total profit at the mark, money units. */
  get equity(): number {
    return this.accounts.whole.total;
  }

  /** What holdings cost and standing bids lock, money units. */
  get capital(): number {
    const { whole } = this.accounts;
    return whole.holding('long').cost + whole.holding('short').cost + this.#quotes.locked;
  }

  /** @returns whether anything moved */
  book(at: Micros, bid: PriceUnits | null, ask: PriceUnits | null): boolean {
    this.#judge(at);
    if (bid === this.#bid && ask === this.#ask) return false;
    this.#bid = bid;
    this.#ask = ask;
    const mid = bid === null || ask === null ? null : (bid + ask) / 2;
    this.accounts.markAt(mid);
    this.series.bid.record(at, bid ?? Number.NaN);
    this.series.ask.record(at, ask ?? Number.NaN);
    this.#mid.set(at, mid ?? Number.NaN);
    this.quoting.set(at, this.#quotes.touch, bid, ask);
    return true;
  }

  /** The recording shows another mid: mark-outs are judged by it. */
  recorded(at: Micros, mid: number): void {
    this.#judge(at);
    this.#recordedMid = mid;
  }

  /** @returns whether anything changed */
  standing(at: Micros, orders: readonly StandingOrder[]): boolean {
    if (!this.#quotes.replace(orders)) return false;
    const { touch } = this.#quotes;
    this.series.ownBid.record(at, touch.bid);
    this.series.ownAsk.record(at, touch.ask);
    this.#ownMid.set(at, (touch.bid + touch.ask) / 2);
    this.quoting.set(at, touch, this.#bid, this.#ask);
    return true;
  }

  filled(fill: Fill, at: Micros): void {
    this.#judge(at);
    const mid = this.accounts.whole.mark;
    this.accounts.book(fill);
    const side = bookSide(fill.side, fill.position);
    const flow = this.flows[side];
    this.#quotes.filled(fill, side);
    flow.fill(fill);
    this.#takePlace(fill.orderId, flow);
    this.#holds(at);
    if (this.resolvedAt !== null) return;
    if (fill.shares === 0) return this.#reprice(fill);
    if (fill.shares < 0) return;
    const kept = { at, side, price: longPriceOf(fill), shares: fill.shares, mid };
    this.#markOuts.add({ orderId: fill.orderId, fill: kept, sums: flow.markOuts });
    this.fills.add(kept);
  }

  queued(order: OrderId, ahead: Shares, others: Shares): void {
    this.#places.set(order, { ahead, others });
  }

  transferred(at: Micros, position: Position, came: Shares, longPrice: number): void {
    this.accounts.transfer(position, came, longPrice);
    this.#holds(at);
  }

  resolved(at: Micros, resolution: Resolution): void {
    this.#judge(at);
    this.accounts.resolve(resolution);
    // Sums of what fills are worth exist for both whole payouts alone.
    const isWhole = resolution === 'long' || resolution === 'short';
    this.#markOuts.resolve(!isWhole ? null : resolution === 'long' ? PRICE_ONE : 0);
    if (isWhole) {
      const outcome = resolution === 'long' ? 1 : 0;
      this.ownScore = this.#ownMid.score(at, outcome);
      this.marketScore = this.#mid.score(at, outcome);
    }
    this.resolvedAt = at;
    this.quoting.close(at);
    this.inventory.close(at);
    this.#holds(at);
  }

  reversed(at: Micros): void {
    this.accounts.reverse();
    this.ownScore = null;
    this.marketScore = null;
    this.resolvedAt = null;
    this.quoting.reopen(at);
    this.#holds(at);
    this.inventory.reopen(at);
  }

  /** The profit as it is now goes into its series. */
  noteProfit(at: Micros): void {
    this.series.profit.record(at, this.equity);
  }

  /** Nothing more will come. @throws InvariantError when the attribution does not add up */
  end(at: Micros): void {
    const mid = this.#judgedBy;
    if (mid !== null && this.resolvedAt === null) this.#markOuts.end(at, mid);
    this.accounts.check(`market ${this.market.marketId}`);
  }

  #judge(at: Micros): void {
    const mid = this.#judgedBy;
    if (mid !== null) this.#markOuts.advance(at, mid);
  }

  /** Of mark-outs. */
  get #judgedBy(): number | null {
    return this.#recordedMid ?? this.accounts.whole.mark;
  }

  /** Frames tell that an order traded before anything tells at what price. */
  #reprice({ orderId, position, amount, replaces }: Fill): void {
    this.#markOuts.reprice(replaces?.orderId ?? orderId, position === 'long' ? amount : 0 - amount);
  }

  #holds(at: Micros): void {
    const { net } = this.accounts.whole;
    this.inventory.set(at, net);
    this.series.inventory.record(at, net);
  }

  #takePlace(order: OrderId, flow: FlowSums): void {
    const place = this.#places.get(order);
    if (place === undefined) return;
    flow.queue(place.ahead, place.others);
    this.#places.delete(order);
  }
}

/** What the parts of a profit may differ from the whole by: 1e-9 currency units, in money units. */
const TOLERANCE = 1e-9 * MONEY_ONE;
/** Of sums of that size a double carries no more: units in the last place that rounding may cost. */
const ROUNDING = 64 * Number.EPSILON;

/** The account of a market, and the same fills once more by direction. All three are marked alike. */
export class MarketAccounts {
  readonly whole = new MarketAccount();
  /** Fills that bought long or sold short, and the others. */
  readonly bid = new MarketAccount();
  readonly ask = new MarketAccount();
  #wasTransferred = false;

  book(fill: Fill): void {
    // A first price is the mark of all three, so that none of them earns a spread by it.
    if (this.whole.lacksMark && fill.shares > 0) this.markAt(longPriceOf(fill));
    this.whole.book(fill);
    this.sideOf(fill).book(fill);
  }

  /** @param mid long-side price units; null leaves the last one standing */
  markAt(mid: number | null): void {
    this.whole.markAt(mid);
    this.bid.markAt(mid);
    this.ask.markAt(mid);
  }

  transfer(position: Position, came: Shares, longPrice: number): void {
    this.#wasTransferred = true;
    this.whole.transfer(position, came, longPrice);
  }

  resolve(resolution: Resolution): void {
    for (const account of [this.whole, this.bid, this.ask]) account.resolve(resolution);
  }

  reverse(): void {
    for (const account of [this.whole, this.bid, this.ask]) account.reverse();
  }

  /**
   * The identity of the attribution, of the whole and of each side, and that the sides make the whole.
   * @throws InvariantError when one of them is off by more than 1e-9 of a currency unit
   */
  check(name: string): void {
    const [whole, bid, ask] = [this.whole.profit(), this.bid.profit(), this.ask.profit()];
    requireIdentity(whole, name);
    requireIdentity(bid, `${name}, bid side`);
    requireIdentity(ask, `${name}, ask side`);
    if (!this.#wasTransferred)
      requireEqual(bid.total + ask.total, whole.total, `${name}, sides`, sizeOf(whole));
  }

  private sideOf({ side, position }: Fill): MarketAccount {
    return this[bookSide(side, position)];
  }
}

/** @throws InvariantError when the parts do not make the total */
export function requireIdentity(profit: Profit, name: string): void {
  const { spread, inventory, resolution, fees, rebates, total } = profit;
  requireEqual(spread + inventory + resolution - fees + rebates, total, name, sizeOf(profit));
}

function requireEqual(parts: number, whole: number, name: string, size: number): void {
  if (Math.abs(parts - whole) <= TOLERANCE + ROUNDING * size) return;
  const gap = (parts - whole) / MONEY_ONE;
  throw new InvariantError(`attribution of ${name}: the parts differ from the profit by ${gap}`);
}

const sizeOf = ({ spread, inventory, resolution, fees, rebates }: Profit): number =>
  Math.abs(spread) + Math.abs(inventory) + Math.abs(resolution) + fees + rebates;

/** Average long-side price of a fill, price units. */
function longPriceOf({ position, amount, shares }: Fill): number {
  const price = amount / shares;
  return position === 'long' ? price : PRICE_ONE - price;
}

export const profitFigures = (profit: Profit): ProfitFigures => ({
  total: profit.total / MONEY_ONE,
  spread: profit.spread / MONEY_ONE,
  inventory: profit.inventory / MONEY_ONE,
  resolution: profit.resolution / MONEY_ONE,
  fees: profit.fees / MONEY_ONE,
  rebates: profit.rebates / MONEY_ONE,
});
