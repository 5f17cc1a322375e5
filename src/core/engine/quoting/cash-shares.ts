import type { MarketId } from '../../../domain/ids.js';
import type { Micros, Money } from '../../../domain/units.js';
import { allot, type CashClaim, totalClaimed } from '../../execution/planning/rationing.js';
import type { Funds } from './funds.js';

/** Least time between two allotments: fair values move with every book, and each change costs requests. */
const REVIEW_EVERY = 1_000_000;

const NO_MARKETS: readonly MarketId[] = [];

/** A market as far as it shares the cash of the run with others. */
export interface CashUser {
  readonly marketId: MarketId;
  /** What it would lock if there were cash for everything; empty while nothing is wanted. */
  cashClaims(): readonly CashClaim[];
}

/**
 * Shares the cash of the run out among markets while it does not suffice for all. As long as nobody lacks cash there
 * is nothing to share, and nothing is computed.
 */
export class CashShares {
  private readonly lacking = new Set<MarketId>();
  private shares: ReadonlyMap<MarketId, Money> | null = null;
  private notBefore = 0;

  constructor(private readonly funds: Funds) {}

  /** The most that the market may lock; null: whatever there is. */
  of(market: MarketId): Money | null {
    if (this.shares === null) return null;
    return this.shares.get(market) ?? (0 as Money);
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
    const claims = [...users].flatMap((user) => user.cashClaims());
    const cash = (this.funds.freeCash() + this.funds.locked()) as Money;
    const before = this.shares;
    this.shares = totalClaimed(claims) <= cash ? null : allot(claims, cash);
    const changed = new Set(this.lacking);
    for (const { marketId } of claims)
      if (before?.get(marketId) !== this.shares?.get(marketId)) changed.add(marketId);
    return [...changed];
  }
}
