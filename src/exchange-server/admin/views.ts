/** Ledger and trades as the admin interface shows them: money and shares as decimal texts. */
import type { LedgerView, TradeRow } from '../../exchange/contract.js';
import { formatMoney, formatPrice, formatShares } from '../../venues/futuur/protocol/decimals.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';

export const ledgerBody = ({ accounts, system, sum }: LedgerView): object => ({
  accounts: accounts.map(({ id, currency, cash, locked, shares }) => ({
    id,
    currency,
    cash: formatMoney(cash),
    locked: formatMoney(locked),
    shares: shares.map((holding) => ({
      market: holding.marketId,
      position: holding.position,
      shares: formatShares(holding.shares),
      locked: formatShares(holding.locked),
    })),
  })),
  system: system.map(({ name, currency, amount }) => ({ name, currency, amount: formatMoney(amount) })),
  sum: Object.fromEntries(Object.entries(sum).map(([currency, amount]) => [currency, formatMoney(amount)])),
});

export const tradeBody = (trade: TradeRow): object => ({
  id: trade.id,
  market: trade.marketId,
  currency_mode: trade.mode,
  price: formatPrice(trade.price),
  shares: formatShares(trade.shares),
  settlement: trade.settlement,
  taker_book_side: trade.takerBookSide,
  taker_order: trade.takerOrderId,
  maker_order: trade.makerOrderId,
  taker_account: trade.takerAccount,
  maker_account: trade.makerAccount,
  taker_fee: formatMoney(trade.takerFee),
  maker_fee: formatMoney(trade.makerFee),
  timestamp: formatMicroseconds(trade.at),
});
