/** What a command line says of strategies, laid over those of a file. */
import { UsageError } from '../../domain/errors.js';
import type { BotSettings, Loaded } from '../../settings/index.js';
import { checkParameters } from '../../core/strategy/parameters.js';
import type { AnyStrategy } from '../../core/strategy/registry.js';
import { parameterText } from './instances.js';
import { fromHere, loadStrategy } from './strategies.js';

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
