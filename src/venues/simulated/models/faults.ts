/**
 * When a fault happens: rules as data, decided by a seed and the count of matches alone, so that a run with the
 * same plan and the same requests meets the same faults. What a fault does is the business of the wire.
 */
import type { Random } from '../../../core/ports/random.js';
import {
  type EndpointName,
  type Endpoint,
  ENDPOINTS,
  VERSION_PREFIX,
} from '../../futuur/protocol/rest/endpoints.js';
import { nearest } from '../../../domain/nearest.js';

/** Faults of one REST request. */
export const REQUEST_FAULTS = [
  'lose_answer',
  'delay',
  'error_before',
  'error_after',
  'rate_limit',
  'reset',
  'half_applied',
  'stale_book',
  'empty_list',
  'html_answer',
  'clock_skew',
  'slow_processing',
] as const;
export type RequestFault = (typeof REQUEST_FAULTS)[number];

/** Faults of one realtime frame on its way to one connection. */
export const FRAME_FAULTS = [
  'drop_ws',
  'frame_delay',
  'frame_dup',
  'frame_reorder',
  'frame_lose',
  'mute_private',
] as const;
export type FrameFault = (typeof FRAME_FAULTS)[number];

/** One rule. It fires on each match with a probability, on its n-th match (from 1), or on that with a probability. */
export interface FaultRule<Kind extends RequestFault | FrameFault = RequestFault | FrameFault> {
  /** `ws`, or a method (`*` is any) and a path, with or without version, whose `{...}` segments match anything. */
  readonly on: string;
  readonly kind: Kind;
  readonly probability?: number | undefined;
  readonly nth?: number | undefined;
  /** How long, where the kind takes a duration: milliseconds; `clock_skew` may be negative. */
  readonly ms?: number | undefined;
}

