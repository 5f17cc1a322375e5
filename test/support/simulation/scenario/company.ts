/** What else there is in the account of the bot. */
import { CURRENCIES, type Currency } from '../../../../src/domain/vocabulary.js';
import type { Draws } from './draws.js';

export interface Company {
  /** That the bot trades. */
  readonly currency: Currency;
  /** Another that the account has; null: none. */
  readonly second: Currency | null;
  /** Whether a person trades by hand with the account. */
  readonly hasPerson: boolean;
}

/** Play money, and nobody but the bot. */
export const ALONE: Company = { currency: 'OOM', second: null, hasPerson: false };

export function companyOf(draws: Draws): Company {
  const hasPerson = draws.chance(0.35);
  if (!draws.chance(0.3)) return { ...ALONE, hasPerson };
  const currency = draws.oneOf(['OOM', 'USDC', 'USDC', 'USDT', 'USD'] as const);
  const second = draws.oneOf(CURRENCIES.filter((one) => one !== currency));
  return { currency, second, hasPerson: hasPerson || draws.chance(0.7) };
}
