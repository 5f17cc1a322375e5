import type { Fill } from '../domain/fill.js';
import type { EventId, MarketId } from '../domain/ids.js';
import { MarketTable } from '../domain/market-table.js';
import type { HoldingReport } from '../domain/orders.js';
import { type Micros, type Money, PRICE_ONE, type Shares, ZERO_SHARES } from '../domain/units.js';
import { type Currency, type Position, POSITIONS, type Resolution } from '../domain/vocabulary.js';
import { NO_PROFIT, type Profit, addProfit } from './attribution.js';
import { type CashDifference, CashWitness } from './cash-witness.js';
import { EventExposure, type EventRules } from './event-exposure.js';
import { averageCost } from './holding.js';
import { type HoldingDifference, type HoldingName, HoldingWitness } from './holding-witness.js';
import { MarketAccount } from './market-account.js';

/** What is held in one market in one currency. */
export interface Inventory {
  readonly long: Shares;
  readonly short: Shares;
  /** long - short. */
  readonly net: Shares;
  /** Held in both positions: dead capital worth one unit each until resolution, which the venue cannot net. */
  readonly paired: Shares;
  /** Average cost of each position in its own price units; null when nothing is held. */
  readonly averageLong: number | null;
  readonly averageShort: number | null;
}

/** Which part of the portfolio; currencies are never added up. */
export type ProfitScope =
  | { readonly kind: 'market'; readonly marketId: MarketId; readonly currency: Currency }
  | { readonly kind: 'event'; readonly eventId: EventId; readonly currency: Currency }
  | { readonly kind: 'currency'; readonly currency: Currency };

const NOTHING_HELD: Inventory = Object.freeze({
  long: ZERO_SHARES,
  short: ZERO_SHARES,
  net: ZERO_SHARES,
  paired: ZERO_SHARES,
  averageLong: null,
  averageShort: null,
});

/** The account of one market in one currency, and where it belongs. */
class Entry extends MarketAccount {
  /** What the account holds; null while nobody has asked since it changed. */
  inventory: Inventory | null = null;

  /** @param next the same market in another currency */
  constructor(
    readonly eventId: EventId,
    readonly marketId: MarketId,
    readonly currency: Currency,
    readonly next: Entry | null,
  ) {
    super();
  }
}

/**
 * What we hold, what it could cost us and what it earned, from our own fills; compared with what the venue says, and
 * repaired only by an explicit call. Everything is per currency.
 */
export class Portfolio {
  readonly #entries: Entry[] = [];
  readonly #byMarket = new MarketTable<Entry>();
  /** Last mid of markets that were never traded, so that a first fill is measured against it. */
  readonly #marks = new MarketTable<number>();
  readonly #exposures = new Map<string, EventExposure>();
  readonly #cash = new Map<Currency, CashWitness>();
  readonly #flows = new Map<Currency, number>();
  readonly #totals = new Map<Currency, number>();
  readonly #witness: HoldingWitness;

  /**
   * @param rulesOf how an event can end; asked once per event and currency, at the first holding or order
   * @param graceMs how long reports about the same trade may be apart
   */
  constructor(
    private readonly rulesOf: (event: EventId) => EventRules,
    private readonly graceMs: number,
  ) {
    this.#witness = new HoldingWitness(graceMs, (name) => this.#sharesOf(name));
  }

  /** Books a fill. @param at receive time of what told of it */
  fill(fill: Fill, at: Micros): void {
    this.#change(this.#entry(fill), at, (account) => account.book(fill));
    this.#witness.filled(fill, at);
  }

  /** The mid of the market's foreign book. @param mid long-side price units, halves allowed; null when one-sided */
  mark(market: MarketId, mid: number | null): void {
    if (mid === null) return;
    const first = this.#byMarket.get(market);
    if (first === undefined) this.#marks.set(market, mid);
    for (let entry = first ?? null; entry !== null; entry = entry.next)
      if (entry.mark !== mid) this.#counting(entry, (account) => account.markAt(mid));
  }

