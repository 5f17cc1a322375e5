/** Accounts and balances (specification 2.1, 2.2). */
import type { Currency } from '../../domain/vocabulary.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { AccountView } from '../../exchange/contract.js';
import { formatMoney } from '../../protocol/decimals.js';
import type { BalanceRow, RegisteredUser } from '../../protocol/rest/account.js';
import { formatMicroseconds } from '../../protocol/timestamps.js';

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

/** One row per currency of the venue, held or not. */
export const balanceRows = (account: AccountView): readonly BalanceRow[] =>
  CURRENCIES.map((currency: Currency) => ({ currency, amount: formatMoney(account.wallet[currency]) }));
