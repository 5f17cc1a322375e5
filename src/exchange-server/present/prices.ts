import type { Currency, CurrencyMode } from '../../domain/vocabulary.js';
import { CURRENCIES, modeOf } from '../../domain/vocabulary.js';
import type { HalfPriceUnits } from '../../exchange/contract.js';
import { midPrice } from './numbers.js';

interface MidPrices {
  readonly playMoney: HalfPriceUnits | null;
  readonly realMoney: HalfPriceUnits | null;
}

/** Long mid-price per currency code; currencies without a price are left out. */
export function priceByCurrency({ playMoney, realMoney }: MidPrices): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const currency of CURRENCIES) {
    const price = modeOf(currency) === 'play_money' ? playMoney : realMoney;
    if (price !== null) prices[currency] = midPrice(price);
  }
  return prices;
}

/** The currency that stands for a mode's one book; the real currencies trade at par. */
export const bookCurrency = (mode: CurrencyMode): Currency => (mode === 'play_money' ? 'OOM' : 'USDC');
