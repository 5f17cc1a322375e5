/** Instances of strategies under test, and what they are shown besides their parameters and their memory. */
import { contextOf as wholeContextOf } from 'oddsmith/sdk/testing';
import { marketId } from '../../../src/domain/ids.js';
import type { ContextWithoutInstance } from '../../../src/core/strategy/context.js';
import { asStrategy } from '../../../src/core/strategy/registry.js';
import { checkParameters } from '../../../src/core/strategy/parameters.js';
import { StrategyInstance } from '../../../src/core/strategy/instance.js';
import { defineStrategy, NO_QUOTES } from '../../../src/core/strategy/sdk.js';

export const MARKET = marketId(2231);
export const OTHER_MARKET = marketId(2232);

const NOBODY = defineStrategy({ name: 'nobody', params: {}, quote: () => NO_QUOTES });

/** Fair value one half, nothing held, an empty book, unless stated otherwise. */
export function contextOf(changes: Partial<ContextWithoutInstance> = {}): ContextWithoutInstance {
  const { params: _params, state: _state, ...context } = wholeContextOf(NOBODY, changes);
  return context;
}

/** An instance that quotes both test markets. @throws Error naming what is wrong with the parameters */
export function instanceOf(
  loaded: unknown,
  parameters: Readonly<Record<string, unknown>> = {},
  tickUnits = 100,
): StrategyInstance {
  const strategy = asStrategy(loaded, 'test');
  const check = checkParameters(strategy.params, parameters);
  if (!check.ok) throw new Error(JSON.stringify(check.issues));
  return new StrategyInstance({
    name: 'tested',
    strategy,
    parameters: check.values,
    tickUnits: new Map([
      [MARKET, tickUnits],
      [OTHER_MARKET, tickUnits],
    ]),
  });
}
