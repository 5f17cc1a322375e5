/** Finds contradictions between the parts of a bot's settings. */
import { modeOf } from '../domain/vocabulary.js';
import { formatMoney } from '../venues/futuur/protocol/decimals.js';
import { receiverSecretsOf } from './alerts-schema.js';
import type { BotSettings } from './bot-schema.js';
import { exchangeProblems } from './exchange-problems.js';
import type { Problem } from './problems.js';
import { isSelecting } from './selection.js';
import { mostEvents } from './sharding.js';
import type { SettingsSource } from './source.js';
import { GUARD_LEAST } from './venue-schema.js';

export const botProblems = (settings: BotSettings, source: SettingsSource): readonly Problem[] => [
  ...currencyProblems(settings, source),
  ...marketProblems(settings, source),
  ...instanceProblems(settings, source),
  ...fairSourceProblems(settings, source),
  ...receiverProblems(settings, source),
  ...amountProblems(settings, source),
  ...venueProblems(settings, source),
  ...paperProblems(settings, source),
  ...shardingProblems(settings, source),
  ...canaryProblems(settings, source),
  ...guardProblems(settings, source),
  ...guardShareProblems(settings, source),
  ...channelProblems(settings, source),
  ...(settings.exchange === null ? [] : exchangeProblems(settings.exchange, source)),
];

function canaryProblems({ canary, instances }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (canary === null || instances.some(({ name }) => name === canary.instance)) return [];
  const names = instances.map(({ name }) => name).join(', ');
  return [source.problem(['canary', 'instance'], `expected one of ${names}, found ${canary.instance}`)];
}

interface Secret {
  readonly path: readonly (string | number)[];
  readonly noun: string;
  readonly name: string;
  readonly value: string | null | undefined;
}

/** Secrets that a file must not contain, by path, each with the variable that a message suggests. */
const secretsIn = ({ venue, guard, http, fairValues, alerts }: BotSettings): readonly Secret[] => [
  {
    path: ['venue', 'privateKey'],
    noun: 'a private key',
    name: 'ODDSMITH_PRIVATE_KEY',
    value: venue?.privateKey,
  },
  {
    path: ['guard', 'privateKey'],
    noun: 'a private key',
    name: 'ODDSMITH_GUARD_PRIVATE_KEY',
    value: guard.privateKey,
  },
  { path: ['http', 'token'], noun: 'a token', name: 'ODDSMITH_HTTP_TOKEN', value: http.token },
  ...fairValues.map((source, at) => ({
    path: ['fairValues', at, 'token'],
    noun: 'a token',
    name: 'FAIR_VALUES_TOKEN',
    value: source.kind === 'url' ? source.token : null,
  })),
  ...receiverSecretsOf(alerts),
];

/** Secrets of the settings. No log may show them. */
export const secretsOf = (settings: BotSettings): readonly string[] =>
  secretsIn(settings).flatMap(({ value }) => value ?? []);

export const secretProblems = (settings: BotSettings, source: SettingsSource): readonly Problem[] =>
  secretsIn(settings)
    .filter(
      ({ path, value }) =>
        typeof value === 'string' &&
        !source.isReference(path) &&
        (settings.mode === 'live' || path[0] !== 'venue'),
    )
    .map(({ path, noun, name }) =>
      source.problem(path, `${noun} must not stand in the file; write \${${name}} and set the variable`),
    );

/** Each shard has a guard, with its share of the requests; leased shards have none. */
function guardShareProblems({ guard, sharding }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (sharding === null || sharding.lease !== null) return [];
  const keys = ['requestsPerMinute', 'requestsPerDay'] as const;
  const key = keys.find((one) => guard[one] < GUARD_LEAST * sharding.of);
  if (key === undefined) return [];
  const text =
    `expected at most ${Math.floor(guard[key] / GUARD_LEAST)}, found ${sharding.of}: each shard has a guard with its share of ` +
    `guard.${key}, which is ${guard[key]}, and a guard needs ${GUARD_LEAST}`;
  return [source.problem(['sharding', 'of'], text)];
}

/** A guard without its own key uses the part of the allowance that the bot leaves. */
function guardProblems({ guard, venue }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (venue === null || guard.publicKey !== null) return [];
  const { perMinute, perDay } = venue.rateLimit;
  const path = (key: string): readonly string[] => ['guard', key];
  return [
    ...(guard.requestsPerMinute * 2 > perMinute
      ? [source.problem(path('requestsPerMinute'), `more than half of the ${perMinute} requests a minute`)]
      : []),
    ...(guard.requestsPerDay * 2 > perDay
      ? [source.problem(path('requestsPerDay'), `more than half of the ${perDay} requests a day`)]
      : []),
  ];
}

function currencyProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  if (modeOf(settings.currency) === settings.currencyMode) return [];
  return [source.problem(['currency'], `${settings.currency} is not a currency of ${settings.currencyMode}`)];
}

/** An order limit below the least amount of the venue would allow no order. */
function amountProblems({ venue, instances }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (venue === null) return [];
  return instances.flatMap(({ limits: { maxOrderAmount } }, at) => {
    if (maxOrderAmount >= venue.minAmount) return [];
    const [least, most] = [venue.minAmount, maxOrderAmount].map(formatMoney);
    const text = `expected at least venue.minAmount, which is ${least}, found ${most}: no order could be placed`;
    return [source.problem(['instances', at, 'limits', 'maxOrderAmount'], text)];
  });
}

