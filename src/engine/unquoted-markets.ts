import type { MarketId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';
import { approvePlan, type Gate } from '../execution/approval.js';
import { reconcile, type ReconcilePolicy } from '../execution/reconcile.js';
import type { EngineParts } from './parts.js';

const NOTHING_WANTED = [] as const;
const CLOSED_GATE: Gate = { create: () => null, replace: () => null };
const POLICY: ReconcilePolicy = {
  shyUnits: 0,
  boldUnits: 0,
  missingShares: 0,
  excessShares: 0,
  minRestMs: 0,
  update: false,
};

/**
 * Markets that no instance names are observed, never quoted. Orders of ours that an earlier run, with another
 * configuration, left there are cancelled.
 */
export class UnquotedMarkets {
  constructor(private readonly parts: EngineParts) {}

  review(now: Micros): void {
    const { desk, quoted } = this.parts;
    for (const market of desk.orders.markets()) if (!quoted.has(market)) this.clear(market, now);
  }

  private clear(market: MarketId, now: Micros): void {
    const { desk, funds, terms: termsOf } = this.parts;
    const { working } = desk.orders.own(market);
    const terms = termsOf.get(market);
    if (terms === undefined || working.length === 0) return;
    const plan = reconcile(
      NOTHING_WANTED,
      working,
      { terms, free: funds.free(market), fair: null, now },
      POLICY,
    );
    desk.offer(approvePlan(market, plan, CLOSED_GATE));
  }
}
