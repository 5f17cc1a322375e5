import type { LimitOrder } from '../../domain/orders.js';
import type { OwnOrder } from '../orders/own-order.js';
import { dearerFee, type Funds, lockAt, type MarketTerms } from './market-terms.js';

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
  pay(wanted: LimitOrder, old: OwnOrder | null): boolean {
    if (wanted.side === 'ask') return this.#deliver(wanted, wanted.shares - (old?.remaining ?? 0));
    const locked = old === null ? 0 : lockAt(old.price, old.remaining, this.#fee);
    const need = lockAt(wanted.price, wanted.shares, this.#fee) - locked;
    if (need > 0 && need > this.#cash) return false;
    this.#cash -= Math.max(0, need);
    return true;
  }

  #deliver({ position }: LimitOrder, need: number): boolean {
    if (need > (position === 'long' ? this.#long : this.#short)) return false;
    if (position === 'long') this.#long -= Math.max(0, need);
    else this.#short -= Math.max(0, need);
    return true;
  }
}