export interface FaultPlan {
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

export const NO_FAULTS: FaultPlan = { seed: 0, rules: [] };

/** The faults ahead, one decision per request or frame. */
export interface FaultSchedule {
  /** Whether any rule concerns frames; when none does, frames need no decision. */
  readonly touchesFrames: boolean;
  /**
   * Counts the request with every rule it matches.
   * @param path bare, without query: `/orders/17/cancel/`
   * @returns the first rule that fires, in the order of the plan, or null
   */
  ofRequest(method: string, path: string): FaultRule<RequestFault> | null;
  /** Counts one event frame to one connection. */
  ofFrame(channel: string): FaultRule<FrameFault> | null;
}

/**
 * @param random any stream; the schedule draws from its fork named after the plan's seed
 * @throws RangeError when a rule has a {@link faultProblem}
 */
export function faultSchedule(plan: FaultPlan, random: Random): FaultSchedule {
  const source = random.fork(`faults ${plan.seed}`);
  const frames: ArmedRule<FrameFault>[] = [];
  const requests: ArmedRequestRule[] = [];
  for (const [index, rule] of plan.rules.entries()) {
    const wrong = faultProblem(rule);
    if (wrong !== null) throw new RangeError(`fault rule ${index}: ${wrong.field}: ${wrong.message}`);
    const armed = { random: source.fork(`rule ${index}`), matches: 0 };
    const target = readTarget(rule.on);
    if (isFrameRule(rule)) frames.push({ ...armed, rule });
    else if (isRequestRule(rule) && target !== null) requests.push({ ...armed, rule, target });
  }
  return {
    touchesFrames: frames.length > 0,
    ofRequest: (method, path) => firing(requests, ({ target }) => matchesRequest(target, method, path)),
    ofFrame: (channel) => firing(frames, ({ rule }) => matchesFrame(rule, channel)),
  };
}

/** One field of a rule that cannot be, and what was expected there. */
export interface FaultProblem {
  readonly field: 'on' | 'kind' | 'probability' | 'nth' | 'ms';
  readonly message: string;
}

/** @returns the first thing that is wrong with the rule: also that it could never act; or null */
export const faultProblem = (rule: FaultRule): FaultProblem | null =>
  placeProblem(rule) ?? chanceProblem(rule) ?? durationProblem(rule);

function placeProblem(rule: FaultRule): FaultProblem | null {
  if (rule.on === FRAMES) return isFrameRule(rule) ? null : misplaced(rule, FRAME_FAULTS);
  const target = readTarget(rule.on);
  if (target === null)
    return problem('on', `expected ${FRAMES}, or a method and a path, found ${JSON.stringify(rule.on)}`);
  const endpoints = endpointsOf(target);
  if (endpoints.length === 0) return problem('on', unknownPlace(rule.on));
  const possible = REQUEST_FAULTS.filter((kind) => endpoints.some((name) => happensAt(kind, name)));
  return (possible as readonly string[]).includes(rule.kind) ? null : misplaced(rule, possible);
}

const misplaced = (rule: FaultRule, possible: readonly string[]): FaultProblem =>
  problem('kind', `${rule.kind} cannot happen on ${rule.on}, expected one of ${possible.join(', ')}`);

function unknownPlace(on: string): string {
  const guess = nearestTarget(on);
  const hint = guess === null ? 'expected method and path of an endpoint' : `did you mean ${guess}?`;
  return `the exchange answers no request ${on}; ${hint}`;
}

function chanceProblem({ probability, nth }: FaultRule): FaultProblem | null {
  if (probability === undefined && nth === undefined)
    return problem('probability', 'expected probability, nth, or both');
  if (probability !== undefined && !(probability >= 0 && probability <= 1))
    return problem('probability', `expected a number from 0 to 1, found ${probability}`);
  if (nth !== undefined && !(Number.isSafeInteger(nth) && nth > 0))
    return problem('nth', `expected a whole number from 1, found ${nth}`);
  return null;
}

function durationProblem({ kind, ms }: FaultRule): FaultProblem | null {
  if (kind === 'clock_skew')
    return Number.isSafeInteger(ms)
      ? null
      : problem('ms', 'expected by how many milliseconds the clock is wrong, below 0 when it is behind');
  return ms === undefined || (Number.isSafeInteger(ms) && ms >= 0)
    ? null
    : problem('ms', `expected milliseconds as an integer from 0, found ${ms}`);
}

const problem = (field: FaultProblem['field'], message: string): FaultProblem => ({ field, message });

const BATCHES: readonly EndpointName[] = ['batchCreate', 'batchUpdate', 'batchCancel'];

/** Kinds that not every endpoint can meet. */
const PLACES: Readonly<Partial<Record<RequestFault, readonly EndpointName[]>>> = {
  half_applied: BATCHES,
  stale_book: ['book'],
  empty_list: ['balances', 'orders', 'wagers', 'wagerActions', 'eventWagers', 'events'],
  slow_processing: ['createOrder', 'batchCreate', 'batchUpdate'],
};

const happensAt = (kind: RequestFault, name: EndpointName): boolean => PLACES[kind]?.includes(name) ?? true;

const isFrameRule = (rule: FaultRule): rule is FaultRule<FrameFault> =>
  (FRAME_FAULTS as readonly string[]).includes(rule.kind);
const isRequestRule = (rule: FaultRule): rule is FaultRule<RequestFault> =>
  (REQUEST_FAULTS as readonly string[]).includes(rule.kind);

interface ArmedRule<Kind extends RequestFault | FrameFault> {
  readonly rule: FaultRule<Kind>;
  readonly random: Random;
  matches: number;
}
interface ArmedRequestRule extends ArmedRule<RequestFault> {
  readonly target: RequestTarget;
}

/** A mute concerns private channels alone, so other frames do not count as its matches. */
const matchesFrame = (rule: FaultRule, channel: string): boolean =>
  rule.kind !== 'mute_private' || channel.startsWith('private-');

/** Every matching rule counts, fired or not, so that rules do not shift each other. */
function firing<Armed extends ArmedRule<RequestFault | FrameFault>>(
  rules: readonly Armed[],
  matches: (armed: Armed) => boolean,
): Armed['rule'] | null {
  let first: Armed['rule'] | null = null;
  for (const armed of rules) {
    if (matches(armed) && fires(armed)) first ??= armed.rule;
  }
  return first;
}

function fires(armed: ArmedRule<RequestFault | FrameFault>): boolean {
  armed.matches += 1;
  const { nth, probability } = armed.rule;
  const drawn = probability === undefined || armed.random.uniform() < probability;
  return drawn && (nth === undefined || armed.matches === nth);
}

/** Where a fault happens: requests of a method and a path, or frames. */

/** What a rule says instead of method and path when it is about frames. */
const FRAMES = 'ws';

/** Requests that a rule is about. */
export interface RequestTarget {
  /** In capitals; `*` is any. */
  readonly method: string;
  /** Of the bare path; those in braces stand for any one segment. */
  readonly segments: readonly string[];
}

const TARGET = /^([A-Za-z]+|\*) (\/\S*)$/;

/** @returns null when the text is not a method and a path */
function readTarget(on: string): RequestTarget | null {
  const [, method, path] = TARGET.exec(on) ?? [];
  if (method === undefined || path === undefined) return null;
  const bare = path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
  return { method: method.toUpperCase(), segments: segmentsOf(bare) };
}

function matchesRequest(target: RequestTarget, method: string, path: string): boolean {
  if (target.method !== '*' && target.method !== method) return false;
  const found = segmentsOf(path);
  return (
    found.length === target.segments.length &&
    target.segments.every((segment, index) => isAny(segment) || segment === found[index])
  );
}

/** Endpoints of which some request matches the target. */
const endpointsOf = ({ method, segments }: RequestTarget): readonly EndpointName[] =>
  NAMES.filter((name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const own = segmentsOf(endpoint.path);
    const isMethod = method === '*' || method === endpoint.method;
    return isMethod && own.length === segments.length && own.every((one, at) => fits(segments[at]!, one));
  });

/** The endpoint that a text which matches none most likely meant, as a rule would name it; null when none is close. */
const nearestTarget = (on: string): string | null => nearest(on, NAMES.map(targetText));

const targetText = (name: EndpointName): string =>
  `${ENDPOINTS[name].method} ${ENDPOINTS[name].path.replace(':id', '{id}')}`;

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isAny = (segment: string): boolean => segment.startsWith('{');

const fits = (segment: string, own: string): boolean =>
  isAny(segment) || (own === ':id' ? /^\d{1,15}$/.test(segment) : segment === own);
