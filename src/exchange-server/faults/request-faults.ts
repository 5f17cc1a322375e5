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
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { isPrivateChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import type { Connection } from '../realtime/session.js';

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
    private inForce: FaultPlan,
    private readonly random: Random,
  ) {
    this.schedule = faultSchedule(inForce, random);
  }

  get plan(): FaultPlan {
    return this.inForce;
  }

  /** All counts begin again. @throws RangeError when a rule cannot be; the old plan stays then */
  replace(plan: FaultPlan): void {
    this.schedule = faultSchedule(plan, this.random);
    this.inForce = plan;
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

const MICROS_PER_MS = 1_000;
/** A frame held back to be overtaken leaves after this long if nothing overtakes it. */
const OVERTAKING_MS = 1_000;

/** As much of a connection as faults act on. */
export type FrameTarget = Pick<Connection, 'send' | 'drop'>;

/** One frame on its way to one connection. */
interface Passage {
  readonly connection: FrameTarget;
  readonly frame: string;
  readonly ms: number | undefined;
}

type Effects = Readonly<Record<FrameFault, (passage: Passage) => void>>;

/** What the faults in force do to event frames. */
export class FrameFaults {
  /** Frames waiting to be overtaken. */
  private readonly held = new WeakMap<FrameTarget, string>();
  private readonly mutedUntil = new WeakMap<FrameTarget, number>();

  constructor(
    private readonly desk: FaultDesk,
    private readonly clock: Clock,
  ) {}

  /** Whether frames must pass here at all. */
  get active(): boolean {
    return this.desk.touchesFrames;
  }

  deliver(connection: FrameTarget, channel: string, frame: string): void {
    const rule = this.desk.ofFrame(channel);
    if (this.isMuted(connection, channel)) return;
    if (rule === null) this.pass(connection, frame);
    else this.effects[rule.kind]({ connection, frame, ms: rule.ms });
  }

  private readonly effects: Effects = {
    drop_ws: ({ connection }) => connection.drop('fault'),
    frame_lose: () => undefined,
    frame_dup: ({ connection, frame }) => {
      this.pass(connection, frame);
      connection.send(frame);
    },
    frame_delay: ({ connection, frame, ms = OVERTAKING_MS }) => this.later(ms, () => connection.send(frame)),
    frame_reorder: ({ connection, frame, ms = OVERTAKING_MS }) => {
      this.release(connection);
      this.held.set(connection, frame);
      this.later(ms, () => this.release(connection, frame));
    },
    mute_private: ({ connection, ms }) => {
      this.mutedUntil.set(connection, ms === undefined ? Infinity : this.clock.now() + ms * MICROS_PER_MS);
    },
  };

  /** Sends a frame, and behind it the one that waited to be overtaken. */
  private pass(connection: FrameTarget, frame: string): void {
    connection.send(frame);
    this.release(connection);
  }

  /** @param expected release this frame only */
  private release(connection: FrameTarget, expected?: string): void {
    const waiting = this.held.get(connection);
    if (waiting === undefined || (expected !== undefined && waiting !== expected)) return;
    this.held.delete(connection);
    connection.send(waiting);
  }

  private isMuted(connection: FrameTarget, channel: string): boolean {
    return isPrivateChannel(channel) && (this.mutedUntil.get(connection) ?? 0) > this.clock.now();
  }

  private later(ms: number, action: () => void): void {
    this.clock.at((this.clock.now() + ms * MICROS_PER_MS) as Micros, action);
  }
}
