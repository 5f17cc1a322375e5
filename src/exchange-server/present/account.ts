/** Accounts and balances (specification 2.1, 2.2). */
import type { Currency } from '../../domain/vocabulary.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import { currencyUnits } from '../../domain/units.js';
import type { AccountView, AuthorView } from '../../exchange/contract.js';
import { formatMoney } from '../../venues/futuur/protocol/decimals.js';
import type { BalanceRow, RegisteredUser } from '../../venues/futuur/protocol/rest/account.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';

export const userPrivate = (account: AccountView): RegisteredUser => ({
  id: account.id,
  username: account.username,
  email: account.email,
  wallet: Object.fromEntries(balanceRows(account).map(({ currency, amount }) => [currency, amount])),
  email_confirmed: account.emailConfirmed,
  real_currency_enabled: account.realCurrencyEnabled,
  kyc_status: account.kycStatus,
  ...(account.dateJoined === null ? {} : { date_joined: formatMicroseconds(account.dateJoined) }),
  is_wallet_user: String(account.walletUser),
});

/** A user as others see them: in comments, and where a wager refers to them. */
export const userPublic = ({ id, username, winRate, wagersCount, netEarnings }: AuthorView) => ({
  id,
  username,
  picture: null,
  win_rate: winRate,
  wagers_count: wagersCount,
  net_earnings: currencyUnits(netEarnings),
});

/** One row per currency of the venue, held or not. */
export const balanceRows = (account: AccountView): readonly BalanceRow[] =>
  CURRENCIES.map((currency: Currency) => ({ currency, amount: formatMoney(account.wallet[currency]) }));
