import type { JournalWork } from '../../core/execution/orders/left-behind.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';

/** Until when what a journal leaves in doubt may still take effect: judged when it is read first, and then by time alone. */
export class LastAsked {
  /** By when it was asked for, monotonic. */
  private until: ReadonlyMap<Micros, number> = new Map();

  constructor(
    private readonly windowUs: number,
    private readonly clock: Clock,
  ) {}

  /** @returns monotonic; long ago where nothing is in doubt */
  mayActUntil({ lost }: JournalWork): number {
    const until = new Map<Micros, number>();
    for (const { askedAt } of lost) until.set(askedAt, this.until.get(askedAt) ?? this.judge(askedAt));
    this.until = until;
    return Math.max(...until.values());
  }

  /** What seems to be still to come was asked for before it was read: who wrote it had another clock, or ours was set back. */
  private judge(askedAt: Micros): number {
    const { clock, windowUs } = this;
    return clock.monotonic() + windowUs + Math.min(0, askedAt - clock.now());
  }
}
