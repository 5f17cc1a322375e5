import type { Micros } from '../domain/units.js';
import type { Random } from '../ports/random.js';
import { gaussian, logit, sigmoid } from './draws.js';

/** One standard deviation of the path in logits over one whole horizon. */
const LOGITS_PER_HORIZON = 6;
const CERTAIN = 0.0005;

/**
 * A probability that wanders and ends at 0 or 1. The outcome is drawn first, with the initial probability; the path
 * is the belief of somebody who sees ever more evidence for it: in logits a Brownian motion with the drift towards
 * the outcome that makes it a martingale (log-odds of a drifting diffusion: variance v gives mean v / 2).
 */
export class LatentPath {
  private readonly sign: 1 | -1;
  private evidence = 0;
  private at: Micros;

  /** @param probability of the long outcome at the start, inside (0, 1) */
  constructor(
    private readonly probability: number,
    private readonly horizonMicros: number,
    private readonly random: Random,
    start: Micros,
  ) {
    this.sign = random.uniform() < probability ? 1 : -1;
    this.at = start;
  }

  /** What the path ends at. */
  get resolvesLong(): boolean {
    return this.sign === 1;
  }

  /** The belief at a time that is not before an earlier one. */
  advanceTo(now: Micros): number {
    const passed = Math.max(0, now - this.at) / this.horizonMicros;
    this.at = now;
    const variance = passed * LOGITS_PER_HORIZON ** 2;
    if (variance > 0)
      this.evidence += (this.sign * variance) / 2 + Math.sqrt(variance) * gaussian(this.random);
    const belief = sigmoid(logit(this.probability) + this.evidence);
    return Math.min(1 - CERTAIN, Math.max(CERTAIN, belief));
  }
}
