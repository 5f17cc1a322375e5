import type { Micros } from '../../domain/units.js';

/** Requests of one key, all endpoints together (facts, "Limits"). */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

const MINUTE = 60_000_000;
const DAY = 1_440 * MINUTE;
const MICROS_PER_SECOND = 1_000_000;

/**
 * Counts the accepted requests of each key in fixed windows of a minute and a day; a window begins with the
 * first request after the one before has ended. Keys are those of known accounts, so the memory is bounded.
 */
export class RateLimit {
  private readonly usage = new Map<string, readonly Window[]>();

  /** @param limits null lets everything through */
  constructor(private readonly limits: RequestLimits | null) {}

  /** Counts the request. @returns null, or whole seconds until the key may ask again (`Retry-After`) */
  take(key: string, now: Micros): number | null {
    if (this.limits === null) return null;
    const windows = this.windowsOf(key, this.limits);
    const full = windows.filter((window) => window.remaining(now) <= 0);
    if (full.length > 0) return Math.max(...full.map((window) => window.secondsLeft(now)));
    for (const window of windows) window.count();
    return null;
  }

  private windowsOf(key: string, { perMinute, perDay }: RequestLimits): readonly Window[] {
    const known = this.usage.get(key);
    if (known !== undefined) return known;
    const windows = [new Window(MINUTE, perMinute), new Window(DAY, perDay)];
    this.usage.set(key, windows);
    return windows;
  }
}

class Window {
  private start = Number.NEGATIVE_INFINITY;
  private used = 0;

  constructor(
    private readonly length: number,
    private readonly most: number,
  ) {}

  /** Requests left at this time; begins a new window when the last one is over. */
  remaining(now: Micros): number {
    if (now >= this.start + this.length) {
      this.start = now;
      this.used = 0;
    }
    return this.most - this.used;
  }

  count(): void {
    this.used += 1;
  }

  secondsLeft(now: Micros): number {
    return Math.ceil((this.start + this.length - now) / MICROS_PER_SECOND);
  }
}
