/** Books, price history and tax (specification 2.7, 2.8). */
import { currencyUnits, probability, wholeShares } from '../../domain/units.js';
import type { BookLevelView, BookView, EventView, PriceHistoryView } from '../../exchange/contract.js';
import type { Book, BookLevel } from '../../venues/futuur/protocol/rest/book.js';
import type { PriceHistory } from '../../venues/futuur/protocol/rest/price-history.js';
import type { Tax } from '../../venues/futuur/protocol/rest/tax.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';
import { midPrice } from './numbers.js';

export const book = (view: BookView): Book => ({
  bid: view.bids.map(bookLevel),
  ask: view.asks.map(bookLevel),
});

const bookLevel = (level: BookLevelView): BookLevel => ({
  price: probability(level.price),
  total_shares: wholeShares(level.shares),
  total_amount: currencyUnits(level.amount),
  total_fees: currencyUnits(level.fees),
  cumulative_shares: wholeShares(level.cumulativeShares),
  cumulative_amount: currencyUnits(level.cumulativeAmount),
  cumulative_fees: currencyUnits(level.cumulativeFees),
  ...userColumns(level),
});

/** Present in signed answers only. What is requested and unfilled is what stands there: the two columns are alike. */
const userColumns = ({ userShares }: BookLevelView): Partial<BookLevel> =>
  userShares === null
    ? {}
    : {
        total_user_shares: wholeShares(userShares),
        total_user_shares_requested: wholeShares(userShares),
      };

export const priceHistory = (view: PriceHistoryView): PriceHistory => ({
  currency_mode: view.mode,
  time_interval: view.interval,
  history: view.points.map((point) => ({
    timestamp: formatMicroseconds(point.at),
    outcomes: point.outcomes.map(({ marketId, title, price }) => ({
      outcome_id: marketId,
      name: title,
      price: midPrice(price),
    })),
  })),
});

export const tax = ({ tax: rates }: EventView): Tax => ({
  tax_play_money: rates.play_money,
  tax_real_money: rates.real_money,
});
