import type { Micros } from '../../domain/units.js';
import { RingTable, type SavedRing } from '../ring-table.js';
import type { Wager } from './wager.js';

/** What can happen to a wager, by code. */
export const ACTION_TYPES = ['purchase', 'sale', 'payout', 'refund', 'reversal'] as const;
export const PURCHASE = 0;
export const SALE = 1;
export const PAYOUT = 2;
export const REFUND = 3;
export const REVERSAL = 4;

/** What makes an action: shares that changed hands, or were settled. Share and money units. */
export interface WagerTrade {
  readonly shares: number;
  /** Of the wager's position; 0: none. */
  readonly price: number;
  /** Negative for a rebate. */
  readonly fee: number;
  /** 0: none. */
  readonly orderId: number;
  readonly at: Micros;
}

/** A trade that is filled in anew for each fill and good until the next. */
export class ReusedTrade implements WagerTrade {
  shares = 0;
  price = 0;
  fee = 0;
  orderId = 0;
  at = 0 as Micros;
}

/** One action. Share and money units. */
export interface ActionRow extends WagerTrade {
  readonly type: number;
  /** Negative for what is taken back. */
  readonly amount: number;
}

const WAGER = 0;
/** The same wager's next action; 0: none. */
const NEXT = 1;
const TYPE = 2;
const SHARES = 3;
const PRICE = 4;
const AMOUNT = 5;
const FEE = 6;
const ORDER = 7;
const AT = 8;
const COLUMNS = 9;

/** What happened to all wagers, each wager's actions chained. Beyond `keep` the oldest ones are forgotten. */
export class ActionTable {
  private readonly rows: RingTable;

  /** @param wagerOf the wager of an id */
  constructor(
    keep: number,
    private readonly wagerOf: (id: number) => Wager,
  ) {
    this.rows = new RingTable(COLUMNS, keep);
  }

  /**
   * Notes what happened to a wager.
   * @param type   code
   * @param amount negative for what is taken back
   * @param trade  what made it so
   */
  append(wager: Wager, type: number, amount: number, trade: WagerTrade): void {
    if (this.rows.isFull) this.forgetOldest();
    const row = this.rows.append();
    if (wager.lastAction === 0) wager.firstAction = row;
    else this.rows.set(wager.lastAction, NEXT, row);
    wager.lastAction = row;
    this.write(row, wager.id, type, amount, trade);
  }

  /** Actions of a wager that are still known with their ids, oldest first. */
  *of(wager: Wager): Generator<ActionRow & { readonly id: number }> {
    for (let row = wager.firstAction; row !== 0; row = this.rows.get(row, NEXT)) yield this.read(row);
  }

  read(row: number): ActionRow & { readonly id: number } {
    const { rows } = this;
    return {
      id: row,
      type: rows.get(row, TYPE),
      shares: rows.get(row, SHARES),
      price: rows.get(row, PRICE),
      amount: rows.get(row, AMOUNT),
      fee: rows.get(row, FEE),
      orderId: rows.get(row, ORDER),
      at: rows.get(row, AT) as Micros,
    };
  }

  save(): SavedRing {
    return this.rows.save();
  }

  load(saved: SavedRing): void {
    this.rows.load(saved);
  }

  private write(row: number, wager: number, type: number, amount: number, trade: WagerTrade): void {
    const { cells } = this.rows;
    const start = this.rows.start(row);
    cells[start + WAGER] = wager;
    cells[start + NEXT] = 0;
    cells[start + TYPE] = type;
    cells[start + SHARES] = trade.shares;
    cells[start + PRICE] = trade.price;
    cells[start + AMOUNT] = amount;
    cells[start + FEE] = trade.fee;
    cells[start + ORDER] = trade.orderId;
    cells[start + AT] = trade.at;
  }

  private forgetOldest(): void {
    const row = this.rows.oldest;
    const wager = this.wagerOf(this.rows.get(row, WAGER));
    wager.firstAction = this.rows.get(row, NEXT);
    if (wager.firstAction === 0) wager.lastAction = 0;
  }
}
