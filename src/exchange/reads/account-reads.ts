import type { AccountId } from '../../domain/ids.js';
import type { Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { Account } from '../money/accounts.js';
import { currencyCode } from '../codes.js';
import type { AccountView, AuthorView } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Wager } from '../wagers/wager.js';

/** The account as its owner sees it. */
export function accountView({ config, cash }: Account): AccountView {
  const wallet = {} as Record<Currency, Money>;
  for (const currency of CURRENCIES) wallet[currency] = cash[currencyCode(currency)] as Money;
  return {
    id: config.id,
    username: config.username,
    email: config.email,
    wallet,
    emailConfirmed: config.emailConfirmed,
    realCurrencyEnabled: config.realCurrencyEnabled,
    kycStatus: config.kycStatus,
    dateJoined: config.dateJoined,
    walletUser: config.walletUser,
  };
}

/** The account as readers of its comments see it; null when there is none. */
export function authorView(floor: Floor, id: AccountId): AuthorView | null {
  const account = floor.accounts.find(id);
  if (account === null) return null;
  const wagers = floor.wagers.list.filter(({ holding }) => holding.stake.account === account);
  const won = wagers.filter(({ status }) => status === 'won').length;
  const settled = won + wagers.filter(({ status }) => status === 'lost').length;
  return {
    id,
    username: account.config.username,
    winRate: settled === 0 ? 0 : won / settled,
    wagersCount: wagers.length,
    netEarnings: netEarnings(wagers),
  };
}

function netEarnings(wagers: readonly Wager[]): Money {
  let earnings = 0;
  for (const { status, received, purchased, fees } of wagers) {
    if (status === 'sold' || status === 'won' || status === 'lost') earnings += received - purchased - fees;
  }
  return earnings as Money;
}
