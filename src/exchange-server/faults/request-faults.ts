/** What the faults in force do to requests and answers; the rest of a request knows nothing of them. */
import {
  type FaultRule,
  type RequestFault,
  type FaultPlan,
  type FaultSchedule,
  type FrameFault,
  faultSchedule,
} from '../../venues/simulated/models/faults.js';
import { Answer, refused, refusedForNow } from '../http/answer.js';
import type { Random } from '../../core/ports/random.js';

/** The connection ends without an answer. */
export const RESET = 'reset';

/** What becomes of a request in the end. */
export type Delivery = typeof RESET | { readonly answer: Answer; readonly delayMs: number };

type Rule = FaultRule<RequestFault>;

const MS_PER_SECOND = 1_000;
const DELAY_MS = 1_000;
const RETRY_AFTER_MS = 1_000;

/** Faults that strike before the request is even read. @returns null when it is to be served */
export function struckBefore(rule: Rule | null): Answer | typeof RESET | null {
  return rule === null ? null : (BEFORE[rule.kind]?.(rule) ?? null);
}

/** Faults that strike when the request has taken its effect. */
export function deliveryOf(answer: Answer, rule: Rule | null): Delivery {
  const strike = rule === null ? undefined : AFTER[rule.kind];
  return rule === null || strike === undefined ? { answer, delayMs: 0 } : strike(answer, rule);
}

/** Milliseconds by which the service's clock is wrong for this request. */
export const clockSkewMs = (rule: Rule | null): number => (rule?.kind === 'clock_skew' ? (rule.ms ?? 0) : 0);

const BEFORE: Readonly<Partial<Record<RequestFault, (rule: Rule) => Answer | typeof RESET>>> = {
  reset: () => RESET,
  error_before: () => refused('InternalError'),
  rate_limit: ({ ms = RETRY_AFTER_MS }) => refusedForNow(Math.ceil(ms / MS_PER_SECOND)),
};

const at = (answer: Answer, delayMs = 0): Delivery => ({ answer, delayMs });

const AFTER: Readonly<Partial<Record<RequestFault, (answer: Answer, rule: Rule) => Delivery>>> = {
  lose_answer: () => RESET,
  delay: (answer, { ms = DELAY_MS }) => at(answer, ms),
  error_after: () => at(refused('InternalError')),
  html_answer: () => at(new Answer(200, HTML_PAGE, {}, 'text/html; charset=utf-8')),
  empty_list: (answer) => at(emptied(answer)),
};

const HTML_PAGE = '<!doctype html><title>Welcome</title><p>This page is not what was asked for.</p>';

/** The same listing with nothing in it; an answer that lists nothing stays as it is. */
function emptied(answer: Answer): Answer {
  const body: unknown = answer.status === 200 ? JSON.parse(answer.text) : null;
  if (Array.isArray(body)) return new Answer(200, '[]');
  return isPage(body) ? new Answer(200, JSON.stringify(withoutResults(body))) : answer;
}

interface PageBody {
  readonly pagination: object;
  readonly results: readonly unknown[];
}

const isPage = (body: unknown): body is PageBody =>
  typeof body === 'object' && body !== null && 'pagination' in body && 'results' in body;

const withoutResults = ({ pagination }: PageBody): object => ({
  pagination: { ...pagination, total: 0, next: null, previous: null },
  results: [],
});

/** The faults in force: the plan of the configuration until an administrator replaces it. */
export class FaultDesk {
  private schedule: FaultSchedule;

  /** @throws RangeError when a rule cannot be */
  constructor(
    plan: FaultPlan,
    private readonly random: Random,
  ) {
    this.schedule = faultSchedule(plan, random);
  }

  /** All counts begin again. @throws RangeError when a rule cannot be; the old plan stays then */
  replace(plan: FaultPlan): void {
    this.schedule = faultSchedule(plan, this.random);
  }

  get touchesFrames(): boolean {
    return this.schedule.touchesFrames;
  }

  ofRequest(method: string, path: string): FaultRule<RequestFault> | null {
    return this.schedule.ofRequest(method, path);
  }

  ofFrame(channel: string): FaultRule<FrameFault> | null {
    return this.schedule.ofFrame(channel);
  }
}
