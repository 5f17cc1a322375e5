import { type DesiredRows, NOBODY, type Row, type WorkingRows } from './order-rows.js';

/**
 * What may still be asked for on each side of the book beside everything that stands, is leaving or is in doubt: so many
 * shares, at prices where no order of the account stands opposite.
 */
export class Room {
  #bidShares = 0;
  #askShares = 0;
  #bestBid = 0;
  #bestAsk = 0;

  /** Desired shares less what may fill by now; a pair counts as the larger of its two, for it is left as it is. */
  measure(desired: DesiredRows, working: WorkingRows): void {
    this.#bidShares = desired.bidShares - working.bidShares;
    this.#askShares = desired.askShares - working.askShares;
    this.#bestBid = working.bestBid;
    this.#bestAsk = working.bestAsk;
    if (desired.open < desired.orders.length) this.#addExcess(desired, working);
  }

  /** Shares on the row's side. */
  sharesFor({ isBid }: Row): number {
    return isBid ? this.#bidShares : this.#askShares;
  }

  take({ isBid }: Row, shares: number): void {
    if (isBid) this.#bidShares -= shares;
    else this.#askShares -= shares;
  }

  /** Would a quote there trade with an order of the account, whoever owns it? */
  crosses({ boldness, isBid }: Row): boolean {
    // A bid meets an ask of its price: the boldness of one is the negative of the other's.
    return boldness + (isBid ? this.#bestAsk : this.#bestBid) >= 0;
  }

  #addExcess(desired: DesiredRows, working: WorkingRows): void {
    for (let d = 0; d < desired.orders.length; d += 1) {
      const row = desired.at(d);
      if (row.partner !== NOBODY) this.take(row, Math.min(0, row.shares - working.at(row.partner).shares));
    }
  }
}
