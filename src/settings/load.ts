import { formatMoney } from '../venues/futuur/protocol/decimals.js';
import { modeOf } from '../domain/vocabulary.js';
import { FIXED_MIRROR_SETTINGS, repeatMsOf } from '../core/mirror/settings.js';
import { type BotSettings, botSchema } from './bot-schema.js';
import { exchangeFileSchema, exchangeSectionSchema, type ExchangeSettings } from './exchange-schema.js';
import { exchangeProblems } from './exchange-problems.js';
import { type Problem, SettingsError } from './problems.js';
import { SettingsSource } from './source.js';
import { validate } from './validate.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings together with the source that can still say where each value stands. */
export interface Loaded<Settings> {
  readonly settings: Settings;
  readonly source: SettingsSource;
}

/**
 * Reads a bot's configuration.
 * @param overrides `path=value` each, laid over the file
 * @throws SettingsError with every problem as file:line:column
 */
export function loadBotSettings(
  file: string,
  environment: Environment,
  overrides: readonly string[] = [],
): Loaded<BotSettings> {
  return checkBotSettings(SettingsSource.read(file, environment, overrides));
}

/** The same for who never enters an account: variables of keys need not be set. @throws SettingsError */
export const loadKeylessSettings = (
  file: string,
  environment: Environment,
  overrides: readonly string[] = [],
): Loaded<BotSettings> => checkBotSettings(SettingsSource.read(file, environment, overrides, 'no keys'));

/** The same for who only listens: keys of the venue need not be in the file either. @throws SettingsError */
export const loadListenerSettings = (file: string, environment: Environment): Loaded<BotSettings> =>
  checked(SettingsSource.readWithoutKeys(file, environment), 'no secrets');

/** The same for a source already read. @throws SettingsError */
export const checkBotSettings = (source: SettingsSource): Loaded<BotSettings> => checked(source, 'secrets');

function checked(source: SettingsSource, need: 'secrets' | 'no secrets'): Loaded<BotSettings> {
  refuseExchangeAlone(source);
  const settings = validate(botSchema, source);
  const problems = [
    ...(need === 'secrets' ? secretProblems(settings, source) : []),
    ...currencyProblems(settings, source),
    ...marketProblems(settings, source),
    ...instanceProblems(settings, source),
    ...amountProblems(settings, source),
    ...venueProblems(settings, source),
    ...guardProblems(settings, source),
    ...bookAgeProblems(settings, source),
    ...(settings.exchange === null ? [] : exchangeProblems(settings.exchange, source)),
  ];
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return { settings, source };
}

/** A file for `oddsmith exchange` has nothing that a bot could trade. @throws SettingsError */
function refuseExchangeAlone(source: SettingsSource): void {
  const { value } = source;
  if (typeof value !== 'object' || value === null || !('exchange' in value)) return;
  if (isOfBot(source)) return;
  const text =
    'this file describes an exchange without a bot: start it with oddsmith exchange, or add events and instances';
  throw new SettingsError(source.file, [source.problem(['exchange'], text)]);
}

/** Reads a file for `oddsmith exchange`; of a bot's file the section `exchange` alone. @throws SettingsError */
export function loadExchangeSettings(file: string, environment: Environment): Loaded<ExchangeSettings> {
  const source = SettingsSource.read(file, environment, [], 'no keys');
  const settings = validate(isOfBot(source) ? exchangeSectionSchema : exchangeFileSchema, source).exchange;
  if (settings === null) throw new SettingsError(source.file, [source.problem([], NO_EXCHANGE)]);
  const problems = exchangeProblems(settings, source);
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return { settings, source };
}

const NO_EXCHANGE =
  "this is a bot's file, and it has no section exchange to start: name a file that has one, such as config/exchange.yaml";

function isOfBot({ value }: SettingsSource): boolean {
  return typeof value === 'object' && value !== null && ('events' in value || 'instances' in value);
}

