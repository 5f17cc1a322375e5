import type { SendEffect, VenueRequest } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { OwnOrders } from '../../execution/orders/own-orders.js';
import { lockOf, type MarketTerms } from '../../execution/planning/market-terms.js';

/** Cash as {@link Funds} counts it. */
export interface CashNow {
  /** Spendable, less what orders lock that nobody had named when the balance was read; negative where that is more than there is. */
  readonly amount: number;
  /** When the balance was read; null while none is known. */
  readonly asOf: Micros | null;
}

interface Sources {
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly orders: Pick<OwnOrders, 'byId'>;
  readonly cash: () => CashNow;
}

interface Asking {
  readonly request: VenueRequest;
  /** Whether there was cash for it when it was decided. */
  wasCovered: boolean;
}

/**
 * Requests that are to lock cash, from their decision to their answer: what there is may shrink before their bytes leave,
 * by a read or a change of fees. The one that was decided first comes first: what is behind it is no reason to hold it
 * back. What was more than there is when it was decided, after it had waited for its turn, leaves all the same: whether there
 * is enough the venue says, or it would be planned and held back again and again.
 */
export class CashUnderWay {
  readonly #asking = new Map<number, Asking>();

  constructor(private readonly sources: Sources) {}

  /** These leave now, in this order; their orders count as working. */
  decided(effects: readonly SendEffect[]): void {
    for (const { requestId, request } of effects)
      if (request.kind === 'create-orders' || request.kind === 'replace-orders')
        this.#asking.set(requestId, { request, wasCovered: true });
    if (this.#isAllCovered()) return;
    for (const { requestId } of effects) {
      const asking = this.#asking.get(requestId);
      if (asking !== undefined) asking.wasCovered = this.#suffices(requestId, asking.request);
    }
  }

  answered(requestId: number): void {
    this.#asking.delete(requestId);
  }

  /** Whether the cash still suffices for what the request is to lock. */
  covers({ requestId, request }: SendEffect): boolean {
    const asking = this.#asking.get(requestId);
    if (asking !== undefined && (!asking.wasCovered || this.#isAllCovered())) return true;
    return this.#suffices(requestId, request);
  }

  /** All that is under way is taken off the amount already: mostly something is left, and nothing need be added up. */
  #isAllCovered(): boolean {
    const { amount, asOf } = this.sources.cash();
    return asOf !== null && amount >= 0;
  }

  #suffices(requestId: number, request: VenueRequest): boolean {
    const { amount, asOf } = this.sources.cash();
    const need = this.#needOf(request);
    return need <= 0 || (asOf !== null && need <= amount + this.#lockedFrom(requestId));
  }

  /** What this request and those decided after it lock: the amount counts all of it already, for nobody has named it. */
  #lockedFrom(first: number): number {
    let locked = 0;
    for (const [id, { request }] of this.#asking) if (id >= first) locked += this.#lockOf(request);
    return locked;
  }

  /** By the fees of today. */
  #lockOf(request: VenueRequest): number {
    let lock = 0;
    let terms: MarketTerms | null = null;
    if (request.kind === 'create-orders')
      for (const { marketId, side, price, shares } of request.orders) {
        terms = this.#termsOf(marketId, terms);
        if (side === 'bid') lock += lockOf(price, shares, terms);
      }
    if (request.kind === 'replace-orders')
      for (const { place, price, shares } of request.replacements) {
        terms = this.#termsOf(place.marketId, terms);
        if (place.side === 'bid') lock += lockOf(price, shares, terms);
      }
    return lock;
  }

  /**
   * What it is to lock beyond the orders in whose place it comes. An update that locks less frees nothing before it is
   * answered.
   */
  #needOf(request: VenueRequest): number {
    if (request.kind !== 'replace-orders') return this.#lockOf(request);
    let need = 0;
    for (const { orderId, price, shares } of request.replacements) {
      const old = this.sources.orders.byId(orderId);
      if (old === undefined || old.side !== 'bid') continue;
      const terms = this.#termsOf(old.marketId, null);
      need += Math.max(0, lockOf(price, shares, terms) - lockOf(old.price, old.remaining, terms));
    }
    return need;
  }

  /** @param last those of the order before: the orders of a market follow each other */
  #termsOf(market: MarketId, last: MarketTerms | null): MarketTerms {
    return last !== null && last.marketId === market ? last : this.sources.terms.get(market)!;
  }
}