/** Each event needs a channel. The venue and the account need one more each. */
const FURTHER_CHANNELS = 2;

function channelProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const { venue, exchange } = settings;
  const events = mostEvents(settings);
  const most = (venue === null ? exchange : venue.realtime)?.channelsPerConnection ?? null;
  const needed = events + FURTHER_CHANNELS;
  if (most === null || needed <= most) return [];
  const path = venue === null ? ['exchange'] : ['venue', 'realtime'];
  const text =
    `expected at least ${needed}, found ${most}: ${events} events need a channel each, the venue and the ` +
    `account one more each; with ${most} at most ${Math.max(0, most - FURTHER_CHANNELS)} events can be watched`;
  return [source.problem([...path, 'channelsPerConnection'], text)];
}

function venueProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  if (settings.venue !== null || settings.exchange !== null || settings.backtest !== null) return [];
  return [source.problem([], 'expected a venue, or an exchange to run as the venue')];
}

/** Without a venue there is nothing live to listen to. */
function paperProblems({ mode, venue }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (mode === 'live' || venue !== null) return [];
  const text =
    'paper trading listens to a venue, and this file names none: add a section venue; for the exchange of the file ' +
    'use oddsmith run';
  return [source.problem(['mode'], text)];
}

/** An exchange that is started with the bot has no other bot. */
function shardingProblems({ sharding, venue }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (sharding === null || venue !== null) return [];
  const text = 'several processes meet at a venue, and this file names none: add a section venue';
  return [source.problem(['sharding'], text)];
}

function marketProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  if (settings.events.length === 0 && settings.instances.every(({ select }) => select === null))
    problems.push(source.problem(['events'], 'expected at least one event, or an instance with select'));
  settings.events.forEach((event, at) =>
    event.markets.forEach((market, index) => {
      if (seen.has(market.id))
        problems.push(
          source.problem(['events', at, 'markets', index, 'id'], `market ${market.id} is listed twice`),
        );
      seen.add(market.id);
    }),
  );
  return problems;
}

function instanceProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const known = new Set(settings.events.flatMap((event) => event.markets.map((market) => market.id)));
  const events = new Set(settings.events.map(({ id }) => id));
  const owner = new Map<string, string>();
  const names = new Set<string>();
  const problems: Problem[] = [];
  settings.instances.forEach((instance, at) => {
    const problem = (path: readonly (string | number)[], text: string): void =>
      void problems.push(source.problem(['instances', at, ...path], text));
    if (names.has(instance.name)) problem(['name'], `the name ${instance.name} is used twice`);
    names.add(instance.name);
    instance.events?.forEach((id, index) => {
      if (!events.has(id)) problem(['events', index], `event ${id} is not among the events of the file`);
    });
    const { named, select } = instance;
    instance.markets.forEach((market, index) => {
      const path = named?.[index] === market ? ['markets', index] : ['events'];
      const other = owner.get(market);
      if (!known.has(market) && !isSelecting(settings))
        problem(path, `market ${market} is not among the markets under events`);
      else if (other !== undefined)
        problem(path, `market ${market} is already quoted by ${other}; one market, one instance`);
      owner.set(market, instance.name);
    });
    if (instance.markets.length === 0 && select === null && !settings.events.some(({ isWhole }) => isWhole))
      problem([], 'expected markets: no market of the file is left for this instance');
  });
  return problems;
}

/** A market has one source, so that nobody has to guess which value counts. */
function fairSourceProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const known = new Set(settings.events.flatMap((event) => event.markets.map((market) => market.id)));
  const sourceOf = new Map<string, string>();
  const names = new Set<string>();
  const problems: Problem[] = [];
  settings.fairValues.forEach(({ kind, name, markets, signalsOnly }, at) => {
    const problem = (path: readonly (string | number)[], text: string): void =>
      void problems.push(source.problem(['fairValues', at, ...path], text));
    if (kind === 'push' && settings.fairValues.findIndex((one) => one.kind === 'push') < at)
      problem(['kind'], 'expected one source of kind push, found a second; add its markets to the first');
    if (names.has(name)) problem(['name'], `the name ${name} is used twice`);
    names.add(name);
    const keys = new Set<string>();
    markets.forEach(({ id, key }, index) => {
      const other = sourceOf.get(id);
      if (!known.has(id) && !isSelecting(settings))
        problem(['markets', index, 'id'], `market ${id} is not among the markets under events`);
      else if (other !== undefined && !signalsOnly)
        problem(
          ['markets', index, 'id'],
          `market ${id} has the source ${other} already; one market, one source`,
        );
      if (!signalsOnly) sourceOf.set(id, name);
      if (keys.has(key ?? id))
        problem(['markets', index, 'key'], `the key ${key ?? id} stands for two markets`);
      keys.add(key ?? id);
    });
  });
  return problems;
}

function receiverProblems(
  { alerts: { receivers } }: BotSettings,
  source: SettingsSource,
): readonly Problem[] {
  const problem = (at: number, key: string, text: string): Problem =>
    source.problem(['alerts', 'receivers', at, key], text);
  return receivers.flatMap((receiver, at) => [
    ...(receivers.findIndex(({ name }) => name === receiver.name) < at
      ? [problem(at, 'name', `the name ${receiver.name} is used twice`)]
      : []),
    ...(receiver.kind === 'email' && (receiver.user === null) !== (receiver.password === null)
      ? [problem(at, 'user', 'expected both user and password, or neither')]
      : []),
  ]);
}
