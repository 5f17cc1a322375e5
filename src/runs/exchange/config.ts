import { accountId, eventId, marketId } from '../../domain/ids.js';
import type { AccountConfig, EventConfig, ExchangeConfig, MarketConfig } from '../../exchange/contract.js';
import { accountConfig, eventConfig, exchangeConfig, marketConfig } from '../../exchange/defaults.js';
import { type ExchangeEventSettings, type ExchangeSettings, tradingAccounts } from '../../settings/index.js';

type AccountSettings = ExchangeSettings['accounts'][number];

/** What the core of the exchange needs of its settings; listeners, keys and faults stay with the server. */
export const exchangeConfigOf = (settings: ExchangeSettings): ExchangeConfig =>
  exchangeConfig({
    duplicateWindowMs: settings.duplicateWindowMs,
    processingDelayMs: settings.processingDelayMs,
    fees: settings.fees,
    accounts: [...settings.accounts, ...standInsOf(settings)].map(accountConfigOf),
    events: settings.events.map(eventConfigOf),
  });

/** Accounts like those that the file names, funded as they are. They have no keys: nobody signs as one of them. */
const standInsOf = ({ accounts, participants }: ExchangeSettings): readonly AccountSettings[] =>
  tradingAccounts(participants).flatMap((trading) => {
    const account = accounts.find(({ id }) => id === trading?.named);
    if (trading === null || account === undefined || trading.id === account.id) return [];
    return [{ ...account, id: trading.id, username: `${account.username}-${trading.ordinal}`, email: null }];
  });

function accountConfigOf(account: AccountSettings): AccountConfig {
  const { publicKey: _publicKey, privateKey: _privateKey, keys: _keys, email, ...rest } = account;
  return accountConfig({
    ...rest,
    id: accountId(account.id),
    following: account.following.map(accountId),
    ...(email === null ? {} : { email }),
  });
}

/** An event of the file, or of the admin interface, in the exchange's own terms. */
export function eventConfigOf(event: ExchangeEventSettings): EventConfig {
  const { slug, isBinary, category } = event;
  return eventConfig({
    id: eventId(event.id),
    title: event.title,
    description: event.description,
    resolutionMode: event.resolutionMode,
    betStart: event.betStartDate,
    betEnd: event.betEndDate,
    eventStart: event.eventStartDate,
    eventEnd: event.eventEndDate,
    tax: event.tax,
    minAmount: event.minAmount,
    maxAmount: event.maxAmount,
    markets: event.markets.map(marketConfigOf),
    ...(slug === null ? {} : { slug }),
    ...(isBinary === null ? {} : { isBinary }),
    ...(category === null ? {} : { category }),
  });
}

export const marketConfigOf = (market: ExchangeEventSettings['markets'][number]): MarketConfig =>
  marketConfig({
    id: marketId(market.id),
    title: market.title,
    tickUnits: market.tickSize,
    longLabel: market.longLabel,
    shortLabel: market.shortLabel,
  });
