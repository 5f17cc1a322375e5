import { z } from 'zod';
import { UsageError } from '../../domain/errors.js';
import { marketId, type MarketId } from '../../domain/ids.js';
import type { QuotingInstance } from '../../core/engine/options.js';
import {
  type BotSettings,
  type Problem,
  SettingsError,
  type SettingsSource,
  type Loaded,
} from '../../settings/index.js';
import { StrategyInstance } from '../../core/strategy/instance.js';
import { signalsOf } from '../../core/strategy/tuning.js';
import { checkParameters, type ParameterIssue } from '../../core/strategy/parameters.js';
import type { AnyStrategy } from '../../core/strategy/registry.js';
import { type ModifierUse, withModifiers } from '../../core/strategy/modifiers.js';
import { ChangedStrategyError, fromHere, loadModifier, loadStrategy } from './strategies.js';

type InstanceSettings = BotSettings['instances'][number];

/**
 * Loads the strategies of the configuration and checks their parameters.
 * @param tickUnitsOf price units per tick of a market
 * @throws SettingsError naming the place of every strategy that cannot be loaded and every parameter not accepted;
 *   ChangedStrategyError
 */
export async function checkInstances(
  settings: BotSettings,
  source: SettingsSource,
  tickUnitsOf: (market: MarketId) => number,
): Promise<readonly QuotingInstance[]> {
  const problems: Problem[] = [];
  const instances: QuotingInstance[] = [];
  for (const [index, configured] of settings.instances.entries()) {
    const checked = await checkInstance(configured, index, source, tickUnitsOf);
    if ('problems' in checked) problems.push(...checked.problems);
    else instances.push(checked);
  }
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return instances;
}

async function checkInstance(
  { name, strategy: reference, markets, params, signals, modifiers, limits }: InstanceSettings,
  index: number,
  source: SettingsSource,
  tickUnitsOf: (market: MarketId) => number,
): Promise<QuotingInstance | Refused> {
  const judged = await judge({ reference, params, signals, modifiers, index, source });
  if ('problems' in judged) return judged;
  const tickUnits = new Map(markets.map((id) => [marketId(id), tickUnitsOf(marketId(id))]));
  const instance = new StrategyInstance({ name, ...judged, signals, tickUnits });
  return { instance, markets: markets.map(marketId), limits };
}

/**
 * What strategies do not accept of a file, whatever else is wrong with it.
 * @returns a problem for every strategy that cannot be loaded, and for every parameter that one does not accept
 */
export async function strategyProblems(source: SettingsSource): Promise<readonly Problem[]> {
  const found = WITH_INSTANCES.safeParse(source.value);
  const problems: Problem[] = [];
  for (const [index, one] of (found.data?.instances ?? []).entries()) {
    const instance = WITH_STRATEGY.safeParse(one);
    if (!instance.success) continue;
    const { strategy: reference, params, signals, modifiers } = instance.data;
    const judged = await judge({ reference, params, signals, modifiers, index, source });
    if ('problems' in judged) problems.push(...judged.problems);
  }
  return problems;
}

const WITH_INSTANCES = z.object({ instances: z.array(z.unknown()) });
const WITH_STRATEGY = z.object({
  strategy: z.string().min(1),
  params: z.record(z.string(), z.unknown()).default({}),
  signals: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  modifiers: z
    .array(z.object({ modifier: z.string(), params: z.record(z.string(), z.unknown()).default({}) }))
    .default([]),
});

