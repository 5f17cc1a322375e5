/** What orders say of themselves, in frames and in answers alike. */
import { POSITION_SPELLINGS } from '../../../../domain/inputs.js';
import { PRICE_ONE, type PriceUnits } from '../../../../domain/units.js';
import { CURRENCIES, ORDER_STATUSES, SIDES } from '../../../../domain/vocabulary.js';
import { PRICE_PLACES } from '../decimals.js';
import { isNull, type Quote, quoted, quotedWords } from './json-marks.js';
import { choices, type TextScan } from './text-scan.js';

/** The words that the members of an order may have. */
export const orderWords = (quote: Quote) => ({
  statuses: quotedWords(quote, ORDER_STATUSES),
  sides: quotedWords(quote, SIDES),
  positions: choices(
    Object.entries(POSITION_SPELLINGS).map(([spelling, position]) => [quoted(quote, spelling), position]),
  ),
  currencies: quotedWords(quote, CURRENCIES),
});

/** Passes a price, which no market order has. */
export function optionalPrice(scan: TextScan): PriceUnits | null {
  if (isNull(scan)) return null;
  const price = scan.decimal(PRICE_PLACES);
  if (price === 0 || price >= PRICE_ONE) scan.lose();
  return price as PriceUnits;
}
