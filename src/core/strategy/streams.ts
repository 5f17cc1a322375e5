import { Subject, Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs';
import type { Side } from '../../domain/vocabulary.js';
import type { StreamedIntent } from './contract.js';
import { type Faulty, faulty } from './fault.js';
import { describeThrown } from './thrown.js';
import type { AnyStrategy } from './registry.js';
import type { AnyContext } from './context.js';

/** A ladder of one market, unchecked. */
export interface AnsweredIntent extends StreamedIntent {
  /** The side that is to trade at once; of event strategies alone. */
  readonly take?: Side;
}

/** What a strategy answered in one step, unchecked. */
export type Answered = { readonly ok: true; readonly intents: readonly AnsweredIntent[] } | Faulty;

/** How the two forms of a strategy are run. Both answer synchronously; what they throw is the caller's to guard. */
export interface Runner {
  run(context: AnyContext, nowMs: number): Answered;
  /** Lets time pass. */
  advance(nowMs: number): Answered;
  /** When it wants to be woken; null when it does not. */
  nextDueMs(): number | null;
  close(): void;
}

/** Runs a stream inside the steps of the engine: what it emits meanwhile is its answer. */
export class StreamRunner implements Runner {
  private readonly contexts = new Subject<AnyContext>();
  private readonly scheduler = new StreamScheduler();
  private subscription: Subscription | null = null;
  private emitted: StreamedIntent[] = [];
  private ended: Faulty | null = null;
  private isRunning = false;

  constructor(private readonly strategy: Extract<AnyStrategy, { streams: unknown }>) {}

  run(context: AnyContext, nowMs: number): Answered {
    return this.step(nowMs, () => this.contexts.next(context));
  }

  advance(nowMs: number): Answered {
    return this.step(nowMs, () => undefined);
  }

  nextDueMs(): number | null {
    return this.scheduler.nextDueMs();
  }

  close(): void {
    this.subscription?.unsubscribe();
  }

  /** Time first: what was due before this context is older than it. */
  private step(nowMs: number, push: () => void): Answered {
    this.isRunning = true;
    try {
      this.scheduler.advanceTo(nowMs);
      this.subscription ??= this.subscribe();
      push();
      this.scheduler.advanceTo(nowMs);
    } finally {
      this.isRunning = false;
    }
    if (this.ended !== null) return this.ended;
    // No more than these: a stream takes nothing.
    const intents = this.emitted.map(({ marketId, ladder }) => ({ marketId, ladder }));
    this.emitted = [];
    return { ok: true, intents };
  }

  private subscribe(): Subscription {
    const { contexts, scheduler } = this;
    return this.strategy.streams({ contexts: contexts.asObservable(), scheduler }).subscribe({
      next: (intent) => this.take(intent),
      // Rx would report an unhandled error on another turn of the event loop; it belongs to this step.
      error: (error: unknown) => this.end(faulty('threw', describeThrown(error))),
      complete: () => this.end(faulty('completed', 'its stream completed')),
    });
  }

  private take(intent: StreamedIntent): void {
    if (this.isRunning) this.emitted.push(intent);
    else
      this.end(faulty('outside-step', 'its stream emitted outside of a step; give operators the scheduler'));
  }

  /** The first end is the cause. */
  private end(ended: Faulty): void {
    this.ended ??= ended;
  }
}

/** More actions than this at one point in time mean a timer that comes due again at once, for ever. */
const MOST_AT_ONCE = 10_000;

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/**
 * The engine's clock as an Rx scheduler: time stands still inside a step and moves only when the engine says so,
 * so that stream strategies are as reproducible as the inputs. Unlike Rx's own virtual scheduler it may run for
 * years: a repeating action is one object and not a growing chain.
 */
export class StreamScheduler implements SchedulerLike {
  /** By due time, then in the order in which they were scheduled. */
  private readonly agenda: Entry[] = [];
  private nowMs = 0;

  now(): number {
    return this.nowMs;
  }

  schedule<T>(work: Work<T>, delayMs = 0, state?: T): Subscription {
    return new TimedAction(this, work).schedule(state, delayMs);
  }

  /**
   * Runs everything due up to the given time and leaves the clock there. An earlier time moves nothing.
   * @throws what an action throws
   */
  advanceTo(nowMs: number): void {
    let ranAtOnce = 0;
    for (let next = this.agenda[0]; next !== undefined && next.dueMs <= nowMs; next = this.agenda[0]) {
      ranAtOnce = next.dueMs > this.nowMs ? 0 : ranAtOnce + 1;
      if (ranAtOnce > MOST_AT_ONCE) throw new RangeError(`more than ${MOST_AT_ONCE} timers were due at once`);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.agenda.shift();
      next.run();
    }
    this.nowMs = Math.max(this.nowMs, nowMs);
  }

  /** When the next scheduled action is due, in milliseconds; null when nothing is scheduled. */
  nextDueMs(): number | null {
    return this.agenda[0]?.dueMs ?? null;
  }

  /** Puts an action behind everything that is due at the same time. @returns the way to take it out again */
  enter(run: () => void, delayMs: number): () => void {
    const entry = { dueMs: this.nowMs + Math.max(0, delayMs), run };
    let at = this.agenda.length;
    while (at > 0 && this.agenda[at - 1]!.dueMs > entry.dueMs) at -= 1;
    this.agenda.splice(at, 0, entry);
    return () => this.leave(entry);
  }

  private leave(entry: Entry): void {
    const at = this.agenda.indexOf(entry);
    if (at >= 0) this.agenda.splice(at, 1);
  }
}

interface Entry {
  readonly dueMs: number;
  readonly run: () => void;
}

/** One piece of work; while it runs it may schedule itself again. */
class TimedAction<T> extends Subscription implements SchedulerAction<T> {
  private leave: (() => void) | null = null;

  constructor(
    private readonly scheduler: StreamScheduler,
    private readonly work: Work<T>,
  ) {
    super();
  }

  /** An infinite delay never comes due. */
  schedule(state?: T, delayMs = 0): Subscription {
    this.leave?.();
    this.leave = null;
    if (!this.closed && Number.isFinite(delayMs))
      this.leave = this.scheduler.enter(() => this.work(state), delayMs);
    return this;
  }

  override unsubscribe(): void {
    this.leave?.();
    this.leave = null;
    super.unsubscribe();
  }
}
