import type { Micros } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';
import { gaussian, logit, sigmoid } from './draws.js';

/** Variance of the log-odds at half time: a belief that began at one half is about anywhere between 0.1 and 0.9. */
const EVIDENCE_AT_HALF_TIME = 2.4;

/**
 * A probability that wanders and ends at 0 or 1. The outcome is drawn first, with the initial probability; the path
 * is the belief of somebody who sees ever more evidence for it. Evidence of precision v moves the log-odds by a normal
 * with variance v and mean v / 2 towards the outcome, which makes the belief a martingale; v grows as s / (1 - s) with
 * the part s of the time that has passed, so that all is known at the end and not before.
 */
export class LatentPath {
  /** What the path ends at. */
  readonly resolvesLong: boolean;
  private evidence = 0;
  private seen = 0;

  /** @param probability of the long outcome at the start, 0 to 1 */
  constructor(
    private readonly probability: number,
    private readonly horizonMicros: number,
    private readonly random: Random,
    private readonly start: Micros,
  ) {
    this.resolvesLong = random.uniform() < probability;
  }

  /** The belief at a time that is not before an earlier one. */
  advanceTo(now: Micros): number {
    const passed = Math.max(0, now - this.start) / this.horizonMicros;
    if (passed >= 1) return this.resolvesLong ? 1 : 0;
    this.see((EVIDENCE_AT_HALF_TIME * passed) / (1 - passed));
    return sigmoid(logit(this.probability) + this.evidence);
  }

  private see(precision: number): void {
    const fresh = Math.max(0, precision - this.seen);
    const towards = this.resolvesLong ? fresh / 2 : -fresh / 2;
    this.evidence += towards + Math.sqrt(fresh) * gaussian(this.random);
    this.seen += fresh;
  }
}
