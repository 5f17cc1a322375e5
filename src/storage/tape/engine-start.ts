/** Everything a run's engine was made of, as plain JSON: with the inputs it determines every decision. */
import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Random } from '../../core/ports/random.js';
import { NO_CAUTIONS, NO_WINDOWS, type RiskLimits } from '../../core/risk/index.js';
import type { StrategyInstance } from '../../core/strategy/instance.js';

/** An instance without its code: that is a file, which the head names with its hash. */
export interface InstanceStart {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly markets: readonly MarketId[];
  readonly limits: RiskLimits;
}

/** What is as it stands in JSON once maps are lists of their entries. */
type Plain = Omit<EngineOptions, 'instances' | 'random'>;
type Entries<Value> =
  Value extends ReadonlyMap<infer Key, infer Item>
    ? { readonly $entries: readonly (readonly [Key, Item])[] }
    : Value;

/**
 * A tape made before exhaustive events, what events are about, cautions, some of them, windows, what ended, what was
 * spent or the venue's time were kept names none.
 */
type Written = Omit<
  Plain,
  'exhaustive' | 'underlyings' | 'cautions' | 'windows' | 'ended' | 'spending' | 'callsBefore' | 'venueAhead'
> & {
  readonly exhaustive?: Plain['exhaustive'];
  readonly underlyings?: Plain['underlyings'];
  readonly cautions?: Partial<Plain['cautions']>;
  readonly windows?: Plain['windows'];
  readonly ended?: Plain['ended'];
  readonly spending?: Plain['spending'];
  readonly callsBefore?: number;
  readonly venueAhead?: number;
};

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
  const said = mapped(plain, withEntries) as Omit<EngineStart, 'startedAt' | 'engineSeed' | 'instances'>;
  return { ...said, startedAt, engineSeed, instances: starts };
}

/** The way back. */
export function engineOptionsFrom(start: EngineStart, { random, instances }: Remade): EngineOptions {
  const { startedAt: _startedAt, engineSeed: _engineSeed, instances: starts, ...plain } = start;
  const written = mapped(plain, withMap) as Written;
  return {
    ...written,
    exhaustive: written.exhaustive ?? [],
    underlyings: written.underlyings ?? new Map(),
    cautions: { ...NO_CAUTIONS, ...written.cautions },
    windows: written.windows ?? NO_WINDOWS,
    ended: written.ended ?? [],
    spending: written.spending ?? null,
    callsBefore: written.callsBefore ?? 1,
    venueAhead: written.venueAhead ?? 0,
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
