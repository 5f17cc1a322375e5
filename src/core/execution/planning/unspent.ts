import { dearerFee, lockAt } from '../../../domain/locks.js';
import type { Shares } from '../../../domain/units.js';
import { type Funds, type MarketTerms } from './market-terms.js';
import type { Row } from './order-rows.js';

/** What a plan has not given out yet of the cash and the shares that no working order has locked. */
export class Unspent {
  #cash = 0;
  #long = 0;
  #short = 0;
  /** Money units per whole share. */
  #fee = 0;

  begin({ cash, long, short }: Funds, terms: MarketTerms): void {
    this.#fee = dearerFee(terms);
    this.#cash = cash;
    this.#long = long;
    this.#short = short;
  }

  /** Takes what the order needs beyond what the one in its place has locked. @returns false when there is too little */
  pay(wanted: Row, old: Row | null): boolean {
    if (wanted.isSale) return this.#deliver(wanted, wanted.shares - (old?.shares ?? 0));
    const need = this.#needOf(wanted, old);
    if (need > 0 && need > this.#cash) return false;
    this.#cash -= Math.max(0, need);
    return true;
  }

  #needOf(wanted: Row, old: Row | null): number {
    if (old === null) return this.#lockOf(wanted);
    // Of as many shares the fees are the same.
    if (wanted.shares === old.shares) return (wanted.boldness - old.boldness) * wanted.shares;
    return this.#lockOf(wanted) - this.#lockOf(old);
  }

  #lockOf(purchase: Row): number {
    return lockAt(purchase.purchasePrice, purchase.shares as Shares, this.#fee);
  }

  #deliver({ isBid }: Row, need: number): boolean {
    if (need > (isBid ? this.#short : this.#long)) return false;
    if (isBid) this.#short -= Math.max(0, need);
    else this.#long -= Math.max(0, need);
    return true;
  }
}
