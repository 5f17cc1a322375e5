import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

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
