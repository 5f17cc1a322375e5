import type { PlainJson, StrategyContext, StreamedIntent } from './contract.js';
import type { Faulty } from './fault.js';
import type { ParameterDeclarations } from './parameters.js';

export type AnyContext = StrategyContext<ParameterDeclarations, PlainJson>;

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
