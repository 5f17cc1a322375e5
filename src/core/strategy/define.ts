import type { PlainJson, QuoteStrategy, StreamStrategy } from './contract.js';
import type { ParameterDeclarations } from './parameters.js';

/**
 * Declares a strategy. Types of `context.params` follow from `params`, the type of `context.state` from
 * `initialState`; without one the state is null.
 */
export function defineStrategy<const P extends ParameterDeclarations, S extends PlainJson = null>(
  strategy: QuoteStrategy<P, S>,
): QuoteStrategy<P, S> {
  return strategy;
}

/** Declares a strategy that maps a stream of contexts to a stream of intents. */
export function defineStreamStrategy<const P extends ParameterDeclarations>(
  strategy: StreamStrategy<P>,
): StreamStrategy<P> {
  return strategy;
}
