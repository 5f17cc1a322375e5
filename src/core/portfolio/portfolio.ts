import type { Fill } from '../../domain/fill.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { HoldingReport } from '../../domain/orders.js';
import { type Micros, type Money, PRICE_ONE, type Shares } from '../../domain/units.js';
import { type Currency, type Position, POSITIONS, type Resolution } from '../../domain/vocabulary.js';
import { Accounts, type Inventory } from './accounts.js';
import { type CashDifference, CashWitness } from './cash-witness.js';
import { EventExposure, type EventRules } from './event-exposure.js';
import {
  type HoldingDifference,
  type HoldingFill,
  type HoldingName,
  HoldingWitness,
} from './holding-witness.js';
import { addProfit, type MarketAccount, NO_PROFIT, type Profit } from './market-account.js';
import { OrderCosts } from './worst-case.js';

/** Which part of the portfolio; currencies are never added up. */
export type ProfitScope =
  | { readonly kind: 'market'; readonly marketId: MarketId; readonly currency: Currency }
  | { readonly kind: 'event'; readonly eventId: EventId; readonly currency: Currency }
  | { readonly kind: 'currency'; readonly currency: Currency };

/** The part of one currency, of which nothing is ever added to another's. */
interface Pocket {
  readonly currency: Currency;
  readonly accounts: Accounts;
  readonly cash: CashWitness;
  readonly exposures: Map<EventId, EventExposure>;
}

/**
 * What we hold, what it could cost us and what it earned, from our own fills; compared with what the venue says, and
 * repaired only by an explicit call. Everything is per currency.
 */
export class Portfolio {
  /** In order of first appearance. */
  readonly #pockets: Pocket[] = [];
  /** Last mid of markets that were never traded, so that a first fill is measured against it. */
  readonly #marks = new Map<MarketId, number>();
  /** Of all markets: a fill may be heard of after the end of its market, and be the first there. */
  readonly #resolutions = new Map<MarketId, Resolution>();
  readonly #witness: HoldingWitness;

