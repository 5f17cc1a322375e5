import type { AccountId, MarketId, OrderId } from '../../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Currency, CurrencyMode, Position } from '../../domain/vocabulary.js';

/** A holding and the part of it that resting asks lock. */
export interface HoldingRow {
  readonly marketId: MarketId;
  readonly position: Position;
  readonly shares: Shares;
  readonly locked: Shares;
}

/** One account in one currency. */
export interface AccountRow {
  readonly id: AccountId;
  readonly currency: Currency;
  /** Spendable; may be negative after a reversal. */
  readonly cash: Money;
  /** Locked by bids; never negative. */
  readonly locked: Money;
  readonly shares: readonly HoldingRow[];
}

/**
 * `collateral` backs the shares in existence, `fees` and `rounding` are the venue's, `clearing` swaps the real
 * currencies at par, `external` is the world: deposits, and the counterparty of foreign volume.
 */
export type SystemAccountName = 'collateral' | 'fees' | 'rounding' | 'clearing' | 'external';

export interface SystemRow {
  readonly name: SystemAccountName;
  readonly currency: Currency;
  readonly amount: Money;
}

/** All cash there is. `sum` is zero in every currency after every command. */
export interface LedgerView {
  readonly accounts: readonly AccountRow[];
  readonly system: readonly SystemRow[];
  readonly sum: Readonly<Record<Currency, Money>>;
}

/** A row of the trade register. */
export interface TradeRow {
  readonly id: number;
  readonly marketId: MarketId;
  readonly mode: CurrencyMode;
  /** Long-side price. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly settlement: 'transfer' | 'mint' | 'redeem';
  readonly takerBookSide: 'bid' | 'ask';
  /** null: others' volume. */
  readonly takerOrderId: OrderId | null;
  readonly makerOrderId: OrderId | null;
  readonly takerAccount: AccountId | null;
  readonly makerAccount: AccountId | null;
  readonly takerFee: Money;
  readonly makerFee: Money;
  readonly at: Micros;
}
