/** Parameters of an instance and of its modifiers, and what depends on them. */
import type { ParameterChange } from '../../domain/inputs.js';
import { type ModifierUse, withModifiers } from './modifiers.js';
import {
  changedParameters,
  checkParameters,
  type ParameterDeclarations,
  type ParameterDifference,
  type ParameterIssue,
} from './parameters.js';
import type { AnyStrategy } from './registry.js';
import { checkSignals, type DeclaredSignal, declaredBy, type SignalCheck } from './signals/declared.js';
import { describeThrown } from './thrown.js';

/** What would come of a change of parameters. */
export interface JudgedChange {
  /** Empty: it may be made. */
  readonly issues: readonly ParameterIssue[];
  readonly differences: readonly ParameterDifference[];
  /** What the instance would be; as it is where there are issues. */
  readonly next: Tuned;
}

/** What parameters determine of an instance. */
export interface Tuned {
  readonly values: Readonly<Record<string, unknown>>;
  readonly uses: readonly ModifierUse[];
  readonly strategy: AnyStrategy;
  readonly declared: readonly DeclaredSignal[];
}

interface ChangedPart {
  readonly declarations: ParameterDeclarations;
  readonly now: Readonly<Record<string, unknown>>;
  readonly given: Readonly<Record<string, unknown>>;
  readonly prefix: string;
}

function judgedPart({ declarations, now, given, prefix }: ChangedPart) {
  const check = checkParameters(declarations, { ...now, ...given });
  if (!check.ok) {
    const issues = check.issues.map((issue) => ({ ...issue, name: prefix + issue.name }));
    return { issues, differences: [], values: now };
  }
  const differences = changedParameters(declarations, now, check.values, prefix);
  const issues = differences.flatMap(({ name, after, live }) => (live ? [] : [notLive(name, after)]));
  return { issues, differences, values: check.values };
}

const notLive = (name: string, found: unknown): ParameterIssue => ({
  name,
  found,
  expected: 'no change while running: this parameter is read at the start only',
  nearest: null,
});

/**
 * What would come of a change of parameters while running, which only those declared `live` allow.
 * @param plain without modifiers
 * @param configured what the file says of signals
 */
export function judgeChange(
  plain: AnyStrategy,
  now: Tuned,
  configured: Readonly<Record<string, unknown>>,
  { params, modifiers }: Omit<ParameterChange, 'instance'>,
): JudgedChange {
  const parts = [
    { declarations: plain.params, now: now.values, given: params, prefix: '' },
    ...now.uses.map(({ modifier, parameters }, at) => ({
      declarations: modifier.params,
      now: parameters,
      given: modifiers[at] ?? {},
      prefix: `${modifier.name}.`,
    })),
  ].map(judgedPart);
  const issues = parts.flatMap((part) => part.issues);
  const differences = parts.flatMap((part) => part.differences);
  if (issues.length > 0) return { issues, differences, next: now };
  const [values = {}, ...others] = parts.map((part) => part.values);
  const uses = now.uses.map(({ modifier }, at) => ({ modifier, parameters: others[at]! }));
  const strategy = withModifiers(plain, uses);
  const signals = signalsOf(strategy, values, configured);
  if (!signals.ok) return { issues: signals.issues, differences, next: now };
  return { issues, differences, next: { values, uses, strategy, declared: signals.signals } };
}

/** The signals of a strategy with these parameters, changed by what the file says of them. */
export function signalsOf(
  strategy: AnyStrategy,
  parameters: Readonly<Record<string, unknown>>,
  configured: Readonly<Record<string, unknown>>,
): SignalCheck {
  try {
    return checkSignals(declaredBy(strategy, parameters), configured);
  } catch (error) {
    const expected = `a function of the parameters, which threw ${describeThrown(error)}`;
    return { ok: false, issues: [{ name: 'signals', found: null, expected, nearest: null }] };
  }
}
