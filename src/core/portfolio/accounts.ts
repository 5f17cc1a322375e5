import type { EventId, MarketId } from '../../domain/ids.js';
import { type Micros, type Money, type Shares, ZERO_SHARES } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import { averageCost } from './ledger.js';
import { MarketAccount } from './market-account.js';

/** What is held in one market in one currency. */
export interface Inventory {
  readonly long: Shares;
  readonly short: Shares;
  /** long - short. */
  readonly net: Shares;
  /** Held in both positions: dead capital worth one unit each until resolution, which the venue does not net. */
  readonly paired: Shares;
  /** Average cost of each position in its own price units; null when nothing is held. */
  readonly averageLong: number | null;
  readonly averageShort: number | null;
}

interface Opened {
  readonly eventId: EventId;
  readonly account: MarketAccount;
  /** When a fill of each position was told last; null when none was. */
  readonly filledAt: Record<Position, Micros | null>;
}

/** The accounts of all markets in one currency. An account is opened once and never closed. */
export class Accounts {
  readonly #opened = new Map<MarketId, Opened>();
  #total = 0;
  #cash = 0;

  /** @param nets whether an account holds one position at most */
  constructor(private readonly nets = false) {}

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
    return this.#opened.get(market)?.eventId ?? null;
  }

  /** Opens the market's account. @param mark long-side price units; null when nothing gave one yet */
  open(eventId: EventId, market: MarketId, mark: number | null): void {
    const account = new MarketAccount(undefined, null, this.nets);
    account.markAt(mark);
    this.#opened.set(market, { eventId, account, filledAt: { long: null, short: null } });
  }

  /** The markets that have an account, in the order in which they were opened. */
  *markets(): IterableIterator<{ readonly marketId: MarketId; readonly eventId: EventId }> {
    for (const [marketId, { eventId }] of this.#opened) yield { marketId, eventId };
  }

  /** Null when it was never opened. Changes go through {@link change}. */
  account(market: MarketId): MarketAccount | null {
    return this.#opened.get(market)?.account ?? null;
  }

  /** Changes an open account. */
  change(market: MarketId, change: (account: MarketAccount) => void): void {
    const { account } = this.#opened.get(market)!;
    const { total, cash } = account;
    change(account);
    this.#total += account.total - total;
    this.#cash += account.cash - cash;
  }

  /** The market's mid moved, which changes nothing that is held. @returns whether it has an account */
  mark(market: MarketId, mid: number): boolean {
    const account = this.account(market);
    if (account === null) return false;
    if (account.mark !== mid || account.lacksMark) this.change(market, () => account.markAt(mid));
    return true;
  }

  /** Shares held; zero without an account. */
  held(market: MarketId, position: Position): Shares {
    return this.account(market)?.holding(position).shares ?? ZERO_SHARES;
  }

  inventory(market: MarketId): Inventory {
    const account = this.account(market) ?? EMPTY;
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

  /** A fill of the holding was told. */
  filled(market: MarketId, position: Position, at: Micros): void {
    const opened = this.#opened.get(market);
    if (opened !== undefined) opened.filledAt[position] = at;
  }

  /** When a fill of the holding was told last; null when none was. */
  filledAt(market: MarketId, position: Position): Micros | null {
    return this.#opened.get(market)?.filledAt[position] ?? null;
  }
}

const EMPTY: Readonly<MarketAccount> = new MarketAccount();
