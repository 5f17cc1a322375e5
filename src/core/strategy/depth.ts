import { UsageError } from '../../domain/errors.js';
import { describeThrown } from './fault.js';
import type { AnyStrategy } from './registry.js';

/**
 * Levels a side that a strategy quotes at most; one where it does not say.
 * @param parameters as `checkParameters` returned them
 * @throws UsageError when what it says is no number of levels
 */
export function depthOf({ name, depth }: AnyStrategy, parameters: Readonly<Record<string, unknown>>): number {
  if (depth === undefined) return 1;
  const levels = said(name, () => depth(parameters as Parameters<typeof depth>[0]));
  if (Number.isInteger(levels) && levels >= 0) return levels;
  throw new UsageError(`strategy ${name}: depth(params) is to be a whole number of levels, not ${levels}`);
}

function said(name: string, ask: () => number): number {
  try {
    return ask();
  } catch (error) {
    throw new UsageError(`strategy ${name}: depth(params) threw ${describeThrown(error)}`, { cause: error });
  }
}
