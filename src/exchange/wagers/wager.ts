import type { WagerId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { WagerStatus } from '../../domain/vocabulary.js';
import type { Holding } from '../money/stakes.js';

/** What a settlement changes of a wager. */
export type WagerState = Pick<Wager, 'status' | 'received' | 'lastProfit'>;

/**
 * The record of a holding from the first purchase until it is sold out or settled (specification 2.5). Money
 * without fees unless said otherwise. `disabled` is not stored: it is what an open wager of a disabled market shows.
 */
export class Wager {
  status: Exclude<WagerStatus, 'disabled'> = 'purchased';
  /** Shares held; of a settled wager: held when it was settled. */
  shares = 0;
  /** Cost of the shares held, by average cost. */
  cost = 0;
  /** Of all purchases. */
  purchased = 0;
  /** Of all sales and payouts. */
  received = 0;
  fees = 0;
  lastProfit: number | null = null;
  lastSellAmount: number | null = null;
  lastPurchase: Micros;
  lastUpdate: Micros;
  /** Purchases and sales. */
  actionsCount = 0;
  /** First and last row in the table of actions; 0: none (any more). */
  firstAction = 0;
  lastAction = 0;

  constructor(
    readonly id: WagerId,
    readonly holding: Holding,
    openedAt: Micros,
  ) {
    this.lastPurchase = openedAt;
    this.lastUpdate = openedAt;
  }
}
