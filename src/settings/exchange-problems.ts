import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import { money, MONEY_ONE } from '../domain/units.js';
import { CURRENCIES } from '../domain/vocabulary.js';
import { formatMoney } from '../venues/futuur/protocol/decimals.js';
import { keyPairsOf, tradingAccounts } from './exchange-accounts.js';
import { type ExchangeSettings, exchangeEventSchema, exchangeMarketSchema } from './exchange-schema.js';
import { type Problem, checked } from './problems.js';
import type { SettingsSource } from './source.js';

/** Finds contradictions between the parts of an exchange's settings: duplicate ids and unknown ids. */
export function exchangeProblems(exchange: ExchangeSettings, source: SettingsSource): readonly Problem[] {
  const accounts = new Set(exchange.accounts.map((account) => account.id));
  const markets = new Set(exchange.events.flatMap((event) => event.markets.map((market) => market.id)));
  const events = new Set(exchange.events.map((event) => event.id));
  const problems: Problem[] = [];
  exchange.participants.forEach((participant, at) => {
    const path = ['exchange', 'participants', at];
    if (participant.kind === 'recording') {
      if (!events.has(participant.event))
        problems.push(
          source.problem([...path, 'event'], `event ${participant.event} is not among the events`),
        );
      return;
    }
    if (!accounts.has(participant.account))
      problems.push(
        source.problem([...path, 'account'], `account ${participant.account} is not among the accounts`),
      );
    participant.markets.forEach((market, index) => {
      if (!markets.has(market))
        problems.push(
          source.problem([...path, 'markets', index], `market ${market} is not among the markets`),
        );
    });
  });
  return [
    ...problems,
    ...standInProblems(exchange, source),
    ...balanceProblems(exchange, source),
    ...duplicateIds(exchange, source),
  ];
}

/** The id of a stand-in must be free. */
function standInProblems(
  { accounts, participants }: ExchangeSettings,
  source: SettingsSource,
): readonly Problem[] {
  const taken = new Set(accounts.map(({ id }) => id));
  return tradingAccounts(participants).flatMap((trading, at) => {
    if (trading === null || trading.ordinal === 1) return [];
    if (Number.isSafeInteger(trading.id) && !taken.has(trading.id)) return [];
    const message = `account ${trading.named} has another trader already, and the id ${trading.id} of its stand-in is taken: expected an account of its own`;
    return [source.problem(['exchange', 'participants', at, 'account'], message)];
  });
}

/** All balances of a currency together must stay within what the ledger can count. */
function balanceProblems(
  { accounts, participants }: ExchangeSettings,
  source: SettingsSource,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const currency of CURRENCIES) {
    let total = new Decimal(0);
    for (const [at, { id, balances }] of accounts.entries()) {
      const traders = tradingAccounts(participants).filter((trading) => trading?.named === id).length;
      total = total.plus(new Decimal(balances[currency] ?? 0).times(Math.max(1, traders)));
      if (total.lte(Number.MAX_SAFE_INTEGER)) continue;
      const standIns = traders > 1 ? ', those of its stand-ins included' : '';
      const message =
        `expected balances of at most ${MOST} ${currency} in all accounts together` +
        `${standIns}, found ${total.div(MONEY_ONE).toFixed()}`;
      problems.push(source.problem(['exchange', 'accounts', at, 'balances', currency], message));
      break;
    }
  }
  return problems;
}

const MOST = formatMoney(money(Number.MAX_SAFE_INTEGER));

function duplicateIds(exchange: ExchangeSettings, source: SettingsSource): readonly Problem[] {
  const problems: Problem[] = [];
  const check = (
    ids: readonly (number | string)[],
    at: (index: number) => readonly PropertyKey[],
    noun: string,
  ) => {
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index)
        problems.push(source.problem(at(index), `${noun} ${id} is listed twice`));
    });
  };
  const { accounts, events } = exchange;
  check(
    accounts.map((one) => one.id),
    (index) => ['exchange', 'accounts', index, 'id'],
    'account',
  );
  const keys = accounts.flatMap((account, at) =>
    keyPairsOf(account).map(({ publicKey }, index) => ({
      publicKey,
      path: ['exchange', 'accounts', at, ...(index === 0 ? [] : ['keys', index - 1]), 'publicKey'],
    })),
  );
  check(
    keys.map(({ publicKey }) => publicKey),
    (index) => keys[index]!.path,
    'the key',
  );
  check(
    events.map((one) => one.id),
    (index) => ['exchange', 'events', index, 'id'],
    'event',
  );
  const places = events.flatMap((event, at) =>
    event.markets.map((market, index) => ({ id: market.id, at, index })),
  );
  check(
    places.map((place) => place.id),
    (index) => ['exchange', 'events', places[index]!.at, 'markets', places[index]!.index, 'id'],
    'market',
  );
  return problems;
}

/** Events and markets of the bundled exchange that are added while it runs: the same keys as in its file. */

type EventSettings = ExchangeSettings['events'][number];
type MarketSettings = EventSettings['markets'][number];

/** Returns the settings, or the problems by path of the field (`markets.0.id`). */
export type ItemReading<Settings> =
  | { readonly ok: true; readonly value: Settings }
  | { readonly ok: false; readonly fields: Readonly<Record<string, readonly string[]>> };

export const readExchangeEvent = (input: unknown): ItemReading<EventSettings> =>
  read(exchangeEventSchema, input);

export const readExchangeMarket = (input: unknown): ItemReading<MarketSettings> =>
  read(exchangeMarketSchema, input);

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): ItemReading<z.output<Schema>> {
  const result = checked(schema, input);
  if (result.ok) return result;
  const fields: Record<string, string[]> = {};
  for (const { path, message, unknownKey } of result.issues) {
    const field = [...path, ...(unknownKey === undefined ? [] : [unknownKey])].join('.') || 'body';
    (fields[field] ??= []).push(message);
  }
  return { ok: false, fields };
}
