import { marketId, type MarketId } from '../domain/ids.js';
import type { QuotingInstance } from '../engine/options.js';
import { type BotSettings, type Problem, SettingsError, type SettingsSource } from '../settings/index.js';
import { StrategyInstance } from '../strategy/instance.js';
import { checkParameters, type ParameterIssue } from '../strategy/parameters.js';
import { loadStrategy } from './strategies.js';

/**
 * Loads the strategies of the configuration and checks their parameters.
 * @param tickUnitsOf price units per tick of a market
 * @throws SettingsError naming the place of every parameter that is not accepted
 * @throws UsageError for a strategy that cannot be found
 */
export async function checkInstances(
  settings: BotSettings,
  source: SettingsSource,
  tickUnitsOf: (market: MarketId) => number,
): Promise<readonly QuotingInstance[]> {
  const problems: Problem[] = [];
  const instances: QuotingInstance[] = [];
  for (const [index, configured] of settings.instances.entries()) {
    const strategy = await loadStrategy(configured.strategy, source.file);
    const check = checkParameters(strategy.params, configured.params);
    if (!check.ok) {
      problems.push(...check.issues.map((issue) => problemOf(issue, index, source)));
      continue;
    }
    instances.push({
      instance: new StrategyInstance({
        name: configured.name,
        strategy,
        parameters: check.values,
        tickUnits: new Map(configured.markets.map((id) => [marketId(id), tickUnitsOf(marketId(id))])),
      }),
      markets: configured.markets.map(marketId),
      limits: configured.limits,
    });
  }
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return instances;
}

function problemOf(issue: ParameterIssue, index: number, source: SettingsSource): Problem {
  const { name, found, expected, nearest } = issue;
  const message =
    nearest === null
      ? `expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`
      : `unknown parameter; did you mean ${nearest}?`;
  return source.problem(['instances', index, 'params'], message, name);
}
