import type { Computation, Reading, SignalLook } from './computation.js';
import { SampledVolatility } from './volatility.js';

interface Judging {
  readonly deviations: number;
  readonly least: number;
  readonly windowMs: number;
  readonly halfLifeMs: number;
  readonly sampleMs: number;
}

/** From when on a mid stood; null: a side of the book was missing. */
interface Stood {
  readonly sinceMs: number;
  readonly mid: number | null;
}

/** Float noise of a difference of prices. */
const NOISE = 1e-9;

/**
 * The last jump of the mid, as a price. A move within `windowMs` is one if it is at least `least`, and at least so many standard
 * deviations of the time before it:
 *
 *     |move| >= max(least, deviations sigma sqrt(windowMs)),    sigma the bipower volatility, which hardly counts jumps
 *
 * The next jump is looked for from where this one ended (after Lee, Mykland 2008).
 */
export class Jump implements Computation {
  readonly dueMs = null;
  private readonly volatility: SampledVolatility;
  /** Of the window, oldest first. */
  private stood: readonly Stood[] = [];
  private reading: Reading | null = null;

  constructor(private readonly judging: Judging) {
    const { halfLifeMs, sampleMs } = judging;
    this.volatility = new SampledVolatility({ space: 'price', method: 'bipower', halfLifeMs, sampleMs });
  }

  look(look: SignalLook): void {
    const { nowMs, book } = look;
    const { mid } = book;
    this.stood = within(this.stood, nowMs - this.judging.windowMs);
    if (this.stood.at(-1)?.mid !== mid) this.moved(mid, nowMs);
    this.volatility.look(look);
  }

  read(): Reading | null {
    return this.reading;
  }

  private moved(mid: number | null, nowMs: number): void {
    const { deviations, least, windowMs } = this.judging;
    const now = { sinceMs: nowMs, mid };
    const farthest = this.stood.reduce(
      (most, one) =>
        mid !== null && one.mid !== null && Math.abs(mid - one.mid) > Math.abs(most) ? mid - one.mid : most,
      0,
    );
    const before = this.volatility.read(nowMs);
    const usual = deviations * (before?.value ?? 0) * Math.sqrt(windowMs / 1_000);
    const isJump = Math.abs(farthest) >= Math.max(least, usual) - NOISE;
    this.stood = isJump ? [now] : [...this.stood, now];
    if (!isJump) return;
    const count = (this.reading?.count ?? 0) + 1;
    this.reading = { value: farthest, confidence: before?.confidence ?? 0, count, atMs: nowMs };
  }
}

/** Those that still stood after a time. */
function within(stood: readonly Stood[], fromMs: number): readonly Stood[] {
  let gone = 0;
  while (gone + 1 < stood.length && stood[gone + 1]!.sinceMs < fromMs) gone += 1;
  return gone === 0 ? stood : stood.slice(gone);
}
