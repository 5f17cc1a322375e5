import type { MarketId } from '../../../domain/ids.js';
import { currencyUnits, type Micros, type Money, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { Currency, Position } from '../../../domain/vocabulary.js';
import type { Desk } from '../../execution/desk.js';
import { LockedCash } from '../../execution/orders/locked-cash.js';
import {
  type Funds as MarketFunds,
  lockOf,
  type MarketTerms,
} from '../../execution/planning/market-terms.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Positions } from '../accounting/positions.js';
import type { RouteOrder } from '../../execution/planning/legs.js';
import { allot, type CashClaim, totalClaimed } from '../../execution/planning/rationing.js';

/** Spendable cash, less what orders lock that the last balance did not count. Negative where they lock more than there is. */
export interface CashNow {
  readonly amount: number;
  /** When the balance was read; null while none is known. */
  readonly asOf: Micros | null;
}

interface Sources {
  readonly currency: Currency;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  /** As {@link EngineOptions.accountParts}. */
  readonly parts?: number;
}

const NO_PROMISES = { claimed: 0 as Money };
const NO_CASH: CashNow = { amount: 0, asOf: null };

/**
 * Cash and shares that orders may use. The venue's balance leaves out what resting bids lock at the moment of the read.
 * Bids placed since are subtracted; bids that ended since are not added before the next read, so the figure is never too high.
 */
export class Funds {
  /** Cash held back because the venue refused orders for lack of it. */
  readonly margin = new CashMargin();
  private readonly locks: LockedCash;
  private promised: { readonly claimed: Money } = NO_PROMISES;

  constructor(private readonly sources: Sources) {
    this.locks = new LockedCash(sources.desk.orders, (market) => sources.terms.get(market));
  }

  /** Approved orders that are not sent yet claim cash, too. */
  heed(promised: { readonly claimed: Money }): void {
    this.promised = promised;
  }

  /** Cash and shares that no working order locks and no approved order claims. */
  free(market: MarketId): MarketFunds {
    return {
      cash: this.unclaimed(),
      long: this.unsold(market, 'long'),
      short: this.unsold(market, 'short'),
    };
  }

  /** Free cash, plus what working orders of this market lock. */
  usableCash(market: MarketId): Money {
    return (this.unclaimed() + this.locks.of(market)) as Money;
  }

  /** Free cash less what approved orders claim. */
  unclaimed(): Money {
    return Math.max(0, this.freeCash() - this.promised.claimed) as Money;
  }

  /** Spendable cash now; zero while no balance is known. */
  freeCash(): Money {
    const { amount, asOf } = this.cash();
    return (asOf === null ? 0 : Math.max(0, amount)) as Money;
  }

  /** Spendable cash, negative where more was asked for than there is. */
  cash(): CashNow {
    const { parts = 1 } = this.sources;
    const { amount, asOf } = this.accountCash();
    if (parts === 1 || asOf === null) return { amount, asOf };
    return { amount: Math.min(amount, this.shareOf(amount, parts)), asOf };
  }

  /** The same of the whole account, where several runs share it. */
  accountCash(): CashNow {
    const { mirror, currency } = this.sources;
    const { amount, asOf } = mirror.balance(currency);
    if (amount === null || asOf === null) return NO_CASH;
    return { amount: amount - this.locks.since(asOf) - this.margin.amount, asOf };
  }

  /**
   * This run's share of the cash, less what it locks. What it sees is never more than the whole account has, however old its
   * balance is: so all shares together are never more than the account's cash.
   */
  private shareOf(free: number, parts: number): number {
    const locked = this.locks.all;
    return Math.floor((free + locked) / parts) - locked;
  }

  /** Whether the cash may be more than {@link cash} says, because the balance may have known of a lock that is taken off. */
  areUnclear(): boolean {
    const { asOf } = this.sources.mirror.balance(this.sources.currency);
    return asOf !== null && this.locks.isUnclear(asOf);
  }

  /** Whether working asks sell more than is held. Of an update the new order counts, not the old one. */
  areOversold(market: MarketId, position: Position): boolean {
    let left: number = this.sources.positions.held(market, position);
    for (const order of this.working(market))
      if (this.sells(order, position) && order.successor === null) left -= order.remaining;
    return left < 0;
  }

  /** The venue refused a bid for lack of cash although our figure sufficed. */
  refused({ marketId, price, requested }: OwnOrder, at: Micros): void {
    const { mirror, currency, terms } = this.sources;
    const lock = lockOf(price, requested, terms.get(marketId)!);
    this.margin.refused(lock, mirror.balance(currency).asOf, at);
  }

  /** What working bids of the market lock. */
  lockedIn(market: MarketId): Money {
    return this.locks.of(market);
  }

  /** What working bids of all markets lock. */
  locked(): Money {
    return this.locks.all;
  }

  private working(market: MarketId): readonly OwnOrder[] {
    return this.sources.desk.orders.own(market).working;
  }

  /** The fees of the market have changed. */
  repriced(market: MarketId): void {
    this.locks.changed(market);
  }

  private unsold(market: MarketId, position: Position): Shares {
    const held = this.sources.positions.held(market, position);
    if (held <= 0) return ZERO_SHARES;
    let left: number = held;
    for (const order of this.working(market)) if (this.sells(order, position)) left -= order.remaining;
    return Math.max(0, left) as Shares;
  }

  /** Holdings in different currencies are separate, even in one book. */
  private sells({ side, position, currency }: OwnOrder, held: Position): boolean {
    return side === 'ask' && position === held && currency === this.sources.currency;
  }
}

/** Part of a refused order's lock that is held back. */
const PART = 8;
/** Time without a refusal after which half of it is released, in microseconds. */
const EASED_AFTER = 600_000_000;
/** Less than a cent counts as nothing. */
const LEAST = 10_000;

/**
 * Cash held back because the venue counts otherwise: fees that the configuration does not know, or a lock that nobody told
 * of. The first refusal only has the balance read. Each further refusal after a fresh balance holds back more, until orders
 * pass. Every ten minutes half of it is released again: if the cause persists, that costs one refusal.
 */
export class CashMargin {
  #amount = 0;
  #refusedAt = Infinity;
  /** Time of the last refusal or release. */
  #changedAt = 0;

  get amount(): Money {
    return this.#amount as Money;
  }

  /**
   * The venue refused an order for lack of cash.
   * @param lock what we expected it to lock
   * @param asOf time of the balance that we counted with; null while none is known
   */
  refused(lock: number, asOf: Micros | null, at: Micros): void {
    if (asOf !== null && asOf > this.#refusedAt) this.#amount += Math.ceil(lock / PART);
    this.#refusedAt = at;
    this.#changedAt = at;
  }

  balanceRead(at: Micros): void {
    if (this.#amount === 0 || at - this.#changedAt < EASED_AFTER) return;
    this.#amount = this.#amount < 2 * LEAST ? 0 : Math.floor(this.#amount / 2);
    this.#changedAt = at;
  }

  /** A person resumed: nothing is held back any more. */
  lift(): void {
    this.#amount = 0;
    this.#refusedAt = Infinity;
  }
}

/** Least time between two allotments, in microseconds: fair values move with every book, and each change costs requests. */
const REVIEW_EVERY = 1_000_000;

const NO_MARKETS: readonly MarketId[] = [];

/** A market as far as it shares the cash of the run with others. */
export interface CashUser {
  readonly marketId: MarketId;
  /**
   * What it would lock with unlimited cash; empty while nothing is wanted.
   * @param order which shares it uses first; left out, as the configuration says
   */
  cashClaims(order?: RouteOrder): readonly CashClaim[];
}

/** Quotes that are wanted would lock more than there is. */
export interface CashShortage {
  readonly needed: Money;
  readonly there: Money;
}

export const cashShortText = ({ needed, there }: CashShortage, currency: string): string =>
  `cash is short: all quotes would lock ${currencyUnits(needed).toFixed(2)} ${currency}, ${currencyUnits(there).toFixed(2)} are there; ` +
  'the quotes with the most expected edge stand, the others wait';

/** Markets that claim cash only as long as they need not sell what they hold. */
const sellersOf = (claims: readonly CashClaim[], scarce: readonly CashClaim[]): readonly MarketId[] => {
  const left = new Set(scarce.map(({ marketId }) => marketId));
  return claims.map(({ marketId }) => marketId).filter((id) => !left.has(id));
};

/** Shares the cash of the run out among markets while it does not suffice for all of them. */
export class CashShares {
  private readonly lacking = new Set<MarketId>();
  private shares: ReadonlyMap<MarketId, Money> | null = null;
  private notBefore = 0;
  /** null: the cash suffices. */
  shortage: CashShortage | null = null;
  /** The greatest of the run. */
  worst: CashShortage | null = null;

  /** @param onShort told of the first shortage of the run */
  constructor(
    private readonly funds: Funds,
    private readonly onShort: (shortage: CashShortage, at: Micros) => void,
  ) {}

  /** The most that the market may lock; null for no bound. */
  of(market: MarketId): Money | null {
    if (this.shares === null) return null;
    return this.shares.get(market) ?? (0 as Money);
  }

  /** Whether cash is short. Then what is held is sold before cash is locked, however it is done otherwise. */
  get isShort(): boolean {
    return this.shares !== null;
  }

  /** A plan of the market was made. @param lacks whether some of what it wants found no cash */
  planned(market: MarketId, lacks: boolean): void {
    if (lacks) this.lacking.add(market);
    else this.lacking.delete(market);
  }

  /** When {@link review} may have something to do; null while nobody lacks cash. */
  get nextDue(): Micros | null {
    return this.lacking.size === 0 && this.shares === null ? null : (this.notBefore as Micros);
  }

  /** Shares the cash out anew. @returns markets to be planned again: whose share changed, and who still lack */
  review(users: Iterable<CashUser>, now: Micros): readonly MarketId[] {
    if (this.nextDue === null || now < this.notBefore) return NO_MARKETS;
    this.notBefore = now + REVIEW_EVERY;
    const all = [...users];
    const claims = all.flatMap((user) => user.cashClaims());
    const cash = (this.funds.freeCash() + this.funds.locked()) as Money;
    const before = this.shares;
    const needed = totalClaimed(claims);
    const scarce = needed <= cash ? claims : all.flatMap((user) => user.cashClaims('held-first'));
    this.shares = needed <= cash ? null : allot(scarce, cash);
    this.note(needed <= cash ? null : { needed, there: cash }, now);
    const changed = new Set(this.lacking);
    for (const { marketId } of claims)
      if (before?.get(marketId) !== this.shares?.get(marketId)) changed.add(marketId);
    // What is sold needs no share, and is planned otherwise while cash is short.
    if ((before === null) !== (this.shares === null))
      for (const id of sellersOf(claims, scarce)) changed.add(id);
    return [...changed];
  }
  private note(shortage: CashShortage | null, now: Micros): void {
    this.shortage = shortage;
    if (shortage === null) return;
    if (this.worst === null) this.onShort(shortage, now);
    const before = this.worst === null ? 0 : this.worst.needed - this.worst.there;
    if (shortage.needed - shortage.there > before) this.worst = shortage;
  }
}
