import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import type { BookSide } from '../matching/index.js';
import type { OrderRows } from '../orders/order-rows.js';
import { RingTable, type SavedRing } from '../ring-table.js';

/** How shares and collateral moved, by code. */
export const SETTLEMENTS = ['transfer', 'mint', 'redeem'] as const;
export const TRANSFER = 0;
export const MINT = 1;
export const REDEEM = 2;

/** Row of volume that is nobody's order here. */
export const FOREIGN = 0;

/** A settled trade; rows, or {@link FOREIGN}. */
export interface SettledTrade {
  readonly book: Book;
  /** Long-side. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** Code of the settlement. */
  readonly settlement: number;
  readonly takerSide: BookSide;
  readonly taker: number;
  readonly maker: number;
  readonly takerFee: Money;
  readonly makerFee: Money;
}

/** A trade as it is registered; share, money and long-side price units, codes. Of others' volume order 0, account -1. */
export interface RegisteredTrade {
  readonly book: number;
  readonly price: number;
  readonly shares: number;
  readonly settlement: number;
  readonly takerBookSide: number;
  readonly takerOrder: number;
  /** Index, as the maker's. */
  readonly takerAccount: number;
  readonly takerFee: number;
  readonly makerOrder: number;
  readonly makerAccount: number;
  readonly makerFee: number;
  readonly at: Micros;
}

const BOOK = 0;
const PRICE = 1;
const SHARES = 2;
const SETTLEMENT = 3;
const TAKER_SIDE = 4;
const TAKER_ORDER = 5;
const TAKER_ACCOUNT = 6;
const TAKER_FEE = 7;
const MAKER_ORDER = 8;
const MAKER_ACCOUNT = 9;
const MAKER_FEE = 10;
const AT = 11;
const COLUMNS = 12;

/** The latest trades of all books; ids are 1, 2, 3 and so on. */
export class TradeRegister {
  private readonly rows: RingTable;

  constructor(keep: number) {
    this.rows = new RingTable(COLUMNS, keep);
  }

  /** Keeps what is known of a trade while the rows of its orders still are. @returns the trade's id */
  add(trade: SettledTrade, orders: OrderRows, at: Micros): number {
    const row = this.rows.append();
    const { cells } = this.rows;
    const start = this.rows.start(row);
    const { taker, maker } = trade;
    cells[start + BOOK] = trade.book.index;
    cells[start + PRICE] = trade.price;
    cells[start + SHARES] = trade.shares;
    cells[start + SETTLEMENT] = trade.settlement;
    cells[start + TAKER_SIDE] = trade.takerSide;
    cells[start + TAKER_ORDER] = taker === FOREIGN ? 0 : orders.id(taker);
    cells[start + TAKER_ACCOUNT] = taker === FOREIGN ? -1 : orders.account(taker);
    cells[start + TAKER_FEE] = trade.takerFee;
    cells[start + MAKER_ORDER] = maker === FOREIGN ? 0 : orders.id(maker);
    cells[start + MAKER_ACCOUNT] = maker === FOREIGN ? -1 : orders.account(maker);
    cells[start + MAKER_FEE] = trade.makerFee;
    cells[start + AT] = at;
    return row;
  }

  /** Known trades with their ids, oldest first. */
  *all(): Generator<RegisteredTrade & { readonly id: number }> {
    for (let row = this.rows.oldest; row <= this.rows.last; row++) yield this.read(row);
  }

  save(): SavedRing {
    return this.rows.save();
  }

  load(saved: SavedRing): void {
    this.rows.load(saved);
  }

  private read(row: number): RegisteredTrade & { readonly id: number } {
    const { rows } = this;
    return {
      id: row,
      book: rows.get(row, BOOK),
      price: rows.get(row, PRICE),
      shares: rows.get(row, SHARES),
      settlement: rows.get(row, SETTLEMENT),
      takerBookSide: rows.get(row, TAKER_SIDE),
      takerOrder: rows.get(row, TAKER_ORDER),
      takerAccount: rows.get(row, TAKER_ACCOUNT),
      takerFee: rows.get(row, TAKER_FEE),
      makerOrder: rows.get(row, MAKER_ORDER),
      makerAccount: rows.get(row, MAKER_ACCOUNT),
      makerFee: rows.get(row, MAKER_FEE),
      at: rows.get(row, AT) as Micros,
    };
  }
}
