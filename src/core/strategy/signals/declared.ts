/** How a declaration becomes a computation. */
import { nearest } from '../../../domain/nearest.js';
import {
  checkParameters,
  type ParameterDeclarations,
  type ParameterIssue,
  type ParameterValues,
} from '../parameters.js';
import type { Computation, SignalSources } from './computation.js';
import { type Kind, KINDS, type OF_ALL, type SignalDeclarations } from './kinds.js';
import { Jump } from './jump.js';
import { MarkOut } from './mark-out.js';
import { Microprice, OrderFlow, TakerFlow } from './touch.js';
import { LocalVolatility, SampledVolatility } from './volatility.js';

interface Declaring {
  readonly signals?: unknown;
}

/** The signals that a strategy or modifier declares with these parameters. */
export function declaredBy({ signals }: Declaring, parameters: Raw): SignalDeclarations {
  const declared: unknown = typeof signals === 'function' ? signals(parameters) : signals;
  return declared ?? {};
}

/** A signal with all of its parameters. */
export interface DeclaredSignal {
  readonly name: string;
  readonly required: boolean;
  /** Infinite: any age. */
  readonly maxAgeMs: number;
  /** Equal for signals that are computed alike. */
  readonly key: string;
  readonly open: (sources: SignalSources) => Computation;
}

export type SignalCheck =
  | { readonly ok: true; readonly signals: readonly DeclaredSignal[] }
  | { readonly ok: false; readonly issues: readonly ParameterIssue[] };

type Raw = Readonly<Record<string, unknown>>;

/**
 * Lays what a file says of signals over what a strategy declares, and completes it.
 * @param declared   by the strategy
 * @param configured by the file: other parameters of the same kind are kept
 */
export function checkSignals(declared: Readonly<Record<string, unknown>>, configured: Raw = {}): SignalCheck {
  const issues: ParameterIssue[] = [];
  const signals: DeclaredSignal[] = [];
  for (const name of new Set([...Object.keys(declared), ...Object.keys(configured)])) {
    const said = merged(declared[name], configured[name]);
    if (said === undefined) continue;
    const one = checkSignal(name, said);
    if ('issues' in one) issues.push(...one.issues);
    else signals.push(one);
  }
  return issues.length === 0 ? { ok: true, signals } : { ok: false, issues };
}

function merged(declared: unknown, configured: unknown): unknown {
  if (!isRecord(declared) || !isRecord(configured)) return configured === undefined ? declared : configured;
  const isOther = configured['kind'] !== undefined && configured['kind'] !== declared['kind'];
  return isOther ? configured : { ...declared, ...configured };
}

const NAME = /^[a-z][a-zA-Z0-9]*$/;

function checkSignal(
  path: string,
  said: unknown,
): DeclaredSignal | { readonly issues: readonly ParameterIssue[] } {
  // A signal of a modifier has the modifier's name in front.
  const name = path.slice(path.indexOf('.') + 1);
  const kinds = Object.keys(KINDS);
  if (!NAME.test(name)) return issue(path, path, 'a camelCase name');
  if (!isRecord(said)) return issue(path, said, `a signal with a kind: ${kinds.join(', ')}`);
  const { kind, ...raw } = said;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    const guess = typeof kind === 'string' ? nearest(kind, kinds) : null;
    const hint = guess === null ? '' : `; did you mean ${guess}?`;
    return issue(`${path}.kind`, kind, `one of ${kinds.join(', ')}${hint}`);
  }
  const check = checkParameters(KINDS[kind as Kind] as ParameterDeclarations, raw);
  if (!check.ok) return { issues: check.issues.map((one) => ({ ...one, name: `${path}.${one.name}` })) };
  const { required, maxAgeMs, ...params } = check.values as ParameterValues<typeof OF_ALL>;
  if (required && kind === 'markOut')
    return issue(
      `${path}.required`,
      true,
      'false: without quotes there are no fills, and without fills no mark-out',
    );
  const open = OPEN[kind as Kind] as (values: unknown, sources: SignalSources, name: string) => Computation;
  return {
    name: path,
    required,
    maxAgeMs: maxAgeMs === 0 ? Infinity : maxAgeMs,
    key: JSON.stringify([kind, params, ...(kind === 'external' ? [name] : [])]),
    open: (sources) => open(params, sources, name),
  };
}

const issue = (name: string, found: unknown, expected: string) => ({
  issues: [{ name, found, expected, nearest: null }],
});

const isRecord = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OPEN: {
  readonly [K in Kind]: (
    values: ParameterValues<(typeof KINDS)[K]>,
    sources: SignalSources,
    name: string,
  ) => Computation;
} = {
  volatility: ({ method, ...values }) =>
    method === 'local' ? new LocalVolatility(values) : new SampledVolatility({ ...values, method }),
  microprice: ({ levels }) => new Microprice(levels),
  orderFlow: ({ halfLifeMs }) => new OrderFlow(halfLifeMs),
  takerFlow: ({ halfLifeMs }, { prints }) => new TakerFlow(halfLifeMs, prints),
  markOut: (values) => new MarkOut(values),
  jump: (values) => new Jump(values),
  external: (_values, { outside }, name) => ({
    look: () => undefined,
    read: (nowMs) => {
      const told = outside(name);
      // The clock of its source may be ahead.
      return told === null ? null : { ...told, atMs: Math.min(told.atMs ?? nowMs, nowMs) };
    },
    dueMs: null,
  }),
};