/** What must not stand in a file, by its path, and the variable that a message suggests for it. */
const SECRETS: readonly {
  readonly path: readonly string[];
  readonly noun: string;
  readonly name: string;
  readonly of: (settings: BotSettings) => string | null | undefined;
}[] = [
  {
    path: ['venue', 'privateKey'],
    noun: 'a private key',
    name: 'ODDSMITH_PRIVATE_KEY',
    of: ({ venue }) => venue?.privateKey,
  },
  {
    path: ['guard', 'privateKey'],
    noun: 'a private key',
    name: 'ODDSMITH_GUARD_PRIVATE_KEY',
    of: ({ guard }) => guard.privateKey,
  },
  { path: ['http', 'token'], noun: 'a token', name: 'ODDSMITH_HTTP_TOKEN', of: ({ http }) => http.token },
];

/** Everything in the settings that no log may show. */
export const secretsOf = (settings: BotSettings): readonly string[] =>
  SECRETS.flatMap(({ of }) => of(settings) ?? []);

const secretProblems = (settings: BotSettings, source: SettingsSource): readonly Problem[] =>
  SECRETS.filter(({ path, of }) => typeof of(settings) === 'string' && !source.isReference(path)).map(
    ({ path, noun, name }) =>
      source.problem(path, `${noun} must not stand in the file; write \${${name}} and set the variable`),
  );

/** A guard without a key of its own lives on what the bot leaves of the allowance. */
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

/** Orders that the venue takes are refused by us, and the other way round. */
function amountProblems({ venue, instances }: BotSettings, source: SettingsSource): readonly Problem[] {
  if (venue === null) return [];
  return instances.flatMap(({ limits: { maxOrderAmount } }, at) => {
    if (maxOrderAmount >= venue.minAmount) return [];
    const [least, most] = [venue.minAmount, maxOrderAmount].map(formatMoney);
    const text = `expected at least venue.minAmount, which is ${least}, found ${most}: no order could be placed`;
    return [source.problem(['instances', at, 'limits', 'maxOrderAmount'], text)];
  });
}

function venueProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  if (settings.venue !== null || settings.exchange !== null || settings.backtest !== null) return [];
  return [source.problem([], 'expected a venue, or an exchange to run as the venue')];
}

/** A read book is as old as the venue's cache already: a smaller greatest age could never be met by a quiet market. */
function bookAgeProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const { maxBookAgeMs } = settings.quoting;
  const bookCacheMs = (settings.venue ?? settings.exchange)?.bookCacheMs ?? 0;
  const youngest = repeatMsOf({ ...FIXED_MIRROR_SETTINGS, bookCacheMs });
  if (maxBookAgeMs > youngest) return [];
  const sum = `bookCacheMs ${bookCacheMs} and ${youngest - bookCacheMs} on the way`;
  return [
    source.problem(
      ['quoting', 'maxBookAgeMs'],
      `expected more than ${youngest} (${sum}), found ${maxBookAgeMs}: no read could ever confirm a quiet book`,
    ),
  ];
}

function marketProblems(settings: BotSettings, source: SettingsSource): readonly Problem[] {
  const seen = new Set<number>();
  const problems: Problem[] = [];
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
  const owner = new Map<number, string>();
  const names = new Set<string>();
  const problems: Problem[] = [];
  settings.instances.forEach((instance, at) => {
    if (names.has(instance.name))
      problems.push(source.problem(['instances', at, 'name'], `the name ${instance.name} is used twice`));
    names.add(instance.name);
    instance.markets.forEach((market, index) => {
      const path = ['instances', at, 'markets', index];
      const other = owner.get(market);
      if (!known.has(market))
        problems.push(source.problem(path, `market ${market} is not among the markets under events`));
      else if (other !== undefined)
        problems.push(
          source.problem(path, `market ${market} is already quoted by ${other}; one market, one instance`),
        );
      owner.set(market, instance.name);
    });
  });
  return problems;
}

/** Whether a file is for `oddsmith exchange` alone. @throws SettingsError when it cannot be read */
export function isExchangeFile(file: string, environment: Environment): boolean {
  const { value } = SettingsSource.read(file, environment, [], 'no keys');
  return typeof value === 'object' && value !== null && Object.keys(value).join(',') === 'exchange';
}
