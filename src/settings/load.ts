import type { z } from 'zod';
import { botProblems, secretProblems } from './bot-problems.js';
import { type BotSettings, botSchema } from './bot-schema.js';
import { exchangeFileSchema, exchangeSectionSchema, type ExchangeSettings } from './exchange-schema.js';
import { exchangeProblems } from './exchange-problems.js';
import { SettingsError, checked } from './problems.js';
import { settingsOf } from './selection.js';
import { SettingsSource } from './source.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings with their source, which knows the line and column of each value. */
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

/** Reads a configuration for a command that never signs: variables of keys need not be set. @throws SettingsError */
export const loadKeylessSettings = (
  file: string,
  environment: Environment,
  overrides: readonly string[] = [],
): Loaded<BotSettings> => checkBotSettings(SettingsSource.read(file, environment, overrides, 'no keys'));

/** Reads a configuration for a command that only listens: the file needs no keys of the venue. @throws SettingsError */
export const loadListenerSettings = (file: string, environment: Environment): Loaded<BotSettings> =>
  checkBot(SettingsSource.readWithoutKeys(file, environment), 'no secrets');

/** Checks a source that was read already. @throws SettingsError */
export const checkBotSettings = (source: SettingsSource): Loaded<BotSettings> => checkBot(source, 'secrets');

function checkBot(source: SettingsSource, need: 'secrets' | 'no secrets'): Loaded<BotSettings> {
  refuseExchangeAlone(source);
  const settings = settingsOf(validate(botSchema, source));
  const problems = [
    ...(need === 'secrets' ? secretProblems(settings, source) : []),
    ...botProblems(settings, source),
  ];
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return { settings, source };
}

/** Settings that the venue completed, once more. @throws SettingsError for contradictions */
export function recheckedSettings(settings: BotSettings, source: SettingsSource): BotSettings {
  const problems = botProblems(settings, source);
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return settings;
}

/** Refuses a file for `oddsmith exchange`: it has no strategies to run. @throws SettingsError */
function refuseExchangeAlone(source: SettingsSource): void {
  const { value } = source;
  if (typeof value !== 'object' || value === null || !('exchange' in value)) return;
  if (isOfBot(source)) return;
  const text =
    'this file describes an exchange without a bot: start it with oddsmith exchange, or add events and instances';
  throw new SettingsError(source.file, [source.problem(['exchange'], text)]);
}

/** Reads a file for `oddsmith exchange`, or the section `exchange` of a bot's file. @throws SettingsError */
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

/** Tells whether a file is only for `oddsmith exchange`. @throws SettingsError when it cannot be read */
export function isExchangeFile(file: string, environment: Environment): boolean {
  const { value } = SettingsSource.read(file, environment, [], 'no keys');
  return typeof value === 'object' && value !== null && Object.keys(value).join(',') === 'exchange';
}

/**
 * Checks a source against a schema.
 * @returns the schema's output
 * @throws SettingsError with every problem, each at its place
 */
function validate<S extends z.ZodType>(schema: S, source: SettingsSource): z.output<S> {
  const result = checked(schema, source.value);
  if (result.ok) return result.value;
  const problems = result.issues.map(({ path, message, unknownKey }) =>
    source.problem(path, message, unknownKey),
  );
  throw new SettingsError(source.file, problems);
}
