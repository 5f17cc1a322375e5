import { VirtualAction, VirtualTimeScheduler } from 'rxjs';

/** More actions than this at one point in time mean a timer that comes due again at once, for ever. */
const MOST_AT_ONCE = 10_000;

/**
 * The engine's clock as an Rx scheduler: time stands still inside a step and moves only when the engine says so,
 * so that stream strategies are as reproducible as the inputs. Actions run in order of due time, then of scheduling.
 */
export class StreamScheduler extends VirtualTimeScheduler {
  constructor() {
    super(VirtualAction, 0);
  }

  /**
   * Runs everything due up to the given time and leaves the clock there. An earlier time moves nothing.
   * @throws what an action throws; the rest of the schedule is gone then
   */
  advanceTo(nowMs: number): void {
    this.maxFrames = nowMs;
    this.flush();
    this.frame = Math.max(this.frame, nowMs);
  }

  /** When the next scheduled action is due, in milliseconds; null when nothing is scheduled. */
  nextDueMs(): number | null {
    return this.actions[0]?.delay ?? null;
  }

  /** As in Rx, but an endless schedule is an error and not an endless loop. */
  override flush(): void {
    let ranAtOnce = 0;
    while ((this.nextDueMs() ?? Infinity) <= this.maxFrames) {
      const action = this.actions.shift()!;
      ranAtOnce = action.delay > this.frame ? 0 : ranAtOnce + 1;
      if (ranAtOnce > MOST_AT_ONCE) throw new RangeError(`more than ${MOST_AT_ONCE} timers were due at once`);
      this.frame = action.delay;
      const error: unknown = action.execute(action.state, action.delay);
      if (error !== undefined) this.abandon(error);
    }
  }

  private abandon(error: unknown): never {
    for (const action of this.actions.splice(0)) action.unsubscribe();
    throw error;
  }
}
