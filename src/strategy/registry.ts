import { UsageError } from '../domain/errors.js';
import type { Strategy } from './contract.js';

/** A strategy whose parameter and state types have been forgotten, as registries and configuration see it. */
export type AnyStrategy = Strategy;

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Checks that a value loaded from a file is a strategy.
 * @param origin where it came from, for the message
 * @throws UsageError saying what is missing
 */
export function asStrategy(value: unknown, origin: string): AnyStrategy {
  const problem = describeProblem(value);
  if (problem !== null) throw new UsageError(`${origin}: ${problem}`);
  return value as AnyStrategy;
}

function describeProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null)
    return 'expected a default export made by defineStrategy({ name, params, quote })';
  const candidate = value as Partial<Record<'name' | 'params' | 'quote' | 'streams', unknown>>;
  if (typeof candidate.name !== 'string' || !NAME.test(candidate.name))
    return `expected a kebab-case name, found ${JSON.stringify(candidate.name) ?? 'nothing'}`;
  if (typeof candidate.params !== 'object' || candidate.params === null)
    return 'expected params, an object of declarations made by param.*';
  if (typeof candidate.quote !== 'function' && typeof candidate.streams !== 'function')
    return 'expected a function quote(context) or streams(contexts, scheduler)';
  return null;
}
