/** Sizes of a configuration that its own limits refuse: no mistake of the file, but hardly what anybody meant. */
import type { EngineOptions, QuotingInstance } from '../../core/engine/options.js';
import { SHARE_ONE } from '../../domain/units.js';
import { describeProblem, type SettingsSource } from '../../settings/index.js';

/** How bundled strategies call the shares of one quote. */
const SIZE = 'shares';

/** @returns sentences with file, line and column, for people */
export const sizeRemarks = (
  { instances }: Pick<EngineOptions, 'instances'>,
  source: SettingsSource,
): readonly string[] =>
  instances.flatMap((instance, index) => {
    const message = refusedSize(instance);
    if (message === null) return [];
    const problem = source.problem(['instances', index, 'params'], message, SIZE);
    return [describeProblem(source.file, problem)];
  });

/** The first limit below the size; null when there is none, or the strategy states no size. */
function refusedSize({ instance, limits }: QuotingInstance): string | null {
  const size = instance.parameters[SIZE];
  const declared = instance.strategy.params[SIZE];
  if (typeof size !== 'number' || declared?.type !== 'number' || declared.unit !== 'shares') return null;
  for (const name of ['maxOrderShares', 'maxPositionShares'] as const) {
    const limit = limits[name] / SHARE_ONE;
    if (size > limit)
      return `quotes of ${size} shares are more than limits.${name} allows, which is ${limit}: risk control refuses them`;
  }
  return null;
}