  /**
   * @param rulesOf how an event can end; asked per event and currency, at the first holding or order after it was told anew
   * @param graceMs how long reports about the same trade may be apart
   * @param nets    whether long and short shares of a market cancel each other, so that one of them is held at most
   */
  constructor(
    private readonly rulesOf: (event: EventId) => EventRules,
    private readonly graceMs: number,
    private readonly nets = false,
  ) {
    this.#witness = new HoldingWitness(graceMs, {
      shares: (name) => this.#sharesOf(name),
      filledAt: ({ marketId, position, currency }) =>
        this.#pocket(currency).accounts.filledAt(marketId, position),
    });
  }

  /**
   * Books a fill.
   * @param at receive time of what told of it
   * @param said what the venue said last that is held of a position there; null when it cannot be asked
   */
  fill(fill: Fill, at: Micros, said: (position: Position) => Shares | null = () => null): void {
    const pocket = this.#opened(fill);
    const { accounts } = pocket;
    const { marketId, currency } = fill;
    const before = POSITIONS.map((position) => this.held(marketId, currency, position));
    this.#book(pocket, marketId, at, (account) => account.book(fill));
    POSITIONS.forEach((position, index) => {
      const change = Math.abs(this.held(marketId, currency, position) - before[index]!) as Shares;
      if (position !== fill.position && change === 0) return;
      accounts.filled(marketId, position, at);
      this.#witness.filled(holdingFillOf(fill, position, change), said(position), at);
    });
    this.#tellHeld(pocket, marketId);
  }

  /** The mid of the market's foreign book. @param mid long-side price units, halves allowed; null when one-sided */
  mark(market: MarketId, mid: number | null): void {
    if (mid === null) return;
    let isTraded = false;
    for (const { accounts } of this.#pockets) isTraded = accounts.mark(market, mid) || isTraded;
    if (!isTraded) this.#marks.set(market, mid);
  }

  /** The market resolved: pays out, or for `void` takes every cash flow back. */
  resolve(market: MarketId, resolution: Resolution, at: Micros): void {
    this.#resolutions.set(market, resolution);
    for (const pocket of this.#pockets)
      this.#change(pocket, market, at, (account) => account.resolve(resolution));
  }

  /** The market's resolution was reversed. */
  reverse(market: MarketId, at: Micros): void {
    this.#resolutions.delete(market);
    for (const pocket of this.#pockets) this.#change(pocket, market, at, (account) => account.reverse());
  }

  /** Whether of any holding it is not settled whether the venue's number or ours is right; hardly ever. */
  get isContested(): boolean {
    return this.#witness.isDoubting;
  }

  /** What the venue says that is held, as long as it is not settled whether that or our number is right; ours otherwise. */
  contested(marketId: MarketId, currency: Currency, position: Position): Shares {
    return this.#witness.contested({ marketId, currency, position }, this.held(marketId, currency, position));
  }

  /** The venue told a holding. */
  reported(report: HoldingReport, at: Micros): void {
    this.#witness.reported(report, at);
    this.#tellHeld(this.#pocket(report.currency), report.marketId);
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
    const { doubted } = this.#witness;
    const differences = this.#witness.read(reports, this.#held(), isExplained, sentAt, at);
    for (const { currency, marketId } of doubted) this.#tellHeld(this.#pocket(currency), marketId);
    return differences;
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
    if (came !== 0) this.#transfer(difference, came, longPrice, at);
    this.#witness.settled(difference);
    this.#tellHeld(this.#pocket(difference.currency), difference.marketId);
    return { came, longPrice };
  }

  /** A balance was read, with what open orders lock added. @returns the difference it establishes, if any */
  balanceRead(currency: Currency, balance: Money, sentAt: Micros): CashDifference | null {
    return this.#pocket(currency).cash.read(balance, sentAt);
  }

  /** Counts the difference as known: a fee, deposit or withdrawal, never profit. */
  acceptCash(currency: Currency, difference: CashDifference): void {
    this.#pocket(currency).cash.accept(difference);
  }

  /** Money came by hand. */
  deposited(currency: Currency, amount: Money): void {
    this.#pocket(currency).cash.deposited(amount);
  }

  /** An order that rested before anything was read locks so much, as is known only now. */
  wasLocked(currency: Currency, amount: Money, at: Micros): void {
    this.#pocket(currency).cash.wasLocked(amount, at);
  }

  /** Received less paid since the beginning of the run, fees included. */
  cashFlow(currency: Currency): Money {
    return this.#pocket(currency).accounts.cash;
  }

  inventory(market: MarketId, currency: Currency): Inventory {
    return this.#pocket(currency).accounts.inventory(market);
  }

  held(market: MarketId, currency: Currency, position: Position): Shares {
    return this.#pocket(currency).accounts.held(market, position);
  }

  /** The event's worst case in one currency; kept up to date with holdings, and by its caller with open orders. */
  exposure(event: EventId, currency: Currency): EventExposure {
    return this.#exposure(this.#pocket(currency), event);
  }

  /** How the event can end, or which markets it has, is known otherwise from now on; open orders are to be told anew. */
  reopen(event: EventId): void {
    for (const pocket of this.#pockets) {
      pocket.exposures.delete(event);
      for (const { eventId, marketId } of pocket.accounts.markets())
        if (eventId === event) this.#tellHeld(pocket, marketId);
    }
  }

  /** Total profit in a currency, kept up to date with every fill and mark: the figure that limits look at. */
  total(currency: Currency): number {
    return this.#pocket(currency).accounts.total;
  }

  profit(scope: ProfitScope): Profit {
    const { accounts } = this.#pocket(scope.currency);
    if (scope.kind === 'market') return accounts.account(scope.marketId)?.profit() ?? NO_PROFIT;
    return [...accounts.markets()]
      .filter(({ eventId }) => scope.kind === 'currency' || eventId === scope.eventId)
      .map(({ marketId }) => accounts.account(marketId)!.profit())
      .reduce(addProfit, NO_PROFIT);
  }

  #transfer(name: HoldingName, came: Shares, longPrice: number, at: Micros): void {
    const { marketId, position } = name;
    this.#change(this.#opened(name), marketId, at, (account) => account.transfer(position, came, longPrice));
  }

  /** Changes one account, if it is open, and everything that follows from it. */
  #change(pocket: Pocket, market: MarketId, at: Micros, change: (account: MarketAccount) => void): void {
    this.#book(pocket, market, at, change);
    this.#tellHeld(pocket, market);
  }

  #book(
    { accounts, cash }: Pocket,
    market: MarketId,
    at: Micros,
    change: (account: MarketAccount) => void,
  ): void {
    if (accounts.eventOf(market) === null) return;
    accounts.change(market, change);
    cash.flowed(accounts.cash, at);
  }

  /** Tells the event's worst case what the market holds, be the fills in doubt right or not. */
  #tellHeld(pocket: Pocket, marketId: MarketId): void {
    const { accounts, currency } = pocket;
    const event = accounts.eventOf(marketId);
    const account = accounts.account(marketId);
    if (event === null || account === null) return;
    const undone = new OrderCosts();
    for (const position of POSITIONS) this.#witness.addUndone({ marketId, currency, position }, undone);
    const [long, short] = [account.holding('long').shares, account.holding('short').shares];
    this.#exposure(pocket, event).hold(marketId, { long, short, cost: account.netCost }, undone);
  }

  /** The pocket of that currency, with an account of that market in it. */
  #opened({ eventId, marketId, currency }: Pick<HoldingName, 'eventId' | 'marketId' | 'currency'>): Pocket {
    const pocket = this.#pocket(currency);
    if (pocket.accounts.eventOf(marketId) === null) {
      pocket.accounts.open(eventId, marketId, this.#lastMark(marketId));
      this.#marks.delete(marketId);
      const resolution = this.#resolutions.get(marketId);
      if (resolution !== undefined)
        pocket.accounts.change(marketId, (account) => account.resolve(resolution));
    }
    return pocket;
  }

  /** From the market's account in another currency, if it has one. */
  #lastMark(market: MarketId): number | null {
    for (const { accounts } of this.#pockets) {
      const mark = accounts.account(market)?.mark ?? null;
      if (mark !== null) return mark;
    }
    return this.#marks.get(market) ?? null;
  }

  #exposure({ exposures }: Pocket, event: EventId): EventExposure {
    const known = exposures.get(event);
    if (known !== undefined) return known;
    const exposure = new EventExposure(this.rulesOf(event));
    exposures.set(event, exposure);
    return exposure;
  }

  #pocket(currency: Currency): Pocket {
    for (const pocket of this.#pockets) if (pocket.currency === currency) return pocket;
    const cash = new CashWitness(this.graceMs);
    const pocket = { currency, accounts: new Accounts(this.nets), cash, exposures: new Map() };
    this.#pockets.push(pocket);
    return pocket;
  }

  #sharesOf({ marketId, position, currency }: HoldingName): Shares {
    return this.held(marketId, currency, position);
  }

  #held(): HoldingName[] {
    return this.#pockets.flatMap(({ currency, accounts }) =>
      [...accounts.markets()].flatMap(({ eventId, marketId }) => {
        const held = POSITIONS.filter((position) => accounts.held(marketId, position) !== 0);
        return held.map((position) => ({ eventId, marketId, currency, position }));
      }),
    );
  }
}

/** The part of a fill that changed the holding of a position; an account that nets may split it between both. */
function holdingFillOf(fill: Fill, position: Position, change: Shares): HoldingFill {
  if (position === fill.position && change === fill.shares) return fill;
  const price = fill.amount / fill.shares;
  const amount = (change * (position === fill.position ? price : PRICE_ONE - price)) as Money;
  return { ...fill, position, shares: change, amount };
}