  /** The market resolved: pays out, or for `void` takes every cash flow back. */
  resolve(market: MarketId, resolution: Resolution, at: Micros): void {
    for (const entry of this.#of(market)) this.#change(entry, at, (account) => account.resolve(resolution));
  }

  /** The market's resolution was reversed. */
  reverse(market: MarketId, at: Micros): void {
    for (const entry of this.#of(market)) this.#change(entry, at, (account) => account.reverse());
  }

  /** A `position-update` came. */
  reported(report: HoldingReport, at: Micros): void {
    this.#witness.reported(report, at);
  }

  /**
   * A complete read of holdings was answered.
   * @param isExplained whether fills of that market are known and not booked yet: its differences wait for them
   * @returns the differences it establishes, both views in each
   */
  holdingsRead(
    reports: readonly HoldingReport[],
    isExplained: (market: MarketId) => boolean,
    sentAt: Micros,
    at: Micros,
  ): HoldingDifference[] {
    return this.#witness.read(reports, this.#held(), isExplained, sentAt, at);
  }

  /** When holdings should be read to settle a difference; null when there is none. */
  get holdingsReadDue(): Micros | null {
    return this.#witness.readDue;
  }

  /**
   * Takes the venue's number over: the shares came or went at the mark, which is no profit.
   * @returns what came, and what a share is worth while there is no mark
   */
  repair(difference: HoldingDifference, at: Micros): { readonly came: Shares; readonly longPrice: number } {
    const { position, venue, venuePrice } = difference;
    const came = (venue - this.#sharesOf(difference)) as Shares;
    const longPrice =
      venuePrice === null ? PRICE_ONE / 2 : position === 'long' ? venuePrice : PRICE_ONE - venuePrice;
    if (came !== 0)
      this.#change(this.#entry(difference), at, (account) => account.transfer(position, came, longPrice));
    this.#witness.settled(difference);
    return { came, longPrice };
  }

  /** Takes a part of a repair back, because the fill that explains it is known now. @param longPrice as in {@link repair} */
  takeBack(name: HoldingName, came: Shares, longPrice: number, at: Micros): void {
    this.#change(this.#entry(name), at, (account) => account.transfer(name.position, came, longPrice));
  }

  /** A balance was read, with what open orders lock added. @returns the difference it establishes, if any */
  balanceRead(currency: Currency, balance: Money, sentAt: Micros): CashDifference | null {
    return this.#cashOf(currency).read(balance, sentAt);
  }

  /** Counts the difference as known: a fee, deposit or withdrawal, never profit. */
  acceptCash(currency: Currency, difference: CashDifference): void {
    this.#cashOf(currency).accept(difference);
  }

  /** Money came by hand. */
  deposited(currency: Currency, amount: Money): void {
    this.#cashOf(currency).deposited(amount);
  }

  /** Received less paid since the beginning of the run, fees included. */
  cashFlow(currency: Currency): Money {
    return (this.#flows.get(currency) ?? 0) as Money;
  }

  /** @returns the same object as long as nothing of it has changed */
  inventory(market: MarketId, currency: Currency): Inventory {
    const entry = this.#find(market, currency);
    return entry === null ? NOTHING_HELD : (entry.inventory ??= inventoryOf(entry));
  }

  held(market: MarketId, currency: Currency, position: Position): Shares {
    return this.#find(market, currency)?.holding(position).shares ?? ZERO_SHARES;
  }

  /** The event's worst case in one currency; kept up to date with holdings, and by its caller with open orders. */
  exposure(event: EventId, currency: Currency): EventExposure {
    const key = `${event} ${currency}`;
    const known = this.#exposures.get(key);
    if (known !== undefined) return known;
    const exposure = new EventExposure(this.rulesOf(event));
    this.#exposures.set(key, exposure);
    return exposure;
  }

  /** Total profit in a currency, kept up to date with every fill and mark: the figure that limits look at. */
  total(currency: Currency): number {
    return this.#totals.get(currency) ?? 0;
  }

  profit(scope: ProfitScope): Profit {
    return this.#entries
      .filter((entry) => isWithin(entry, scope))
      .map((entry) => entry.profit())
      .reduce(addProfit, NO_PROFIT);
  }

  /** Changes one account and everything that follows from it. */
  #change(entry: Entry, at: Micros, change: (account: MarketAccount) => void): void {
    const { marketId, eventId, currency } = entry;
    const before = entry.cash;
    entry.inventory = null;
    this.#counting(entry, change);
    const flow = (this.cashFlow(currency) + entry.cash - before) as Money;
    this.#flows.set(currency, flow);
    this.#cashOf(currency).flowed(flow, at);
    this.exposure(eventId, currency).hold(marketId, {
      long: entry.holding('long').shares,
      short: entry.holding('short').shares,
      cost: entry.netCost,
    });
  }

  /** Changes one account and keeps its currency's total in step. */
  #counting(entry: Entry, change: (account: MarketAccount) => void): void {
    const { currency, total: before } = entry;
    change(entry);
    this.#totals.set(currency, this.total(currency) + entry.total - before);
  }

  #entry({ eventId, marketId, currency }: Pick<Entry, 'eventId' | 'marketId' | 'currency'>): Entry {
    const known = this.#find(marketId, currency);
    if (known !== null) return known;
    const next = this.#byMarket.get(marketId) ?? null;
    const entry = new Entry(eventId, marketId, currency, next);
    entry.markAt(next?.mark ?? this.#marks.get(marketId) ?? null);
    this.#marks.delete(marketId);
    this.#entries.push(entry);
    this.#byMarket.set(marketId, entry);
    return entry;
  }

  #of(market: MarketId): readonly Entry[] {
    const entries: Entry[] = [];
    for (let entry = this.#byMarket.get(market) ?? null; entry !== null; entry = entry.next)
      entries.push(entry);
    return entries;
  }

  #find(market: MarketId, currency: Currency): Entry | null {
    let entry = this.#byMarket.get(market) ?? null;
    while (entry !== null && entry.currency !== currency) entry = entry.next;
    return entry;
  }

  #cashOf(currency: Currency): CashWitness {
    const known = this.#cash.get(currency) ?? new CashWitness(this.graceMs);
    this.#cash.set(currency, known);
    return known;
  }

  #sharesOf({ marketId, position, currency }: HoldingName): Shares {
    return this.held(marketId, currency, position);
  }

  #held(): HoldingName[] {
    return this.#entries.flatMap((entry) => {
      const { eventId, marketId, currency } = entry;
      const held = POSITIONS.filter((position) => entry.holding(position).shares !== 0);
      return held.map((position) => ({ eventId, marketId, currency, position }));
    });
  }
}

function isWithin(entry: Entry, scope: ProfitScope): boolean {
  if (entry.currency !== scope.currency) return false;
  if (scope.kind === 'market') return entry.marketId === scope.marketId;
  return scope.kind === 'currency' || entry.eventId === scope.eventId;
}

function inventoryOf(account: MarketAccount): Inventory {
  const long = account.holding('long');
  const short = account.holding('short');
  return {
    long: long.shares,
    short: short.shares,
    net: account.net,
    paired: Math.max(0, Math.min(long.shares, short.shares)) as Shares,
    averageLong: averageCost(long),
    averageShort: averageCost(short),
  };
}
