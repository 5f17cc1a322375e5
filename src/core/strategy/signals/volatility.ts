/** How fast a market moves, as a standard deviation per square root of a second. */
import { localVolatility, logit } from '../models/binary.js';
import type { Computation, Reading, SignalLook } from './computation.js';

export type Space = 'price' | 'logit';

interface Sampling {
  readonly space: Space;
  readonly method: 'ewma' | 'bipower';
  readonly halfLifeMs: number;
  readonly sampleMs: number;
}

/**
 * Volatility of the mid, sampled every `sampleMs`. With r the move from one sample to the next and weights w that
 * halve every `halfLifeMs`:
 *
 *     ewma     sigma^2 = sum w r^2 / (sampleMs sum w)
 *     bipower  sigma^2 = (pi / 2) sum w |r| |r before| / (sampleMs sum w)
 *
 * Bipower hardly counts single jumps (Barndorff-Nielsen, Shephard 2004). While a side of the book is missing, time
 * stands still.
 */
export class SampledVolatility implements Computation {
  private readonly decay: number;
  /** Decayed sums: of the terms, and of their weights. */
  private terms = 0;
  private weights = 0;
  private count = 0;
  /** Where the market stands; null while no mid is known. */
  private position: number | null = null;
  /** Where it stood at the last sample, and the number of that sample since the epoch. */
  private sampled = 0;
  private sample = 0;
  /** Size of the last move; null before the first. */
  private moved: number | null = null;
  private lostAt = 0;

  constructor(private readonly sampling: Sampling) {
    this.decay = 0.5 ** (sampling.sampleMs / sampling.halfLifeMs);
  }

  get dueMs(): number | null {
    const { position, sampled, sample, sampling, weights } = this;
    const isNews = position !== null && (position !== sampled || weights === 0);
    return isNews ? (sample + 1) * sampling.sampleMs : null;
  }

  look({ nowMs, book }: SignalLook): void {
    this.advance(nowMs);
    const position = positionOf(book.mid, this.sampling.space);
    if (position === null && this.position !== null) this.lostAt = nowMs;
    if (position !== null && this.position === null) {
      this.sampled = position;
      this.sample = this.sampleAt(nowMs);
      this.moved = null;
    }
    this.position = position;
  }

  read(nowMs: number): Reading | null {
    this.advance(nowMs);
    const { terms, weights, count, position, decay, sampling } = this;
    if (weights === 0) return null;
    const factor = sampling.method === 'bipower' ? Math.PI / 2 : 1;
    const value = Math.sqrt((factor * terms) / weights / (sampling.sampleMs / 1_000));
    const atMs = position === null ? this.lostAt : null;
    return { value, confidence: Math.min(1, weights * (1 - decay)), count, atMs };
  }

  /** Takes the samples whose time has come: the first may have moved, between the others nothing did. */
  private advance(nowMs: number): void {
    if (this.position === null) return;
    const steps = this.sampleAt(nowMs) - this.sample;
    if (steps <= 0) return;
    this.take(Math.abs(this.position - this.sampled));
    if (steps > 1) this.rest(steps - 1);
    this.sampled = this.position;
    this.sample += steps;
  }

  private take(moved: number): void {
    const before = this.moved;
    this.moved = moved;
    if (this.sampling.method === 'ewma') this.add(moved * moved);
    else if (before !== null) this.add(moved * before);
  }

  private add(term: number): void {
    this.terms = this.terms * this.decay + term;
    this.weights = this.weights * this.decay + 1;
    this.count += 1;
  }

  private rest(samples: number): void {
    const faded = this.decay ** samples;
    this.terms *= faded;
    this.weights = this.weights * faded + (1 - faded) / (1 - this.decay);
    this.count += samples;
    this.moved = 0;
  }

  private sampleAt(nowMs: number): number {
    return Math.floor(nowMs / this.sampling.sampleMs);
  }
}

function positionOf(mid: number | null, space: Space): number | null {
  if (mid === null || space === 'price') return mid;
  return mid > 0 && mid < 1 ? logit(mid) : null;
}

interface Horizon {
  readonly space: Space;
  readonly horizonMs: number;
  readonly leastMs: number;
}

/** A market whose close is known is looked at again after so long. */
const STEP_MS = 1_000;

/**
 * The volatility that a probability has without any parameter: phi(PhiInv(p)) / sqrt(time left), with p the fair value. In
 * logit space it is divided by p (1 - p).
 */
export class LocalVolatility implements Computation {
  private reading: Reading | null = null;
  private due: number | null = null;

  constructor(private readonly horizon: Horizon) {}

  get dueMs(): number | null {
    return this.due;
  }

  look({ nowMs, fair, msToClose }: SignalLook): void {
    const { space, horizonMs, leastMs } = this.horizon;
    this.due = msToClose === null ? null : nowMs + STEP_MS;
    if (fair === null || fair.p <= 0 || fair.p >= 1) return void (this.reading = null);
    const { p, confidence, ageMs } = fair;
    const ofPrice = localVolatility(p, Math.max(leastMs, msToClose ?? horizonMs) / 1_000);
    const value = space === 'price' ? ofPrice : ofPrice / (p * (1 - p));
    this.reading = { value, confidence, count: 1, atMs: ageMs === 0 ? null : nowMs - ageMs };
  }

  read(): Reading | null {
    return this.reading;
  }
}
