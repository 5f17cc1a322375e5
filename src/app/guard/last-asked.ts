import type { JournalWork } from '../../execution/orders/left-behind.js';
import type { Clock } from '../../ports/clock.js';

/** Until when what a journal leaves in doubt may still take effect. */
export class LastAsked {
  /** Those of a clock that is ahead of ours, and when they were read first. */
  private ahead = '';
  private readAt = 0;

  constructor(
    private readonly windowUs: number,
    private readonly clock: Clock,
  ) {}

  /** @returns monotonic; long ago where nothing is in doubt */
  mayActUntil(work: JournalWork): number {
    return this.clock.monotonic() + this.askedAt(work) + this.windowUs - this.clock.now();
  }

  /**
   * Who wrote it may have had another clock, or ours may have been set back since: what seems to be still to come was asked
   * for before it was read.
   */
  private askedAt({ lost }: JournalWork): number {
    const now = this.clock.now();
    const stamps = lost.map(({ askedAt }) => askedAt);
    const ahead = stamps.filter((at) => at > now).join();
    if (ahead !== '' && ahead !== this.ahead) this.readAt = now;
    this.ahead = ahead;
    return Math.max(this.readAt, ...stamps.filter((at) => at <= now));
  }
}
