import { PRICE_ONE } from '../../domain/units.js';
import { type DesiredColumns, isBidOfBook, isForeign, NOBODY, type WorkingColumns } from './order-columns.js';

/**
 * What may still be asked for on each side of the book beside everything that stands, is leaving or is in doubt: so many
 * shares, at prices where no order of the account stands opposite.
 */
export class Room {
  #bidShares = 0;
  #askShares = 0;
  #highestBid = 0;
  #lowestAsk: number = PRICE_ONE;

  /** Desired shares less what may fill by now; a pair counts as the larger of its two, for it is left as it is. */
  measure(desired: DesiredColumns, working: WorkingColumns): void {
    this.#bidShares = 0;
    this.#askShares = 0;
    this.#highestBid = 0;
    this.#lowestAsk = PRICE_ONE;
    this.#addDesired(desired, working);
    this.#subtractWorking(working);
  }

  sharesOn(isBid: boolean): number {
    return isBid ? this.#bidShares : this.#askShares;
  }

  take(isBid: boolean, shares: number): void {
    if (isBid) this.#bidShares -= shares;
    else this.#askShares -= shares;
  }

  /** Would a quote there trade with an order of the account, whoever owns it? */
  crosses(isBid: boolean, longPrice: number): boolean {
    return isBid ? longPrice >= this.#lowestAsk : longPrice <= this.#highestBid;
  }

  #addDesired({ orders, shares, places, partners }: DesiredColumns, working: WorkingColumns): void {
    for (let d = 0; d < orders.length; d += 1) {
      const w = partners[d]!;
      const most = w === NOBODY ? shares[d]! : Math.max(shares[d]!, working.shares[w]!);
      this.take(isBidOfBook(places[d]!), -most);
    }
  }

  #subtractWorking({ orders, longPrices, shares, places }: WorkingColumns): void {
    for (let w = 0; w < orders.length; w += 1) {
      const isBid = isBidOfBook(places[w]!);
      if (isBid) this.#highestBid = Math.max(this.#highestBid, longPrices[w]!);
      else this.#lowestAsk = Math.min(this.#lowestAsk, longPrices[w]!);
      if (!isForeign(places[w]!)) this.take(isBid, shares[w]!);
    }
  }
}
