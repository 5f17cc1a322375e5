import { UsageError } from '../../domain/errors.js';
import type { Strategy } from './contract.js';
import type { AnyModifier } from './modifiers.js';
import { checkParameters, type ParameterDeclaration } from './parameters.js';
import { copyPlain } from './plain-json.js';
import { checkSignals } from './signals/declared.js';
import { describeThrown } from './thrown.js';

/** A strategy whose parameter and state types have been forgotten, as registries and configuration see it. */
export type AnyStrategy = Strategy;

const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Whether a strategy or a modifier may be called so. */
export const isStrategyName = (name: string): boolean => KEBAB_CASE.test(name);

const PARAMETER_NAME = /^[a-z][a-zA-Z0-9]*$/;

/**
 * Checks that a value loaded from a file is a strategy whose declarations make sense.
 * @param origin where it came from, for the message
 * @throws UsageError saying what is missing
 */
export function asStrategy(value: unknown, origin: string): AnyStrategy {
  const problem = problemOf(value);
  if (problem !== null) throw new UsageError(`${origin}: ${problem}`);
  return value as AnyStrategy;
}

/**
 * Checks that a value loaded from a file is a modifier whose declarations make sense.
 * @throws UsageError saying what is missing
 */
export function asModifier(value: unknown, origin: string): AnyModifier {
  const found = (value ?? {}) as Partial<Record<keyof AnyModifier, unknown>>;
  const { name, params, signals, apply, stateVersion } = found;
  if (typeof name !== 'string' || !isStrategyName(name) || typeof apply !== 'function')
    throw new UsageError(
      `${origin}: expected a default export made by defineModifier({ name, params, apply })`,
    );
  const problem = !isVersion(stateVersion)
    ? WRONG_VERSION
    : isRecord(params)
      ? (problemOfParameters(params) ?? problemOfSignals(signals))
      : 'expected params made by param.*';
  if (problem !== null) throw new UsageError(`${origin}: ${problem}`);
  return value as AnyModifier;
}

type Candidate = Partial<
  Record<
    'name' | 'params' | 'scope' | 'depth' | 'signals' | 'quote' | 'streams' | 'initialState' | 'stateVersion',
    unknown
  >
>;

function problemOf(value: unknown): string | null {
  if (!isRecord(value)) return 'expected a default export made by defineStrategy({ name, params, quote })';
  const { name, params, scope, depth, signals, quote, streams, initialState, stateVersion }: Candidate =
    value;
  if (typeof name !== 'string' || !isStrategyName(name))
    return `expected a kebab-case name, found ${JSON.stringify(name) ?? 'nothing'}`;
  if (!isRecord(params)) return 'expected params, an object of declarations made by param.*';
  if ((typeof quote === 'function') === (typeof streams === 'function'))
    return 'expected either a function quote(context) or a function streams({ contexts, scheduler })';
  if (scope !== undefined && scope !== 'market' && scope !== 'event')
    return `expected scope, where it is given, to be market or event, found ${JSON.stringify(scope)}`;
  if (depth !== undefined && typeof depth !== 'function')
    return 'expected depth, where it is given, to be a function of the parameters';
  const memory = initialState === undefined ? null : copyPlain(initialState);
  if (memory?.ok === false) return `expected an initialState of plain JSON: ${memory.why}`;
  if (!isVersion(stateVersion)) return WRONG_VERSION;
  return problemOfParameters(params) ?? problemOfSignals(signals);
}

/** What a function gives is known once there are parameters. */
function problemOfSignals(signals: unknown): string | null {
  if (signals === undefined || typeof signals === 'function') return null;
  if (!isRecord(signals)) return 'expected signals, where they are given, to be an object of declarations';
  const check = checkSignals(signals);
  if (check.ok) return null;
  const { name, found, expected } = check.issues[0]!;
  return `signal ${name}: expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`;
}

const WRONG_VERSION = 'expected stateVersion, where it is given, to be a number or a text';
const isVersion = (version: unknown): boolean => ['undefined', 'number', 'string'].includes(typeof version);

/** @returns the first declaration that makes no sense, in words; null when all do */
function problemOfParameters(params: Readonly<Record<string, unknown>>): string | null {
  for (const [name, declaration] of Object.entries(params)) {
    if (!PARAMETER_NAME.test(name)) return `parameter ${name}: expected a camelCase name`;
    if (!isDeclaration(declaration))
      return `parameter ${name}: expected a declaration made by param.* (a choice lists its values: ['a', 'b'])`;
    const check = checkParameters({ [name]: declaration }, { [name]: declaration.default });
    if (!check.ok) {
      const { name: place, found, expected } = check.issues[0]!;
      return `parameter ${place}: its default ${String(found)} is not ${expected}`;
    }
  }
  return null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** What `param` makes; that the rest has the right types is the compiler's business. */
const isDeclaration = (value: unknown): value is ParameterDeclaration =>
  isRecord(value) &&
  ((value['type'] === 'number' && typeof value['min'] === 'number' && typeof value['max'] === 'number') ||
    (value['type'] === 'choice' && Array.isArray(value['values'])) ||
    (value['type'] === 'map' && isDeclaration(value['of'])) ||
    ((value['type'] === 'list' || value['type'] === 'record') &&
      isRecord(value['fields']) &&
      Object.values(value['fields']).every(isDeclaration)) ||
    value['type'] === 'switch');

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
