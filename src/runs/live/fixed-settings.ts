/** What of a configuration a running bot cannot change, as a text for each key, so that two files can be compared. */
import type { BotSettings, Loaded } from '../../settings/index.js';
import { strategyFilesOf } from '../strategies/strategies.js';

/** What other commands read, and what nobody may write down. */
const NOT_COMPARED = /^(?:backtest|sweep)\b|(?:Key|[tT]oken|[pP]assword|[sS]ecret)$/;

/** A value of a configuration. */
export interface FixedSetting {
  /** As resolved, for comparison. */
  readonly value: string;
  /** As it stands in the file; null: it does not. */
  readonly written: string | null;
}

/** @throws UsageError for a strategy that cannot be found */
export function fixedSettings({
  settings,
  source,
}: Loaded<BotSettings>): Readonly<Record<string, FixedSetting>> {
  const written = new Map(leavesOf(byName(source.value as Instances), ''));
  const leaves = [...leavesOf(byName(settings), '')]
    .filter(([path]) => !NOT_COMPARED.test(path))
    .map(([path, value]) => [path, { value, written: written.get(path) ?? null }] as const);
  const code = strategyFilesOf(settings, source.file).map(({ instance, sha256 }) => {
    const hash = sha256.slice(0, 12);
    return [`code of ${instance}`, { value: hash, written: hash }] as const;
  });
  return Object.fromEntries([...leaves, ...code]);
}

interface Instances {
  readonly instances?: readonly {
    readonly name: string;
    readonly modifiers?: readonly { readonly modifier: string }[];
  }[];
}

/** Instances by their names, without their parameters. */
const byName = ({ instances = [], ...rest }: Instances): object => ({
  ...rest,
  instances: Object.fromEntries(
    instances.map(({ modifiers = [], ...one }) => [
      one.name,
      { ...one, params: null, modifiers: modifiers.map(({ modifier }) => modifier) },
    ]),
  ),
});

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
