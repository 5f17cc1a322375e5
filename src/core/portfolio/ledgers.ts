import type { Money, Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import { type Holding, NOTHING_HELD } from './holding.js';
import type { Ledger } from './ledger.js';
import { NumberRows } from './number-rows.js';

/** Where the numbers of a ledger stand in its row. */
const COLUMN = {
  longShares: 0,
  longCost: 1,
  shortShares: 2,
  shortCost: 3,
  cash: 4,
  /** Not a number before anything gave one. */
  mark: 5,
  spread: 6,
  inventory: 7,
  fees: 8,
} as const;
const COLUMNS = 9;

/** What is zero in most ledgers. */
type Rare = Readonly<Pick<Ledger, 'transferred' | 'assumed' | 'carried' | 'resolution' | 'rebates'>>;

const NOTHING_RARE: Rare = { transferred: 0, assumed: null, carried: 0, resolution: 0, rebates: 0 };

/** The ledgers of many markets in one table: one is taken out to be changed, and put back. */
export class Ledgers {
  readonly #rows = new NumberRows(COLUMNS);
  /** By row, where it is not all zero. */
  readonly #rare = new Map<number, Rare>();

  /** Adds an empty one. @param mark null when nothing gave one yet @returns its place: 0, 1, 2 and so on */
  add(mark: number | null): number {
    const row = this.#rows.add();
    this.#rows.set(row, COLUMN.mark, mark ?? Number.NaN);
    return row;
  }

  /** Null before anything gave one. */
  mark(row: number): number | null {
    const mark = this.#rows.get(row, COLUMN.mark);
    return Number.isNaN(mark) ? null : mark;
  }

  /** Whether nothing gave a mark but what was assumed of shares that came without a trade. */
  isMarkAssumed(row: number): boolean {
    return this.#rare.size > 0 && (this.#rare.get(row) ?? NOTHING_RARE).assumed !== null;
  }

  holding(row: number, position: Position): Holding {
    const isLong = position === 'long';
    const shares = this.#rows.get(row, isLong ? COLUMN.longShares : COLUMN.shortShares) as Shares;
    const cost = this.#rows.get(row, isLong ? COLUMN.longCost : COLUMN.shortCost) as Money;
    return shares === 0 && cost === 0 ? NOTHING_HELD : { shares, cost };
  }

  /** A copy of what stands in the row. */
  take(row: number): Ledger {
    const rows = this.#rows;
    const { transferred, assumed, carried, resolution, rebates } = this.#rare.get(row) ?? NOTHING_RARE;
    return {
      long: this.holding(row, 'long'),
      short: this.holding(row, 'short'),
      cash: rows.get(row, COLUMN.cash),
      transferred,
      mark: this.mark(row),
      assumed,
      carried,
      spread: rows.get(row, COLUMN.spread),
      inventory: rows.get(row, COLUMN.inventory),
      resolution,
      fees: rows.get(row, COLUMN.fees),
      rebates,
    };
  }

  /** Writes a ledger over what stands in the row. */
  put(row: number, ledger: Ledger): void {
    const rows = this.#rows;
    rows.set(row, COLUMN.longShares, ledger.long.shares);
    rows.set(row, COLUMN.longCost, ledger.long.cost);
    rows.set(row, COLUMN.shortShares, ledger.short.shares);
    rows.set(row, COLUMN.shortCost, ledger.short.cost);
    rows.set(row, COLUMN.cash, ledger.cash);
    rows.set(row, COLUMN.mark, ledger.mark ?? Number.NaN);
    rows.set(row, COLUMN.spread, ledger.spread);
    rows.set(row, COLUMN.inventory, ledger.inventory);
    rows.set(row, COLUMN.fees, ledger.fees);
    this.#putRare(row, ledger);
  }

  #putRare(row: number, { transferred, assumed, carried, resolution, rebates }: Rare): void {
    const isNothing = transferred === 0 && carried === 0 && resolution === 0 && rebates === 0;
    if (!isNothing || assumed !== null)
      this.#rare.set(row, { transferred, assumed, carried, resolution, rebates });
    else if (this.#rare.size > 0) this.#rare.delete(row);
  }
}
