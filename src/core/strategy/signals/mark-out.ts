import type { FillView } from '../contract.js';
import type { Computation, Reading, SignalLook } from './computation.js';

interface Judging {
  readonly horizonMs: number;
  readonly weight: number;
  readonly halfLifeMs: number;
}

/** A fill that waits for its mid. */
type Pending = {
  readonly dueMs: number;
  readonly sign: 1 | -1;
  readonly mid: number;
};

/** What is known of own fills. A restart takes none of it away. */
type Judged = {
  readonly pending: readonly Pending[];
  readonly average: number;
  readonly confidence: number;
  readonly count: number;
  /** When the last fill was judged: the average is of then. */
  readonly judgedAt: number;
};

/** Fills beyond these are not judged: a burst says the same a hundred times. */
const MOST_PENDING = 50;

/**
 * How own fills turned out, as a price. The mark-out of a fill is the move of the mid in its favour within `horizonMs`,
 * from the mid before it. Each enters the average T with `weight`:
 *
 *     T <- T + weight (mark-out - T)
 *
 * Without fills T halves every `halfLifeMs`. Negative: the market moves against us. A fill whose time came while nobody
 * looked, during a restart, is not judged.
 */
export class MarkOut implements Computation {
  memory: Judged | null = null;
  private mid: number | null = null;

  constructor(private readonly judging: Judging) {}

  get dueMs(): number | null {
    return this.memory?.pending[0]?.dueMs ?? null;
  }

  filled({ side, midBefore, shares }: FillView, nowMs: number): void {
    const known = this.memory ?? NOTHING;
    if (midBefore === null || shares <= 0 || known.pending.length >= MOST_PENDING) return;
    const dueMs = nowMs + this.judging.horizonMs;
    const fill: Pending = { dueMs, sign: side === 'bid' ? 1 : -1, mid: midBefore };
    this.memory = { ...known, pending: [...known.pending, fill] };
  }

  /** A fill is judged by the mid that stood when its time came, however late the look is. */
  look({ nowMs, book }: SignalLook): void {
    this.judge((dueMs) => dueMs < nowMs);
    this.mid = book.mid ?? this.mid;
    this.judge((dueMs) => dueMs <= nowMs);
  }

  read(nowMs: number): Reading | null {
    const { memory } = this;
    if (memory === null || memory.count === 0) return null;
    const { average, confidence, count, judgedAt } = memory;
    const faded = this.faded(nowMs - judgedAt);
    return { value: average * faded, confidence: confidence * faded, count, atMs: judgedAt };
  }

  private judge(isDue: (dueMs: number) => boolean): void {
    for (let next = this.memory?.pending[0]; next !== undefined && isDue(next.dueMs);) {
      const waiting = { ...this.memory!, pending: this.memory!.pending.slice(1) };
      this.memory =
        this.mid === null ? waiting : this.judged(waiting, next, next.sign * (this.mid - next.mid));
      next = this.memory.pending[0];
    }
  }

  private judged(before: Judged, { dueMs }: Pending, markOut: number): Judged {
    const faded = before.count === 0 ? 1 : this.faded(dueMs - before.judgedAt);
    const { weight } = this.judging;
    const average = before.average * faded;
    const confidence = before.confidence * faded;
    return {
      ...before,
      average: average + weight * (markOut - average),
      confidence: confidence + weight * (1 - confidence),
      judgedAt: dueMs,
      count: before.count + 1,
    };
  }

  private faded(ms: number): number {
    return 0.5 ** (ms / this.judging.halfLifeMs);
  }
}

const NOTHING: Judged = { pending: [], average: 0, confidence: 0, count: 0, judgedAt: 0 };
