import type { EventId, MarketId } from '../../domain/ids.js';
import { MarketNumbers } from '../../domain/market-numbers.js';
import { MarketTable } from '../../domain/market-table.js';
import { type Micros, type Money, type Shares, ZERO_SHARES } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import { averageCost } from './holding.js';
import { Ledgers } from './ledgers.js';
import { MarketAccount, type Unresolved } from './market-account.js';
import { NumberRows } from './number-rows.js';

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

const NOTHING_HELD: Inventory = Object.freeze({
  long: ZERO_SHARES,
  short: ZERO_SHARES,
  net: ZERO_SHARES,
  paired: ZERO_SHARES,
  averageLong: null,
  averageShort: null,
});

/** What is known of an account beside its ledger. */
const COLUMN = { marketId: 0, eventId: 1, longFilledAt: 2, shortFilledAt: 3 } as const;
const COLUMNS = 4;
const NEVER = -1;

/**
 * The accounts of all markets in one currency, in tables: there may be one for every market. They are opened one after
 * the other and never closed.
 */
export class Accounts {
  readonly #rowOf = new MarketNumbers();
  readonly #rows = new NumberRows(COLUMNS);
  readonly #ledgers = new Ledgers();
  /** What the accounts hold that somebody has asked for since they changed. */
  readonly #inventories = new MarketTable<Inventory>();
  /** Of the few markets that have resolved. */
  readonly #unresolved = new Map<number, Unresolved>();
  #total = 0;
  #cash = 0;

  /** Profit of all, kept up to date with every change. */
  get total(): number {
    return this.#total;
  }

  /** Received less paid by all, fees included. */
  get cash(): Money {
    return this.#cash as Money;
  }

  /** The event of a market that has an account; null of one that has none. */
  eventOf(market: MarketId): EventId | null {
    const row = this.#rowOf.get(market);
    return row === undefined ? null : (this.#rows.get(row, COLUMN.eventId) as EventId);
  }

  /** Opens the market's account. @param mark long-side price units; null when nothing gave one yet */
  open(event: EventId, market: MarketId, mark: number | null): void {
    const row = this.#rows.add();
    this.#ledgers.add(mark);
    this.#rowOf.set(market, row);
    this.#rows.set(row, COLUMN.marketId, market);
    this.#rows.set(row, COLUMN.eventId, event);
    this.#rows.set(row, COLUMN.longFilledAt, NEVER);
    this.#rows.set(row, COLUMN.shortFilledAt, NEVER);
  }

  /** The markets that have an account, in the order in which they were opened. */
  *markets(): IterableIterator<{ readonly marketId: MarketId; readonly eventId: EventId }> {
    for (let row = 0; row < this.#rows.length; row++)
      yield {
        marketId: this.#rows.get(row, COLUMN.marketId) as MarketId,
        eventId: this.#rows.get(row, COLUMN.eventId) as EventId,
      };
  }

  /** As it is now; null when it was never opened. Changes go through {@link change}. */
  account(market: MarketId): MarketAccount | null {
    const row = this.#rowOf.get(market);
    return row === undefined ? null : this.#take(row);
  }

  /** Changes an open account. @returns it as it is now */
  change(market: MarketId, change: (account: MarketAccount) => void): MarketAccount {
    const row = this.#rowOf.get(market)!;
    this.#inventories.delete(market);
    return this.#changeRow(row, change);
  }

  /** The market's mid moved, which changes nothing that is held. @returns whether it has an account */
  mark(market: MarketId, mid: number): boolean {
    const row = this.#rowOf.get(market);
    if (row !== undefined && (this.#ledgers.mark(row) !== mid || this.#ledgers.isMarkAssumed(row)))
      this.#changeRow(row, (account) => account.markAt(mid));
    return row !== undefined;
  }

  /** Shares held; zero without an account. */
  held(market: MarketId, position: Position): Shares {
    const row = this.#rowOf.get(market);
    return row === undefined ? ZERO_SHARES : this.#ledgers.holding(row, position).shares;
  }

  /** @returns the same object as long as nothing of it has changed */
  inventory(market: MarketId): Inventory {
    const known = this.#inventories.get(market);
    if (known !== undefined) return known;
    const account = this.account(market);
    if (account === null) return NOTHING_HELD;
    const inventory = inventoryOf(account);
    this.#inventories.set(market, inventory);
    return inventory;
  }

  /** A fill of the holding was told. */
  filled(market: MarketId, position: Position, at: Micros): void {
    const row = this.#rowOf.get(market);
    if (row !== undefined) this.#rows.set(row, filledColumn(position), at);
  }

  /** When a fill of the holding was told last; null when none was. */
  filledAt(market: MarketId, position: Position): Micros | null {
    const row = this.#rowOf.get(market);
    const at = row === undefined ? NEVER : this.#rows.get(row, filledColumn(position));
    return at === NEVER ? null : (at as Micros);
  }

  #changeRow(row: number, change: (account: MarketAccount) => void): MarketAccount {
    const account = this.#take(row);
    const { total, cash } = account;
    change(account);
    this.#put(row, account);
    this.#total = this.#total + account.total - total;
    this.#cash = this.#cash + account.cash - cash;
    return account;
  }

  #take(row: number): MarketAccount {
    return new MarketAccount(this.#ledgers.take(row), this.#unresolved.get(row) ?? null);
  }

  #put(row: number, { ledger, unresolved }: MarketAccount): void {
    this.#ledgers.put(row, ledger);
    if (unresolved !== null) this.#unresolved.set(row, unresolved);
    else if (this.#unresolved.size > 0) this.#unresolved.delete(row);
  }
}

const filledColumn = (position: Position): number =>
  position === 'long' ? COLUMN.longFilledAt : COLUMN.shortFilledAt;

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
