/** What a configuration has that a durable exchange has not yet; what it has otherwise is refused. */
import { UsageError } from '../../../domain/errors.js';
import type {
  AccountConfig,
  Command,
  EventConfig,
  ExchangeConfig,
  MarketConfig,
} from '../../../exchange/contract.js';
import { isStandIn } from '../../../settings/index.js';
import { type Difference, differenceOf } from './difference.js';

/**
 * Accounts, events and markets may come, and events and markets that are over may leave the file. Accounts stay, since
 * they have money, but for stand-ins of traders that are not there any more.
 * @param there    what the exchange of the folder would have to be configured with to begin as it is now
 * @param wanted   what its file says
 * @returns the commands that add what is new, in the order of the file
 * @throws UsageError naming the first path that differs, and both values
 */
export function additionsTo(dir: string, there: ExchangeConfig, wanted: ExchangeConfig): readonly Command[] {
  const differs =
    settingsDifference(there, wanted) ??
    accountsDifference(there.accounts, wanted.accounts) ??
    eventsDifference(there.events, wanted.events);
  if (differs !== null) throw changed(dir, differs);
  return [...newAccounts(there, wanted), ...newEvents(there, wanted), ...newMarkets(there, wanted)];
}

function changed(dir: string, { path, there, wanted }: Difference): UsageError {
  return new UsageError(
    `${dir} holds an exchange with exchange.${path}: ${there}, the file says ${wanted}. Accounts, events and markets ` +
      'can be added; what exists cannot be changed. Put the old value back, or name another dataDir',
  );
}

function settingsDifference(there: ExchangeConfig, wanted: ExchangeConfig): Difference | null {
  const { duplicateWindowMs, processingDelayMs, fees } = wanted;
  const ours = {
    duplicateWindowMs: there.duplicateWindowMs,
    processingDelayMs: there.processingDelayMs,
    fees: there.fees,
  };
  return differenceOf('', ours, { duplicateWindowMs, processingDelayMs, fees });
}

function accountsDifference(
  there: readonly AccountConfig[],
  wanted: readonly AccountConfig[],
): Difference | null {
  for (const account of there) {
    const at = wanted.findIndex(({ id }) => id === account.id);
    const wish = wanted[at];
    if (wish === undefined && isStandIn(account.id)) continue;
    if (wish === undefined)
      return {
        path: 'accounts',
        there: `account ${account.id} (${account.username})`,
        wanted: 'nothing of it',
      };
    const differs = differenceOf(`accounts[${at}]`, account, wish);
    if (differs !== null) return differs;
  }
  return null;
}

function eventsDifference(there: readonly EventConfig[], wanted: readonly EventConfig[]): Difference | null {
  for (const [at, wish] of wanted.entries()) {
    const event = there.find(({ id }) => id === wish.id);
    const differs = event === undefined ? null : eventDifference(`events[${at}]`, event, wish);
    if (differs !== null) return differs;
  }
  return null;
}

function eventDifference(path: string, there: EventConfig, wanted: EventConfig): Difference | null {
  // Unless the file says it, whether an event is binary follows from its markets, of which it may have got more.
  const { isBinary } = wanted;
  const differs = differenceOf(path, { ...there, isBinary, markets: [] }, { ...wanted, markets: [] });
  if (differs !== null) return differs;
  for (const [at, wish] of wanted.markets.entries()) {
    const market = there.markets.find(({ id }) => id === wish.id);
    const inMarket = market === undefined ? null : differenceOf(`${path}.markets[${at}]`, market, wish);
    if (inMarket !== null) return inMarket;
  }
  return null;
}

const newAccounts = (there: ExchangeConfig, wanted: ExchangeConfig): readonly Command[] =>
  missingIn(there.accounts, wanted.accounts).map((account) => ({ kind: 'add-account', account }));

const newEvents = (there: ExchangeConfig, wanted: ExchangeConfig): readonly Command[] =>
  missingIn(there.events, wanted.events).map((event) => ({ kind: 'add-event', event }));

const newMarkets = (there: ExchangeConfig, wanted: ExchangeConfig): readonly Command[] =>
  there.events.flatMap(({ id, markets }) => {
    const wish = wanted.events.find((event) => event.id === id);
    return missingIn(markets, wish?.markets ?? []).map((market: MarketConfig): Command => ({
      kind: 'add-market',
      eventId: id,
      market,
    }));
  });

const missingIn = <Item extends { readonly id: number }>(
  there: readonly Item[],
  wanted: readonly Item[],
): readonly Item[] => wanted.filter(({ id }) => !there.some((one) => one.id === id));
