import type { ExchangeCore } from '../../../src/exchange/exchange.js';
import type { MarketId } from '../../../src/exchange/contract/ids.js';
import type { CurrencyMode } from '../../../src/domain/vocabulary.js';

/**
 * The long side of a book as text, highest price first, bids left of the price and asks right of it:
 *
 *     |0.62| 5
 *     |0.61| 10
 *   3 |0.60|
 */
export function drawLadder(exchange: ExchangeCore, market: MarketId, mode: CurrencyMode): string {
  const book = exchange.book(market, mode, 'long', null);
  if (book === null) throw new Error(`no market ${market}`);
  const asks = book.asks.toReversed().map(({ price, shares }) => `|${priceText(price)}| ${shares / 100}`);
  const bids = book.bids.map(({ price, shares }) => `${shares / 100} |${priceText(price)}|`);
  return [...asks, ...bids].join('\n');
}

const priceText = (price: number): string => (price / 10_000).toFixed(4).replace(/0{1,2}$/, '');

/** A ladder drawn by hand as {@link drawLadder} draws it: indentation and empty lines do not matter. */
export const ladder = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
