/** Everything a run's engine was made of, as plain JSON: with the inputs it determines every decision. */
import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Random } from '../../core/ports/random.js';
import type { RiskLimits } from '../../core/risk/index.js';
import type { StrategyInstance } from '../../core/strategy/instance.js';

/** An instance without its code: that is a file, which the head names with its hash. */
export interface InstanceStart {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly markets: readonly MarketId[];
  readonly limits: RiskLimits;
}

/** Options that JSON can hold once maps are lists of their entries. */
type Plain = Omit<EngineOptions, 'instances' | 'random'>;
type Entries<Value> =
  Value extends ReadonlyMap<infer Key, infer Item>
    ? { readonly $entries: readonly (readonly [Key, Item])[] }
    : Value;

export type EngineStart = { readonly [Name in keyof Plain]: Entries<Plain[Name]> } & {
  readonly startedAt: Micros;
  /** Seed of the engine's own chance. */
  readonly engineSeed: number;
  readonly instances: readonly InstanceStart[];
};

/** What has to be made anew: instances and chance keep a state of their own. */
export interface Remade {
  readonly random: Random;
  /** In the order of {@link EngineStart.instances}. */
  readonly instances: readonly StrategyInstance[];
}

/** What a tape has to say of an engine, so that it can be made again. @param engineSeed of its own chance */
export function engineStartOf(options: EngineOptions, startedAt: Micros, engineSeed: number): EngineStart {
  const { instances, random: _random, ...plain } = options;
  const starts = instances.map(({ instance, markets, limits }): InstanceStart => ({
    name: instance.name,
    parameters: instance.parameters,
    markets,
    limits,
  }));
  const written = mapped(plain, withEntries) as Omit<EngineStart, 'startedAt' | 'engineSeed' | 'instances'>;
  return { ...written, startedAt, engineSeed, instances: starts };
}

/** The way back. */
export function engineOptionsFrom(start: EngineStart, { random, instances }: Remade): EngineOptions {
  const { startedAt: _startedAt, engineSeed: _engineSeed, instances: starts, ...plain } = start;
  return {
    ...(mapped(plain, withMap) as Plain),
    instances: starts.map(({ markets, limits }, index) => ({ instance: instances[index]!, markets, limits })),
    random,
  };
}

const mapped = (members: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

const withEntries = (value: unknown): unknown => (value instanceof Map ? { $entries: [...value] } : value);

const withMap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$entries' in value
    ? new Map(value.$entries as readonly (readonly [unknown, unknown])[])
    : value;
