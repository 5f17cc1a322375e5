import { VirtualAction, VirtualTimeScheduler } from 'rxjs';

/**
 * The engine's clock as an Rx scheduler: time stands still inside a step and moves only when the engine says so,
 * so that stream strategies are as reproducible as the inputs.
 */
export class StreamScheduler extends VirtualTimeScheduler {
  constructor() {
    super(VirtualAction, 0);
  }

  /** Runs everything due up to the given time, in order of due time, and leaves the clock there. */
  advanceTo(nowMs: number): void {
    this.maxFrames = nowMs;
    this.flush();
    this.frame = nowMs;
  }

  /** When the next scheduled action is due, in milliseconds; null when nothing is scheduled. */
  nextDueMs(): number | null {
    let due: number | null = null;
    for (const action of this.actions) {
      const at = action.delay ?? 0;
      if (due === null || at < due) due = at;
    }
    return due;
  }
}
