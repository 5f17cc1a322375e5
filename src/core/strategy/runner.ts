import type { PlainJson, StrategyContext, StreamedIntent } from './contract.js';
import type { Faulty } from './fault.js';
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
    get nowMs() {
      return context.nowMs;
    },
    params,
    state,
    random,
  };
}

/** What a strategy answered in one step, unchecked. */
export type Answered = { readonly ok: true; readonly intents: readonly StreamedIntent[] } | Faulty;

/** How the two forms of a strategy are run. Both answer synchronously; what they throw is the caller's to guard. */
export interface Runner {
  run(context: AnyContext): Answered;
  /** Lets time pass. */
  advance(nowMs: number): Answered;
  /** When it wants to be woken; null when it does not. */
  nextDueMs(): number | null;
  close(): void;
}
