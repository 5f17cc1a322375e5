import type { WagerId } from '../contract/ids.js';
import { ZERO_MONEY, type Micros, type Money, type Shares } from '../../domain/units.js';
import type { WagerStatus } from '../../domain/vocabulary.js';
import type { WagerActionView } from '../contract.js';
import { Fifo } from '../records.js';
import type { Holding } from './accounts.js';

/** What a settlement changes of a wager. */
export type WagerState = Pick<Wager, 'status' | 'received' | 'lastProfit'>;

/**
 * The record of a holding from the first purchase until it is sold out or settled (specification 2.5). Money without
 * fees unless said otherwise. `disabled` is not stored: an open wager of a disabled market shows it.
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
  /** What happened to it, as far as it is still remembered. */
  readonly actions = new Fifo<WagerActionView>();

  constructor(
    readonly id: WagerId,
    readonly holding: Holding,
    openedAt: Micros,
  ) {
    this.lastPurchase = openedAt;
    this.lastUpdate = openedAt;
  }
}

/** All wagers, and the latest actions of all wagers together up to a limit. Ids are 1, 2, 3, ... */
export class Wagers {
  readonly list: Wager[] = [];
  lastActionId = 0;
  /** The wager of each remembered action, oldest action first. */
  private readonly acted = new Fifo<Wager>();

  constructor(private readonly keepActions: number) {}

  find(id: WagerId): Wager | null {
    return this.list[id - 1] ?? null;
  }

  /** The open or latest wager of a holding that has one. */
  of({ wager }: Holding): Wager {
    return this.list[wager - 1] as Wager;
  }

  /** Adds bought shares to the holding's wager, and opens one when nothing was held. */
  buy(holding: Holding, action: WagerActionView): void {
    const latest = this.list[holding.wager - 1];
    const wager = latest?.status === 'purchased' ? latest : this.open(holding, action.at);
    wager.shares += action.shares;
    wager.cost += action.amount;
    wager.purchased += action.amount;
    wager.lastPurchase = action.at;
    this.addTrade(wager, action);
  }

  /** Takes sold shares off the holding's wager, which is `sold` when none are left. */
  sell(holding: Holding, action: WagerActionView): void {
    const wager = this.of(holding);
    const { shares, amount, fee } = action;
    const cost = shares === wager.shares ? wager.cost : Math.floor(wager.cost * (shares / wager.shares));
    wager.shares -= shares;
    wager.cost -= cost;
    wager.received += amount;
    wager.lastProfit = amount - fee - cost;
    wager.lastSellAmount = amount - fee;
    this.addTrade(wager, action);
    if (wager.shares === 0) wager.status = 'sold';
  }

  /** Ids of actions count over all wagers. */
  nextActionId(): number {
    this.lastActionId += 1;
    return this.lastActionId;
  }

  /** Ends an open wager with what its shares are worth. @param amount 0 for a loser */
  payOut(wager: Wager, amount: number, at: Micros): void {
    wager.received += amount;
    wager.lastProfit = amount - wager.cost;
    wager.status = amount > 0 ? 'won' : 'lost';
    this.addSettlement(wager, 'payout', amount, at);
  }

  /** Ends a wager whose market was undone. @param amount what its trades cost and now comes back */
  refund(wager: Wager, amount: number, at: Micros): void {
    wager.lastProfit = 0;
    wager.status = 'cancelled';
    this.addSettlement(wager, 'refund', amount, at);
  }

  /** Takes back what a settlement did to a wager. @param amount what the settlement had given */
  reverse(wager: Wager, before: WagerState, amount: number, at: Micros): void {
    Object.assign(wager, before);
    this.addSettlement(wager, 'reversal', -amount, at);
  }

  /** Puts a saved action back; actions of all wagers in the order of their ids. */
  load(wager: Wager, action: WagerActionView): void {
    wager.actions.push(action);
    this.acted.push(wager);
  }

  private open(holding: Holding, at: Micros): Wager {
    const wager = new Wager((this.list.length + 1) as WagerId, holding, at);
    this.list.push(wager);
    holding.wager = wager.id;
    const { market, mode } = holding.owner.book;
    market.event.wagers[mode] += 1;
    return wager;
  }

  private addTrade(wager: Wager, action: WagerActionView): void {
    wager.fees += action.fee;
    wager.actionsCount += 1;
    this.add(wager, action);
  }

  private addSettlement(
    wager: Wager,
    type: 'payout' | 'refund' | 'reversal',
    amount: number,
    at: Micros,
  ): void {
    this.add(wager, {
      id: this.nextActionId(),
      type,
      shares: wager.shares as Shares,
      price: null,
      amount: amount as Money,
      fee: ZERO_MONEY,
      orderId: null,
      at,
    });
  }

  private add(wager: Wager, action: WagerActionView): void {
    wager.lastUpdate = action.at;
    this.load(wager, action);
    if (this.acted.size > this.keepActions) this.acted.shift()?.actions.shift();
  }
}
