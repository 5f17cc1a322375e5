/** Accounts as others see them, the whole ledger with its proof, and the trade register. */
import type { AccountId, MarketId } from '../contract/ids.js';
import type { Money, Shares } from '../../domain/units.js';
import { CURRENCIES, modeOf, type Currency } from '../../domain/vocabulary.js';
import type { Account, Holding } from '../accounts/accounts.js';
import type { Wager } from '../accounts/wagers.js';
import type {
  AccountRow,
  AccountView,
  AuthorView,
  HoldingView,
  LedgerView,
  SystemAccountName,
  SystemRow,
  TradeRow,
} from '../contract.js';
import type { State } from '../state.js';

/** The account as its owner sees it. */
export function accountView({ config, cash }: Account): AccountView {
  return {
    id: config.id,
    username: config.username,
    email: config.email,
    wallet: { ...(cash as Record<Currency, Money>) },
    emailConfirmed: config.emailConfirmed,
    realCurrencyEnabled: config.realCurrencyEnabled,
    kycStatus: config.kycStatus,
    dateJoined: config.dateJoined,
    walletUser: config.walletUser,
  };
}

/** What an account holds of one position; null: nothing yet. */
export function readHolding(
  { accounts, markets }: State,
  wanted: Pick<Holding, 'position' | 'currency'> & { readonly account: AccountId; readonly market: MarketId },
): HoldingView | null {
  const { position, currency } = wanted;
  const market = markets.market(wanted.market);
  const owner = market && accounts.find(wanted.account)?.inBook.get(markets.book(market, modeOf(currency)));
  const held = owner?.held(position, currency);
  return held === undefined ? null : { shares: held.shares as Shares, free: held.free };
}

/** The account as readers of its comments see it; null when there is none. */
export function authorView(state: State, id: AccountId): AuthorView | null {
  const account = state.accounts.find(id);
  if (account === null) return null;
  const wagers = state.wagers.list.filter(({ holding }) => holding.owner.account === account);
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
  for (const { status, received, purchased, fees } of wagers)
    if (status === 'sold' || status === 'won' || status === 'lost') earnings += received - purchased - fees;
  return earnings as Money;
}

/** Accounts in their order with the currencies each has anything in, then the venue's own amounts. */
export function readLedger(state: State): LedgerView {
  const accounts = state.accounts.list.flatMap(accountRows);
  const system = CURRENCIES.flatMap((currency) => systemRows(state, currency));
  const sum = {} as Record<Currency, Money>;
  for (const currency of CURRENCIES) {
    let total = 0;
    for (const row of accounts) if (row.currency === currency) total += row.cash + row.locked;
    for (const row of system) if (row.currency === currency) total += row.amount;
    sum[currency] = total as Money;
  }
  return { accounts: accounts.filter(isUsed), system, sum };
}

function accountRows({ id, cash, locked, inBook }: Account): AccountRow[] {
  const owners = [...inBook.values()].sort((a, b) => a.book.index - b.book.index);
  const holdings = owners.flatMap((owner) => owner.holdings());
  return CURRENCIES.map((currency) => ({
    id,
    currency,
    cash: cash[currency] as Money,
    locked: locked[currency] as Money,
    shares: holdings
      .filter((holding) => holding.currency === currency && holding.shares !== 0)
      .map((holding) => ({
        marketId: holding.owner.book.market.id,
        position: holding.position,
        shares: holding.shares as Shares,
        locked: holding.locked as Shares,
      })),
  }));
}

const isUsed = ({ cash, locked, shares }: AccountRow): boolean =>
  cash !== 0 || locked !== 0 || shares.length > 0;

const SYSTEM_ACCOUNTS = [
  'collateral',
  'fees',
  'rounding',
  'clearing',
  'external',
] as const satisfies SystemAccountName[];

const systemRows = ({ markets, deposits }: State, currency: Currency): SystemRow[] =>
  SYSTEM_ACCOUNTS.map((name) => {
    let amount = name === 'external' ? deposits[currency] : 0;
    for (const { ledger } of markets.books) amount += ledger.amounts[name][currency];
    return { name, currency, amount: amount as Money };
  });

/** Trades still known, oldest first. @param market null: of all markets */
export const listTrades = ({ trades }: State, market: MarketId | null): readonly TradeRow[] =>
  [...trades].filter(({ marketId }) => market === null || marketId === market);
