import type { AccountId, MarketId, OrderId } from '../../domain/ids.js';
import type { Money, PriceUnits, Shares } from '../../domain/units.js';
import { modeAt } from '../codes.js';
import type { TradeRow } from '../contract.js';
import type { Floor } from '../floor.js';
import { fromBookSide, type BookSide } from '../matching/index.js';
import { SETTLEMENTS, type RegisteredTrade } from '../money/trade-register.js';

/** Trades still known, oldest first. @param market null: of all markets */
export function listTrades(floor: Floor, market: MarketId | null): readonly TradeRow[] {
  const rows: TradeRow[] = [];
  for (const trade of floor.trades.all()) {
    if (market === null || floor.markets.bookAt(trade.book).market.id === market) {
      rows.push(tradeRow(floor, trade));
    }
  }
  return rows;
}

function tradeRow(floor: Floor, trade: RegisteredTrade & { readonly id: number }): TradeRow {
  const { market, mode } = floor.markets.bookAt(trade.book);
  return {
    id: trade.id,
    marketId: market.id,
    mode: modeAt(mode),
    price: trade.price as PriceUnits,
    shares: trade.shares as Shares,
    settlement: SETTLEMENTS[trade.settlement] as TradeRow['settlement'],
    takerBookSide: fromBookSide(trade.takerBookSide as BookSide),
    takerOrderId: orderId(trade.takerOrder),
    makerOrderId: orderId(trade.makerOrder),
    takerAccount: accountId(floor, trade.takerAccount),
    makerAccount: accountId(floor, trade.makerAccount),
    takerFee: trade.takerFee as Money,
    makerFee: trade.makerFee as Money,
    at: trade.at,
  };
}

const orderId = (id: number): OrderId | null => (id === 0 ? null : (id as OrderId));

const accountId = (floor: Floor, index: number): AccountId | null =>
  index < 0 ? null : floor.accounts.at(index).id;
