import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import { approvePlan, type Gate } from '../../execution/planning/plan.js';
import { reconcile, type ReconcilePolicy } from '../../execution/planning/reconcile.js';
import type { Desk } from '../../execution/desk.js';
import type { Funds } from './funds.js';
import type { QuotedMarket } from './quoted-market.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';

/** What this part of the engine works with. */
export interface UnquotedParts {
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly desk: Desk;
  readonly funds: Funds;
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
}

const NOTHING_WANTED = [] as const;
const CLOSED_GATE: Gate = { create: () => null, replace: () => null };
const POLICY: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  change: null,
};

/**
 * Markets that no instance names are observed, never quoted. Orders of ours that an earlier run, with another
 * configuration, left there are cancelled.
 */
export class UnquotedMarkets {
  /** Markets whose orders changed since the last review. */
  private readonly changed: Set<MarketId>;
  private readonly occupied = new Set<MarketId>();

  constructor(private readonly parts: UnquotedParts) {
    this.changed = parts.desk.orders.watch();
  }

  /** Whether {@link review} has nothing to do. */
  get isIdle(): boolean {
    this.sort();
    return this.occupied.size === 0;
  }

  /** An instance quotes the market no longer, or does so again. */
  look(market: MarketId): void {
    this.changed.add(market);
  }

  review(now: Micros): void {
    if (!this.isIdle) for (const market of this.occupied) this.clear(market, now);
  }

  /** Nearly every order stands in a market that is quoted, and is none of our business. */
  private sort(): void {
    if (this.changed.size === 0) return;
    const { desk, quoted } = this.parts;
    for (const market of this.changed) {
      if (quoted.has(market)) this.occupied.delete(market);
      else if (desk.orders.own(market).working.length > 0) this.occupied.add(market);
      else this.occupied.delete(market);
    }
    this.changed.clear();
  }

  private clear(market: MarketId, now: Micros): void {
    const { desk, funds, terms: termsOf } = this.parts;
    const { working } = desk.orders.own(market);
    const terms = termsOf.get(market);
    if (terms === undefined) return;
    const plan = reconcile(
      NOTHING_WANTED,
      working,
      { terms, free: funds.free(market), fair: null, now, venueNow: now },
      POLICY,
    );
    desk.offer(approvePlan(market, plan, CLOSED_GATE));
  }
}
