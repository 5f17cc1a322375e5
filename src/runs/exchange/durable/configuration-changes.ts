/** Where two configurations of an exchange part, in the words of its file. */
import type { Micros, Money, PriceUnits } from '../../../domain/units.js';
import { CURRENCIES } from '../../../domain/vocabulary.js';
import { formatMoney, formatPrice } from '../../../venues/futuur/protocol/decimals.js';
import { formatMilliseconds } from '../../../venues/futuur/protocol/timestamps.js';
import { UsageError } from '../../../domain/errors.js';
import type {
  AccountConfig,
  Command,
  EventConfig,
  ExchangeConfig,
  MarketConfig,
} from '../../../exchange/contract.js';
import { isStandIn } from '../../../settings/index.js';

/** The first place where they differ, with both values as the file would write them. */
export interface Difference {
  /** `events[0].minAmount` */
  readonly path: string;
  readonly there: string;
  readonly wanted: string;
}

/** @param path of both values; empty: they are the section itself. @returns null when they are equal */
function differenceOf(path: string, there: unknown, wanted: unknown): Difference | null {
  if (isObject(there) && isObject(wanted)) {
    for (const key of namesOf(there, wanted)) {
      const differs = differenceOf(joined(path, key), there[key], wanted[key]);
      if (differs !== null) return differs;
    }
    return null;
  }
  if (JSON.stringify(there) === JSON.stringify(wanted)) return null;
  const write = writerOf(path);
  return { path, there: write(there), wanted: write(wanted) };
}

/** What follows from other names comes last, so that the cause is told and not the effect. */
const FOLLOWING = ['email', 'slug'];

function namesOf(there: object, wanted: object): readonly string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(there)])];
  const follows = (name: string): boolean => FOLLOWING.includes(name);
  return [...names.filter((name) => !follows(name)), ...names.filter(follows)];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the file calls otherwise than the exchange does. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  betStart: 'betStartDate',
  betEnd: 'betEndDate',
  eventStart: 'eventStartDate',
  eventEnd: 'eventEndDate',
  tickUnits: 'tickSize',
};

function joined(path: string, key: string): string {
  const name = FILE_NAMES[key] ?? key;
  return path === '' ? name : `${path}.${name}`;
}

const money = (value: number): string => JSON.stringify(formatMoney(value as Money));
const price = (value: number): string => JSON.stringify(formatPrice(value as PriceUnits));
const time = (value: number): string => formatMilliseconds(value as Micros);

/** How a number of this name stands in the file. */
const WRITERS: Readonly<Record<string, (value: number) => string>> = {
  ...Object.fromEntries(CURRENCIES.map((currency) => [currency, money])),
  taker: money,
  maker: money,
  minAmount: money,
  maxAmount: money,
  tickSize: price,
  betStartDate: time,
  betEndDate: time,
  eventStartDate: time,
  eventEndDate: time,
  dateJoined: time,
};

function writerOf(path: string): (value: unknown) => string {
  const write = WRITERS[path.slice(path.lastIndexOf('.') + 1)];
  return (value) => {
    if (write !== undefined && typeof value === 'number') return write(value);
    return value === undefined ? 'nothing' : JSON.stringify(value);
  };
}

/** What a configuration has that a durable exchange has not yet; what it has otherwise is refused. */

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
