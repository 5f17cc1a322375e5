/** The engine of a recorded run, made again from what its tape says it was made of. */
import { marketId } from '../../domain/ids.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { StrategyInstance } from '../../core/strategy/instance.js';
import {
  engineOptionsFrom,
  type EngineStart,
  type HeadRecord,
  type StrategyFile,
} from '../../storage/index.js';
import { UsageError } from '../../domain/errors.js';
import { loadStrategy, strategyFile } from '../strategies/strategies.js';
import { strategyHash } from '../strategies/hash.js';

export interface Remade {
  readonly options: EngineOptions;
  /** Strategies whose files are not what they were: a difference may come from there. */
  readonly changed: readonly string[];
}

/** @throws UsageError when a strategy cannot be found any more */
export async function remakeEngine(head: HeadRecord, start: EngineStart): Promise<Remade> {
  const changed: string[] = [];
  const instances: StrategyInstance[] = [];
  for (const { name, parameters, markets } of start.instances) {
    const source = head.strategies.find(({ instance }) => instance === name);
    if (source === undefined) throw new UsageError(`the tape does not say which strategy ${name} ran`);
    const file = strategyFile(referenceTo(source), '');
    if (strategyHash(file) !== source.sha256) changed.push(`${source.strategy} (${file})`);
    const tickUnits = new Map(markets.map((id) => [id, tickUnitsOf(start, id)]));
    instances.push(
      new StrategyInstance({
        name,
        strategy: await loadStrategy(referenceTo(source), ''),
        parameters,
        tickUnits,
      }),
    );
  }
  const options = engineOptionsFrom(start, { instances, random: seededRandom(start.engineSeed) });
  return { options, changed: [...new Set(changed)] };
}

/** A bundled strategy is found by its name wherever the program is; a file of one's own where it was. */
const isOwn = ({ strategy, file }: StrategyFile): boolean =>
  strategy.includes('/') || file.endsWith(strategy);

const referenceTo = (source: StrategyFile): string => (isOwn(source) ? source.file : source.strategy);

function tickUnitsOf({ events }: EngineStart, id: number): number {
  const market = events.flatMap((event) => event.markets).find((one) => one.id === marketId(id));
  if (market === undefined) throw new UsageError(`the tape does not describe market ${id}`);
  return market.tickUnits;
}
