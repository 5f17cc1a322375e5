/**
 * When a fault happens: rules as data, decided by a seed and the count of matches alone, so that a run with the
 * same plan and the same requests meets the same faults. What a fault does is the business of the wire.
 */
import type { Random } from '../ports/random.js';
import { VERSION_PREFIX } from '../protocol/rest/endpoints.js';

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
    const problem = faultProblem(rule);
    if (problem !== null) throw new RangeError(`fault rule ${index}: ${problem}`);
    const armed = { random: source.fork(`rule ${index}`), matches: 0 };
    if (isFrameRule(rule)) frames.push({ ...armed, rule });
    else if (isRequestRule(rule)) requests.push({ ...armed, rule, target: readTarget(rule.on) });
  }
  return {
    touchesFrames: frames.length > 0,
    ofRequest: (method, path) => firing(requests, ({ target }) => matchesRequest(target, method, path)),
    ofFrame: (channel) => firing(frames, ({ rule }) => matchesFrame(rule, channel)),
  };
}

/** @returns what is wrong with the rule, or null */
export function faultProblem(rule: FaultRule): string | null {
  if (rule.on !== FRAMES && !TARGET.test(rule.on)) {
    return `on: expected ${FRAMES} or a method and a path, found ${rule.on}`;
  }
  const fits = rule.on === FRAMES ? isFrameRule(rule) : isRequestRule(rule);
  if (!fits) return `kind: ${rule.kind} cannot happen on ${rule.on}`;
  const { probability, nth } = rule;
  if (probability === undefined && nth === undefined) return 'expected probability, nth, or both';
  if (probability !== undefined && !(probability >= 0 && probability <= 1))
    return 'probability: expected 0 to 1';
  return nth === undefined || (Number.isSafeInteger(nth) && nth > 0)
    ? null
    : 'nth: expected a whole number from 1';
}

const FRAMES = 'ws';
const TARGET = /^([A-Za-z]+|\*) (\/\S*)$/;

const isFrameRule = (rule: FaultRule): rule is FaultRule<FrameFault> =>
  (FRAME_FAULTS as readonly string[]).includes(rule.kind);
const isRequestRule = (rule: FaultRule): rule is FaultRule<RequestFault> =>
  (REQUEST_FAULTS as readonly string[]).includes(rule.kind);

interface RequestTarget {
  readonly method: string;
  readonly segments: readonly string[];
}

interface ArmedRule<Kind extends RequestFault | FrameFault> {
  readonly rule: FaultRule<Kind>;
  readonly random: Random;
  matches: number;
}
interface ArmedRequestRule extends ArmedRule<RequestFault> {
  readonly target: RequestTarget;
}

function readTarget(on: string): RequestTarget {
  const [, method = '', path = ''] = TARGET.exec(on) ?? [];
  const bare = path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
  return { method: method.toUpperCase(), segments: segmentsOf(bare) };
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

function matchesRequest(target: RequestTarget, method: string, path: string): boolean {
  if (target.method !== '*' && target.method !== method) return false;
  const found = segmentsOf(path);
  return (
    found.length === target.segments.length &&
    target.segments.every((segment, index) => segment.startsWith('{') || segment === found[index])
  );
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
