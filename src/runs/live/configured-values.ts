/** What two configurations of one bot differ in, by path: what can be changed while it runs, and what takes a restart. */
import type { BotSettings, Loaded } from '../../settings/index.js';
import { strategyFilesOf } from '../strategies/strategies.js';

/** What other commands read, what no decision rests on, and what nobody may write down. */
const NOT_COMPARED =
  /^(?:backtest|sweep|reload|canary)\b|^events\.[^.]+\.(?:isWhole|(?:markets\.[^.]+\.)?title)$|(?:Key|[tT]oken|[pP]assword|[sS]ecret)$|^alerts\.receivers\b.*\.url$/;
/** What an engine takes over. Parameters are compared by what their strategy says of them. */
const LIVE =
  /^instances\.[^.]+\.limits\.|^events\.[^.]+\.(?:closes$|category$|underlying$|informationWindows\b)/;

/** A value of a configuration. */
interface ConfiguredValue {
  /** As resolved, for comparison. */
  readonly value: string;
  /** As it stands in the file; null: it does not. */
  readonly written: string | null;
}

export interface ValueDifference {
  /** Paths with both values. */
  readonly changes: readonly string[];
  readonly refused: readonly string[];
}

/**
 * Compares everything but parameters and lists of markets. Of what is in one of them alone, an instance say, nothing is told.
 * @throws UsageError for a strategy that cannot be found
 */
export function valueDifference(before: Loaded<BotSettings>, after: Loaded<BotSettings>): ValueDifference {
  const changes: string[] = [];
  const refused: string[] = [];
  for (const { path, inUse, given } of differingValues(before, after)) {
    if (!isOfBoth(path, before.settings, after.settings)) continue;
    const text = `${path}: ${said(inUse)} -> ${said(given)}`;
    if (LIVE.test(path)) changes.push(text);
    else refused.push(`${text}: ${AT_THE_START}`);
  }
  if (before.settings.venue?.publicKey !== after.settings.venue?.publicKey)
    refused.push(`venue.publicKey: another key: ${AT_THE_START}`);
  return { changes, refused };
}

/** Every value that is another, without parameters and markets of instances. @throws UsageError for a strategy that cannot be found */
export function differingValues(
  before: Loaded<BotSettings>,
  after: Loaded<BotSettings>,
): readonly {
  readonly path: string;
  readonly inUse: ConfiguredValue | undefined;
  readonly given: ConfiguredValue | undefined;
}[] {
  const [old, now] = [configuredValues(before), configuredValues(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, inUse: old.get(path), given: now.get(path) }))
    .filter(({ inUse, given }) => inUse?.value !== given?.value);
}

export const AT_THE_START = 'read at the start only, so it takes a restart';

/** As a person wrote it. */
const said = (one: ConfiguredValue | undefined): string =>
  one === undefined ? 'nothing' : (one.written ?? 'the default');

/** Whether the instance, event or market of the path is in both. */
function isOfBoth(path: string, ...both: readonly BotSettings[]): boolean {
  const [, kind, name, market] = /^(instances|events)\.([^.]+)(?:\.markets\.([^.]+))?/.exec(path) ?? [];
  const code = /^code of (.*)$/.exec(path)?.[1];
  return both.every(({ instances, events }) => {
    const instance = kind === 'instances' ? name : code;
    if (instance !== undefined) return instances.some((one) => one.name === instance);
    if (kind === undefined) return true;
    const event = events.find(({ id }) => id === name);
    return event !== undefined && (market === undefined || event.markets.some(({ id }) => id === market));
  });
}

function configuredValues({ settings, source }: Loaded<BotSettings>): ReadonlyMap<string, ConfiguredValue> {
  const written = new Map(leavesOf(byName(source.value as Named), ''));
  const leaves = [...leavesOf(byName(settings), '')]
    .filter(([path]) => !NOT_COMPARED.test(path))
    .map(([path, value]) => [path, { value, written: written.get(path) ?? null }] as const);
  const code = strategyFilesOf(settings, source.file).map(({ instance, sha256 }) => {
    const hash = sha256.slice(0, 12);
    return [`code of ${instance}`, { value: hash, written: hash }] as const;
  });
  return new Map([...leaves, ...code]);
}

interface Named {
  readonly instances?: readonly {
    readonly name: string;
    readonly modifiers?: readonly { readonly modifier: string }[];
  }[];
  readonly events?: readonly {
    readonly id: string | number;
    readonly markets?: readonly { readonly id: string | number }[];
  }[];
}

/** Of an instance: parameters, and what says which markets it has. */
const TAKEN_OVER = { params: null, markets: null, named: null, events: null, select: null } as const;

/** Instances, events and markets by their names; without parameters and without the markets of instances. */
const byName = ({ instances = [], events = [], ...rest }: Named): object => ({
  ...rest,
  events: byId(events.map((event) => ({ ...event, markets: byId(event.markets ?? []) }))),
  instances: Object.fromEntries(
    instances.map(({ modifiers = [], ...one }) => [
      one.name,
      { ...one, ...TAKEN_OVER, modifiers: modifiers.map(({ modifier }) => modifier) },
    ]),
  ),
});

const byId = (all: readonly { readonly id: string | number }[]): object =>
  Object.fromEntries(all.map(({ id, ...one }) => [String(id), one]));

function* leavesOf(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined) yield [path, JSON.stringify(value)];
    return;
  }
  const below = Array.isArray(value)
    ? value.map((one: unknown, at) => [`${path}[${at}]`, one] as const)
    : Object.entries(value).map(([name, one]) => [path === '' ? name : `${path}.${name}`, one] as const);
  if (below.length === 0) yield [path, JSON.stringify(value)];
  for (const [name, one] of below) yield* leavesOf(one, name);
}
