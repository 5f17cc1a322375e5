/** All cash there is, and the proof that it adds up to nothing. */
import type { Money, Shares } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import { CURRENCIES } from '../../domain/vocabulary.js';
import type { Account } from '../money/accounts.js';
import { currencyCode, positionAt } from '../codes.js';
import type { AccountRow, HoldingRow, LedgerView, SystemAccountName, SystemRow } from '../contract.js';
import type { Floor } from '../floor.js';

/** Accounts in their order and, of each, the currencies it has anything in; then the venue's own. */
export function readLedger(floor: Floor): LedgerView {
  const accounts = floor.accounts.list.flatMap((account) =>
    CURRENCIES.map((currency) => accountRow(floor, account, currency)),
  );
  const system = CURRENCIES.flatMap((currency) => systemRows(floor, currency));
  const sum = {} as Record<Currency, Money>;
  for (const currency of CURRENCIES) sum[currency] = total(accounts, system, currency);
  return { accounts: accounts.filter(isUsed), system, sum };
}

function accountRow(floor: Floor, account: Account, currency: Currency): AccountRow {
  const code = currencyCode(currency);
  return {
    id: account.id,
    currency,
    cash: account.cash[code] as Money,
    locked: account.locked[code] as Money,
    shares: holdingRows(floor, account, code),
  };
}

const isUsed = ({ cash, locked, shares }: AccountRow): boolean =>
  cash !== 0 || locked !== 0 || shares.length > 0;

function holdingRows(floor: Floor, account: Account, currency: number): HoldingRow[] {
  const holdings = floor.stakes.ofAccount(account).flatMap((stake) => stake.allHoldings());
  return holdings
    .filter((holding) => holding.currency === currency && holding.shares !== 0)
    .map(({ stake, position, shares, locked }) => ({
      marketId: stake.book.market.id,
      position: positionAt(position),
      shares: shares as Shares,
      locked: locked as Shares,
    }));
}

const COLUMNS = [
  'collateral',
  'fees',
  'rounding',
  'clearing',
  'external',
] as const satisfies SystemAccountName[];

function systemRows(floor: Floor, currency: Currency): SystemRow[] {
  const code = currencyCode(currency);
  return COLUMNS.map((name) => {
    let amount = name === 'external' ? (floor.deposits[code] as number) : 0;
    for (const { ledger } of floor.markets.books) amount += ledger[name][code] as number;
    return { name, currency, amount: amount as Money };
  });
}

function total(accounts: readonly AccountRow[], system: readonly SystemRow[], currency: Currency): Money {
  let sum = 0;
  for (const row of accounts) if (row.currency === currency) sum += row.cash + row.locked;
  for (const row of system) if (row.currency === currency) sum += row.amount;
  return sum as Money;
}
