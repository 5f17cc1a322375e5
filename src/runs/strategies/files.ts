import type { BotSettings } from '../../settings/index.js';
import type { StrategyFile } from '../../storage/index.js';
import { strategyFile } from './strategies.js';
import { strategyHash } from './hash.js';

/** The file of each instance's strategy with its hash. @throws UsageError when one cannot be found */
export const strategyFilesOf = (
  settings: Pick<BotSettings, 'instances'>,
  relativeTo: string,
): readonly StrategyFile[] =>
  settings.instances.map(({ name, strategy }) => {
    const file = strategyFile(strategy, relativeTo);
    return { instance: name, strategy, file, sha256: strategyHash(file) };
  });
