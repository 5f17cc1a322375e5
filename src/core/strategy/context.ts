import type { EventContext, PlainJson, StrategyContext } from './contract.js';
import type { ParameterDeclarations } from './parameters.js';

export type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

/** What an instance is shown; its parameters and its memory it adds itself. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

/** The context that another was made from. */
const SOURCE = Symbol('source');

type Made = { readonly [SOURCE]: ContextWithoutInstance };

/**
 * What is worked out only when it is asked for. One function for all contexts: a getter of its own would make each of them an
 * object that is slow to read.
 */
const NOW = {
  get(this: Made): number {
    return this[SOURCE].nowMs;
  },
  enumerable: true,
};
const ROOM = {
  get(this: Made): AnyContext['room'] {
    return this[SOURCE].room;
  },
  enumerable: true,
};

/** The context with parameters, memory and own signals. Who asks for the time is asked again every second. */
export function contextFor<P, S>(
  context: ContextWithoutInstance,
  params: P,
  state: S,
  signals = context.signals,
) {
  const { market, event, book, inventory, working, fair, fills, trades, random, log } = context;
  const made = {
    market,
    event,
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
    [SOURCE]: context,
  };
  Object.defineProperty(made, 'nowMs', NOW);
  return Object.defineProperty(made, 'room', ROOM) as typeof made & Pick<AnyContext, 'nowMs' | 'room'>;
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
