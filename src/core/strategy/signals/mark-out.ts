import type { FillView } from '../contract.js';
import type { Computation, Reading, SignalLook } from './computation.js';

interface Judging {
  readonly horizonMs: number;
  readonly weight: number;
  readonly halfLifeMs: number;
}

/** A fill that waits for its mid. */
interface Pending {
  readonly dueMs: number;
  readonly sign: 1 | -1;
  readonly mid: number;
}

/** Fills beyond these are not judged: a burst says the same a hundred times. */
const MOST_PENDING = 50;

/**
 * How own fills turned out, as a price. The mark-out of a fill is the move of the mid in its favour within `horizonMs`,
 * from the mid before it. Each enters the average T with `weight`:
 *
 *     T <- T + weight (mark-out - T)
 *
 * Without fills T halves every `halfLifeMs`. Negative: the market moves against us.
 */
export class MarkOut implements Computation {
  private readonly pending: Pending[] = [];
  private mid: number | null = null;
  private average = 0;
  private confidence = 0;
  private count = 0;
  /** When the average was last brought up to date, and when the last fill was judged. */
  private updatedAt = 0;
  private judgedAt = 0;

  constructor(private readonly judging: Judging) {}

  get dueMs(): number | null {
    return this.pending[0]?.dueMs ?? null;
  }

  filled({ side, midBefore, shares }: FillView, nowMs: number): void {
    if (midBefore === null || shares <= 0 || this.pending.length >= MOST_PENDING) return;
    const dueMs = nowMs + this.judging.horizonMs;
    this.pending.push({ dueMs, sign: side === 'bid' ? 1 : -1, mid: midBefore });
  }

  /** A fill is judged by the mid that stood when its time came, however late the look is. */
  look({ nowMs, book }: SignalLook): void {
    this.judge((dueMs) => dueMs < nowMs);
    this.mid = book.mid ?? this.mid;
    this.judge((dueMs) => dueMs <= nowMs);
  }

  read(nowMs: number): Reading | null {
    const { count, judgedAt, average, confidence } = this;
    if (count === 0) return null;
    const faded = this.fadedAt(nowMs);
    return { value: average * faded, confidence: confidence * faded, count, atMs: judgedAt };
  }

  private judge(isDue: (dueMs: number) => boolean): void {
    for (let next = this.pending[0]; next !== undefined && isDue(next.dueMs); next = this.pending[0]) {
      this.pending.shift();
      if (this.mid !== null) this.judged(next.sign * (this.mid - next.mid), next.dueMs);
    }
  }

  private judged(markOut: number, nowMs: number): void {
    const faded = this.count === 0 ? 1 : this.fadedAt(nowMs);
    const { weight } = this.judging;
    this.average = this.average * faded + weight * (markOut - this.average * faded);
    this.confidence = this.confidence * faded + weight * (1 - this.confidence * faded);
    this.updatedAt = nowMs;
    this.judgedAt = nowMs;
    this.count += 1;
  }

  private fadedAt(nowMs: number): number {
    return 0.5 ** ((nowMs - this.updatedAt) / this.judging.halfLifeMs);
  }
}
