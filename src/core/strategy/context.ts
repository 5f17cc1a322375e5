import type { EventContext, PlainJson, StrategyContext } from './contract.js';
import type { ParameterDeclarations } from './parameters.js';

export type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

/** What an instance is shown; its parameters and its memory it adds itself. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

/** The object that properties are read from when they are asked for. */
const SOURCE = Symbol('source');

type Lazy<T> = { readonly [SOURCE]: T };

/**
 * Gives the object properties that its source works out when they are asked for. They are its own, so that they are there in
 * a copy, too.
 * @param getters shared by all objects of the kind
 */
export function lazily<Made extends object, Source extends object, Key extends keyof Source>(
  made: Made,
  source: Source,
  getters: Getters<Source, Key>,
): Made & Pick<Source, Key> {
  const lazy = made as Made & Pick<Source, Key> & { [SOURCE]: Source };
  lazy[SOURCE] = source;
  for (const [key, getter] of getters) Reflect.defineProperty(lazy, key, getter);
  return lazy;
}

export type Getters<Source, Key extends keyof Source> = readonly (readonly [Key, PropertyDescriptor])[];

export const gettersOf = <Source, Key extends keyof Source>(keys: readonly Key[]): Getters<Source, Key> =>
  keys.map((key) => [
    key,
    {
      get(this: Lazy<Source>) {
        return this[SOURCE][key];
      },
      enumerable: true,
    },
  ]);

/** What a context works out only when it is asked for: noticing that somebody asks, or because it takes long. */
const LAZY_KEYS = ['event', 'nowMs', 'room'] as const;
export type LazyKey = (typeof LAZY_KEYS)[number];

/** Names what a context works out when it is asked for; without it a context has everything. */
export const LAZY = Symbol('lazy');

const GETTERS = Object.fromEntries(gettersOf<ContextWithoutInstance, LazyKey>(LAZY_KEYS)) as Record<
  LazyKey,
  PropertyDescriptor
>;

type Source = ContextWithoutInstance & { readonly [LAZY]?: ReadonlySet<LazyKey> };

/** Adds what may be worked out later. */
function completed<Made extends object>(made: Made, context: Source): Made & Pick<AnyContext, LazyKey> {
  const lazy = context[LAZY] ?? NOTHING;
  const whole = made as Made & { -readonly [Key in LazyKey]: AnyContext[Key] } & {
    [SOURCE]?: Source;
    [LAZY]?: ReadonlySet<LazyKey>;
  };
  if (lazy.size > 0) {
    whole[SOURCE] = context;
    whole[LAZY] = lazy;
  }
  if (lazy.has('event')) Reflect.defineProperty(whole, 'event', GETTERS.event);
  else whole.event = context.event;
  if (lazy.has('nowMs')) Reflect.defineProperty(whole, 'nowMs', GETTERS.nowMs);
  else whole.nowMs = context.nowMs;
  if (lazy.has('room')) Reflect.defineProperty(whole, 'room', GETTERS.room);
  else whole.room = context.room;
  return whole;
}

const NOTHING: ReadonlySet<LazyKey> = new Set();

/** The context with parameters, memory and own signals. Who asks for the time is asked again every second. */
export function contextFor<P, S>(context: Source, params: P, state: S, signals = context.signals) {
  const { market, book, inventory, working, fair, fills, trades, random, log } = context;
  const made = {
    market,
    book,
    inventory,
    working,
    fair,
    signals,
    fills,
    trades,
    params,
    state,
    random,
    log,
  };
  return completed(made, context);
}

/** The context of one outcome for a strategy of the whole event. */
export function outcomeFor(context: Source): ContextWithoutInstance {
  const { market, book, inventory, working, fair, signals, fills, trades, random, log } = context;
  return completed({ market, book, inventory, working, fair, signals, fills, trades, random, log }, context);
}

/** An event as its strategy is shown it, without what its instance adds. */
export type EventWithoutInstance = Omit<EventContext<ParameterDeclarations, PlainJson>, 'params' | 'state'>;

/** As {@link contextFor}, of a whole event. */
export function eventContextFor<P, S>(context: EventWithoutInstance, params: P, state: S) {
  const { event, markets, random, log } = context;
  return {
    event,
    markets,
    get nowMs() {
      return context.nowMs;
    },
    params,
    state,
    random,
    log,
  };
}