interface Accepted {
  readonly strategy: AnyStrategy;
  readonly modifiers: readonly ModifierUse[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Refused {
  readonly problems: readonly Problem[];
}

interface Named {
  readonly reference: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signals: InstanceSettings['signals'];
  readonly modifiers: InstanceSettings['modifiers'];
  /** Of the instance in the file. */
  readonly index: number;
  readonly source: SettingsSource;
}

async function judge({
  reference,
  params,
  signals,
  modifiers,
  index,
  source,
}: Named): Promise<Accepted | Refused> {
  const place = ['instances', index] as const;
  const strategy = await loaded(loadStrategy(reference, source.file), [...place, 'strategy'], source);
  if ('message' in strategy) return { problems: [strategy] };
  const check = checkParameters(strategy.params, params);
  const problems = check.ok
    ? []
    : check.issues.map((issue) => problemOf(issue, [...place, 'params'], source));
  const uses: ModifierUse[] = [];
  for (const [at, use] of modifiers.entries()) {
    const there = [...place, 'modifiers', at] as const;
    const modifier = await loaded(loadModifier(use.modifier, source.file), [...there, 'modifier'], source);
    if ('message' in modifier) {
      problems.push(modifier);
      continue;
    }
    const checked = checkParameters(modifier.params, use.params);
    if (checked.ok) uses.push({ modifier, parameters: checked.values });
    else problems.push(...checked.issues.map((issue) => problemOf(issue, [...there, 'params'], source)));
  }
  if (uses.length > 0 && !('quote' in strategy))
    problems.push(source.problem([...place, 'modifiers'], NO_STREAM));
  if (!check.ok || problems.length > 0) return { problems };
  const declared = signalsOf(withModifiers(strategy, uses), check.values, signals);
  if (declared.ok) return { strategy, modifiers: uses, parameters: check.values };
  return { problems: declared.issues.map((issue) => signalProblem(issue, place, source)) };
}

/** Told where the file names the signal. */
function signalProblem(
  issue: ParameterIssue,
  place: readonly (string | number)[],
  source: SettingsSource,
): Problem {
  const [name = '', ...path] = issue.name.split('.');
  return source.problem([...place, 'signals', name, ...path], parameterText(issue));
}

const NO_STREAM = 'expected none: the strategy emits streams, and a modifier needs a function quote(context)';

const loaded = <Value>(
  loading: Promise<Value>,
  place: readonly (string | number)[],
  source: SettingsSource,
): Promise<Value | Problem> =>
  loading.catch((error: unknown) => {
    if (isProblem(error)) return source.problem(place, error.message);
    throw error;
  });

/** What another process would load is nothing that the file could mend. */
const isProblem = (error: unknown): error is UsageError =>
  error instanceof UsageError && !(error instanceof ChangedStrategyError);

/** At the line of the value: `bands[0].price` is a field of a row. */
function problemOf(
  issue: ParameterIssue,
  place: readonly (string | number)[],
  source: SettingsSource,
): Problem {
  const path = issue.name
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) && issue.name.includes(`[${part}]`) ? Number(part) : part));
  const key = path.at(-1);
  return typeof key === 'number'
    ? source.problem([...place, ...path], parameterText(issue))
    : source.problem([...place, ...path.slice(0, -1)], parameterText(issue), key);
}

/** What is wrong with a parameter, and what was expected. */
function parameterText({ found, expected, nearest }: ParameterIssue): string {
  if (nearest !== null) return `unknown parameter; did you mean ${nearest}?`;
  return `expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`;
}

/** What a command line says of strategies, laid over those of a file. */

export interface StrategyChoice {
  /** Bundled name, or a path from the working directory; null: those of the file. */
  readonly strategy: string | null;
  /** In place of the configured ones; besides them where the strategy is the file's. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Every instance quotes with what was chosen, in its markets and within its limits.
 * @throws UsageError which names the options: a strategy that cannot be loaded, parameters that one does not accept
 */
export async function withChoice(
  { settings, source }: Loaded<BotSettings>,
  { strategy, parameters }: StrategyChoice,
): Promise<BotSettings> {
  const chosen = strategy === null ? null : await chosenStrategy(strategy);
  const instances = settings.instances.map((one) =>
    strategy === null
      ? { ...one, params: { ...one.params, ...parameters } }
      : { ...one, strategy: fromHere(strategy), params: parameters },
  );
  for (const { strategy: reference, params } of Object.keys(parameters).length === 0 ? [] : instances)
    refuseUnfit(chosen ?? (await loadStrategy(reference, source.file)), params, parameters);
  return { ...settings, instances };
}

const chosenStrategy = (strategy: string): Promise<AnyStrategy> =>
  loadStrategy(fromHere(strategy), '').catch((error: unknown) => {
    throw error instanceof UsageError
      ? new UsageError(`--strategy ${strategy}: ${error.message}`, { cause: error })
      : error;
  });

/** What the file says wrongly is told with its place, by whoever reads the file. */
function refuseUnfit(
  strategy: AnyStrategy,
  params: Readonly<Record<string, unknown>>,
  given: StrategyChoice['parameters'],
): void {
  const check = checkParameters(strategy.params, params);
  if (check.ok) return;
  const texts = check.issues
    .filter(({ name }) => Object.hasOwn(given, name))
    .map((issue) => `--param ${issue.name}: ${parameterText(issue)} (${strategy.name})`);
  if (texts.length > 0) throw new UsageError(texts.join('\n'));
}
