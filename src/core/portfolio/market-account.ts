import type { Fill } from '../../domain/fill.js';
import type { Money, Shares } from '../../domain/units.js';
import { payoutOf } from '../../domain/market.js';
import type { Position, Resolution } from '../../domain/vocabulary.js';
import {
  type Holding,
  type Ledger,
  bookFill,
  bookTransfer,
  emptyLedger,
  moveMark,
  netOut,
  netShares,
  payOut,
  realisedOf,
  takeBackFlows,
  valueAtMark,
} from './ledger.js';

/**
 * Where profit comes from. Everything counts money units (0.000001) of one currency, as floats: marks may be halves of
 * a price unit. To 1e-9 currency units: total = spread + inventory + resolution - fees + rebates
 * (market-making formulas, "Analytics").
 */
export interface Attribution {
  /** Sum over fills of side x (mid - price) x shares, in long-side terms. */
  readonly spread: number;
  /** Sum over changes of the mark of net shares held x change. */
  readonly inventory: number;
  /** Net shares at resolution x (payout - last mark). */
  readonly resolution: number;
  readonly fees: number;
  readonly rebates: number;
}

/** Profit of a market, an event or everything in one currency; see {@link Attribution} for the units. */
export interface Profit extends Attribution {
  /** Of shares sold or paid out against their average cost, less fees, plus rebates. */
  readonly realised: number;
  /** Of shares held, at the last mark, against their average cost. */
  readonly unrealised: number;
  /** Realised plus unrealised, less what shares that were held before had gained by the first mark: that is nobody's profit. */
  readonly total: number;
}

export const NO_PROFIT: Profit = {
  spread: 0,
  inventory: 0,
  resolution: 0,
  fees: 0,
  rebates: 0,
  realised: 0,
  unrealised: 0,
  total: 0,
};

/** Adds up profits of one currency. */
export const addProfit = (a: Profit, b: Profit): Profit => ({
  spread: a.spread + b.spread,
  inventory: a.inventory + b.inventory,
  resolution: a.resolution + b.resolution,
  fees: a.fees + b.fees,
  rebates: a.rebates + b.rebates,
  realised: a.realised + b.realised,
  unrealised: a.unrealised + b.unrealised,
  total: a.total + b.total,
});

/** The ledger as it was before the resolution now in force, which can be reversed. */
export interface Unresolved {
  readonly ledger: Ledger;
  readonly resolution: Resolution;
}

/** What one market earned and holds in one currency. Long and short are two holdings, unless the account nets them. */
export class MarketAccount {
  #ledger: Ledger;
  #unresolved: Unresolved | null;

  constructor(
    ledger = emptyLedger(),
    unresolved: Unresolved | null = null,
    private readonly nets = false,
  ) {
    this.#ledger = ledger;
    this.#unresolved = unresolved;
  }

  get ledger(): Readonly<Ledger> {
    return this.#ledger;
  }

  /** Null while no resolution is in force. */
  get unresolved(): Unresolved | null {
    return this.#unresolved;
  }

  holding(position: Position): Holding {
    return position === 'long' ? this.#ledger.long : this.#ledger.short;
  }

  /** Long less short. */
  get net(): Shares {
    return netShares(this.#ledger);
  }

  /** Received less paid in trades, fees and payouts. */
  get cash(): Money {
    return this.#ledger.cash as Money;
  }

  /** What the holdings cost altogether, with fees and with what was earned or lost before: the C of the worst case. */
  get netCost(): Money {
    return (0 - this.#ledger.cash - this.#ledger.transferred) as Money;
  }

  /** Long-side price units; null before anything gave one. */
  get mark(): number | null {
    return this.#ledger.mark;
  }

  /** Whether nothing gave a mark yet, or it is only assumed. */
  get lacksMark(): boolean {
    return this.#ledger.mark === null || this.#ledger.assumed !== null;
  }

  get resolution(): Resolution | null {
    return this.#unresolved?.resolution ?? null;
  }

  /** Books a fill. One that is told of only after the resolution counts as if it had been told of before. */
  book(fill: Fill): void {
    this.beforeResolution((ledger) => bookFill(ledger, fill));
  }

  /** The mid of the foreign book moved. @param mid long-side price units; null leaves the last one standing */
  markAt(mid: number | null): void {
    if (mid === null || this.#unresolved !== null) return;
    if (mid !== this.#ledger.mark || this.lacksMark) moveMark(this.#ledger, mid);
  }

  /**
   * Shares came, or went (negative), without a trade of ours: at the mark, or the first one that there will be, which is no profit.
   * @param price long-side price units, assumed while there is no mark
   */
  transfer(position: Position, came: Shares, price: number): void {
    this.beforeResolution((ledger) => bookTransfer(ledger, position, came, price));
  }

  /** Pays out, or takes every cash flow back. A later resolution replaces an earlier one. */
  resolve(resolution: Resolution): void {
    this.reverse();
    this.#unresolved = { ledger: { ...this.#ledger }, resolution };
    if (resolution === 'void') takeBackFlows(this.#ledger);
    else payOut(this.#ledger, payoutOf(resolution));
  }

  /** Takes the resolution back. */
  reverse(): void {
    if (this.#unresolved !== null) this.#ledger = this.#unresolved.ledger;
    this.#unresolved = null;
  }

  /** Realised plus unrealised, less what shares that came had gained before. */
  get total(): number {
    return realisedOf(this.#ledger) + unrealisedOf(this.#ledger) - this.#ledger.carried;
  }

  profit(): Profit {
    const { spread, inventory, resolution, fees, rebates } = this.#ledger;
    const realised = realisedOf(this.#ledger);
    const unrealised = unrealisedOf(this.#ledger);
    return { spread, inventory, resolution, fees, rebates, realised, unrealised, total: this.total };
  }

  private beforeResolution(change: (ledger: Ledger) => void): void {
    const resolution = this.resolution;
    this.reverse();
    change(this.#ledger);
    if (this.nets) netOut(this.#ledger);
    if (resolution !== null) this.resolve(resolution);
  }
}

const unrealisedOf = (ledger: Ledger): number => valueAtMark(ledger) - ledger.long.cost - ledger.short.cost;
