import type { WakeEffect } from '../../domain/effects.js';
import type { Micros } from '../../domain/units.js';

/** A date that is already past is looked at again after this long: nothing may spin. */
const SOONEST_WAKE = 1_000;

/** The one wake asked for. The engine looks at everything with every input, so one that comes after it takes its place. */
export class Wake {
  private at: Micros | null = null;

  /** @param next when something is due; infinite for never @returns what asks for it, null when that is needless */
  askFor(next: number, now: Micros): WakeEffect | null {
    if (this.at !== null && this.at <= now) this.at = null;
    if (next === Infinity) return null;
    const at = timeOf(next, now);
    if (at === this.at) return null;
    this.at = at;
    return { kind: 'wake', at };
  }
}

const timeOf = (next: number, now: Micros): Micros => Math.max(next, now + SOONEST_WAKE) as Micros;
