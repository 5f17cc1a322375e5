import type { Account } from '../money/accounts.js';
import type { Currency } from '../../domain/vocabulary.js';
import { refuse, type Verdict } from './refusals.js';

/** May this account place orders in this currency at all? */
export function checkAccount({ config }: Account, currency: Currency): Verdict {
  if (!config.emailConfirmed) return refuse('EmailNotConfirmed');
  if (config.blocked) return refuse('UserBlockedBets');
  if (currency === 'OOM') return null;
  if (config.forbiddenCountry) return refuse('RealMoneyForbiddenCountry');
  return config.realCurrencyEnabled ? null : refuse('RealMoneyBetNotAllowed');
}
