import type { WagerId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { Holding } from '../money/stakes.js';
import { ActionTable, PAYOUT, PURCHASE, REFUND, REVERSAL, SALE, type WagerTrade } from './action-table.js';
import { Wager, type WagerState } from './wager.js';

/** All wagers; ids are 1, 2, 3 and so on. */
export class Wagers {
  readonly list: Wager[] = [];
  readonly actions: ActionTable;

  constructor(keepActions: number) {
    this.actions = new ActionTable(keepActions, (id) => this.at(id));
  }

  find(id: WagerId): Wager | null {
    return this.list[id - 1] ?? null;
  }

  /** The wager of an id that is known to exist. */
  at(id: number): Wager {
    return this.list[id - 1] as Wager;
  }

  /** Adds bought shares to the holding's wager, and opens one when nothing was held. */
  buy(holding: Holding, trade: WagerTrade): void {
    const wager = this.openWager(holding) ?? this.open(holding, trade.at);
    const amount = trade.price * trade.shares;
    wager.shares += trade.shares;
    wager.cost += amount;
    wager.purchased += amount;
    wager.lastPurchase = trade.at;
    this.note(wager, PURCHASE, amount, trade);
  }

  /** Takes sold shares off the holding's wager, which is `sold` when none are left. */
  sell(holding: Holding, trade: WagerTrade): void {
    const wager = this.at(holding.wager);
    const amount = trade.price * trade.shares;
    const cost =
      trade.shares === wager.shares ? wager.cost : Math.floor(wager.cost * (trade.shares / wager.shares));
    wager.shares -= trade.shares;
    wager.cost -= cost;
    wager.received += amount;
    wager.lastProfit = amount - trade.fee - cost;
    wager.lastSellAmount = amount - trade.fee;
    this.note(wager, SALE, amount, trade);
    if (wager.shares === 0) wager.status = 'sold';
  }

  /** Ends an open wager with what its shares are worth. @param amount 0 for a loser */
  payOut(wager: Wager, amount: number, at: Micros): void {
    wager.received += amount;
    wager.lastProfit = amount - wager.cost;
    wager.status = amount > 0 ? 'won' : 'lost';
    this.add(wager, PAYOUT, amount, at);
  }

  /** Ends a wager whose market was undone. @param amount what its trades cost and now comes back */
  refund(wager: Wager, amount: number, at: Micros): void {
    wager.lastProfit = 0;
    wager.status = 'cancelled';
    this.add(wager, REFUND, amount, at);
  }

  /** Takes back what a settlement did to a wager. @param amount what it had given */
  reverse(wager: Wager, before: WagerState, amount: number, at: Micros): void {
    wager.status = before.status;
    wager.received = before.received;
    wager.lastProfit = before.lastProfit;
    this.add(wager, REVERSAL, -amount, at);
  }

  private openWager({ wager }: Holding): Wager | null {
    const latest = this.list[wager - 1];
    return latest?.status === 'purchased' ? latest : null;
  }

  private open(holding: Holding, at: Micros): Wager {
    const wager = new Wager((this.list.length + 1) as WagerId, holding, at);
    this.list.push(wager);
    holding.wager = wager.id;
    const { book } = holding.stake;
    book.market.event.wagers[book.mode] = (book.market.event.wagers[book.mode] as number) + 1;
    return wager;
  }

  private note(wager: Wager, type: number, amount: number, trade: WagerTrade): void {
    wager.fees += trade.fee;
    wager.actionsCount += 1;
    wager.lastUpdate = trade.at;
    this.actions.append(wager, type, amount, trade);
  }

  private add(wager: Wager, type: number, amount: number, at: Micros): void {
    wager.lastUpdate = at;
    this.actions.append(wager, type, amount, { shares: wager.shares, price: 0, fee: 0, orderId: 0, at });
  }
}
