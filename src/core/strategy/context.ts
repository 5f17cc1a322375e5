import type { PlainJson, StrategyContext } from './contract.js';
import type { ParameterDeclarations } from './parameters.js';

export type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

/** What an instance is shown; its parameters and its memory it adds itself. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

/** The context with parameters and memory. The time is read only when it is asked for: who asks is asked again every second. */
export function contextFor<P, S>(context: ContextWithoutInstance, params: P, state: S) {
  const { market, event, book, inventory, working, fair, random } = context;
  return {
    market,
    event,
    book,
    inventory,
    working,
    fair,
    get room() {
      return context.room;
    },
    get nowMs() {
      return context.nowMs;
    },
    params,
    state,
    random,
  };
}
