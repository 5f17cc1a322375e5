import type { Fill } from '../../../domain/fill.js';
import type { VenueRequest } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Answer } from '../../../domain/answers.js';
import type { Input } from '../../../domain/inputs.js';
import type { Money, PriceUnits, Shares } from '../../../domain/units.js';
import type { EngineCounts, FillView } from '../observing/view.js';

const FILLS_KEPT = 20;

/** Counts what happened, for screens and metrics. */
export class Tally {
  private readonly inputs = new Map<Input['kind'], number>();
  private readonly requests: Record<string, number> = {};
  private readonly refusals: Record<string, number> = {};
  private readonly differences: Record<string, number> = {};
  private readonly byMarket = new Map<MarketId, number>();
  private readonly recent: FillView[] = [];
  private created = 0;
  private replaced = 0;
  private cancelled = 0;
  private fills = 0;
  private sharesFilled = 0;
  private inferred = 0;
  private amountFilled = 0;
  private takes = 0;
  private amountTaken = 0;
  private malformed = 0;
  private resyncs = 0;

  get recentFills(): readonly FillView[] {
    return this.recent;
  }

  fillsOf(market: MarketId): number {
    return this.byMarket.get(market) ?? 0;
  }

  input(input: Input): void {
    const { kind } = input;
    this.inputs.set(kind, (this.inputs.get(kind) ?? 0) + 1);
    if (kind === 'malformed') this.malformed += 1;
    if (kind === 'link' && input.state === 'connected') this.resyncs += 1;
  }

  sent(request: VenueRequest): void {
    this.requests[request.kind] = (this.requests[request.kind] ?? 0) + 1;
  }

  answered({ outcome }: Answer): void {
    if (!outcome.ok) return;
    const { body } = outcome;
    if (body.kind === 'create-orders') this.created += succeeded(body.items);
    if (body.kind === 'replace-orders') this.replaced += succeeded(body.items);
    if (body.kind === 'cancel-orders') this.cancelled += succeeded(body.items);
    if (body.kind === 'cancel-scope') this.cancelled += body.canceledIds.length;
  }

  /** An order of ours was filled, in the run's currency. @param isWanted whether it was to trade at once */
  filled(fill: Fill, isWanted = false): void {
    if (fill.shares > 0) this.fills += 1;
    if (fill.isInferred) this.inferred += fill.shares;
    else if (fill.replaces !== null) this.inferred -= fill.replaces.shares;
    this.sharesFilled += fill.shares;
    this.amountFilled += fill.amount;
    if (fill.liquidity === 'taker' && !isWanted) {
      this.takes += 1;
      this.amountTaken += fill.amount;
    }
    if (fill.shares <= 0) return;
    this.byMarket.set(fill.marketId, this.fillsOf(fill.marketId) + 1);
    const { at, marketId, side, position, shares } = fill;
    const price = Math.round(fill.amount / fill.shares) as PriceUnits;
    this.recent.unshift({ at, marketId, side, position, price, shares });
    if (this.recent.length > FILLS_KEPT) this.recent.pop();
  }

  /** @param code of the venue, risk rule, objection of the last look, or `not-sent`: one of few, since it labels a metric */
  refused(code: string): void {
    this.refusals[code] = (this.refusals[code] ?? 0) + 1;
  }

  /** The venue's view was not ours, of this. */
  differed(what: 'book' | 'order' | 'holding' | 'cash'): void {
    this.differences[what] = (this.differences[what] ?? 0) + 1;
  }

  counts(decisions: number): Omit<EngineCounts, 'pacedMs'> {
    return {
      inputs: Object.fromEntries(this.inputs),
      requests: { ...this.requests },
      ordersCreated: this.created,
      ordersReplaced: this.replaced,
      ordersCancelled: this.cancelled,
      fills: this.fills,
      sharesFilled: this.sharesFilled as Shares,
      sharesInferred: this.inferred as Shares,
      amountFilled: this.amountFilled as Money,
      takes: this.takes,
      amountTaken: this.amountTaken as Money,
      refusals: { ...this.refusals },
      differences: { ...this.differences },
      malformedFrames: this.malformed,
      resyncs: this.resyncs,
      decisions,
    };
  }
}

const succeeded = (items: readonly { readonly ok: boolean }[]): number =>
  items.reduce((count, item) => count + (item.ok ? 1 : 0), 0);
