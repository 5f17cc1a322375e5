/** Random draws of participants: sizes, arrivals, and the path of a probability. */
import type { Shares, Micros } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';

/** Uniform between both bounds, inclusive. */
export const sizeBetween = (random: Random, min: Shares, max: Shares): Shares =>
  (min + random.below(Math.max(1, max - min + 1))) as Shares;

/** @param items at least one */
export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[random.below(items.length)]!;

/** Standard normal (Box and Muller, 1958). */
export const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

export const logit = (p: number): number => Math.log(p / (1 - p));
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

const SECOND = 1_000_000;
/** Arrivals older than this are dropped, because the process was asleep. */
const CATCHES_UP_MICROS = SECOND;

/** A Poisson process: independent exponential waiting times, each measured from the arrival before it. */
export class Arrivals {
  private at: Micros;

  /** @param ratePerS arrivals per second, positive */
  constructor(
    private readonly ratePerS: number,
    private readonly random: Random,
    start: Micros,
  ) {
    this.at = this.after(start);
  }

  /** The next arrival. */
  get next(): Micros {
    return this.at;
  }

  /** The next arrival has been taken care of. */
  pass(now: Micros): void {
    this.at = this.after(Math.max(this.at, now - CATCHES_UP_MICROS));
  }

  private after(time: number): Micros {
    const waitS = -Math.log(1 - this.random.uniform()) / this.ratePerS;
    return Math.ceil(time + waitS * SECOND) as Micros;
  }
}

/** Variance of the log-odds at half time: a belief that began at one half is about anywhere between 0.1 and 0.9. */
const EVIDENCE_AT_HALF_TIME = 2.4;

/**
 * A probability that moves at random and ends at 0 or 1. The outcome is drawn first, with the initial probability. The
 * path is the belief of an observer who sees more and more evidence. Evidence of precision v moves the log-odds by a
 * normal with variance v and mean v / 2 towards the outcome, which makes the belief a martingale. v grows as s / (1 - s)
 * with the part s of the time that has passed, so that the outcome is known at the end and not before.
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
