import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';

/** Requests of one key, all endpoints together (facts, "Limits"). */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

interface WindowUsage {
  readonly start: number;
  readonly used: number;
}

/** Plain JSON: of each key its windows, the minute's first. */
export type RequestUsage = readonly (readonly [key: string, windows: readonly WindowUsage[]])[];

const MINUTE = 60_000_000;
const DAY = 1_440 * MINUTE;
const MICROS_PER_SECOND = 1_000_000;

/**
 * Counts the accepted requests of each key in fixed windows of a minute and a day; a window begins with the
 * first request after the one before has ended. Keys are those of known accounts, so the memory is bounded.
 */
export class RateLimit {
  private readonly usage = new Map<string, readonly Window[]>();

  /**
   * @param limits null lets everything through
   * @param usage of the run before; only keys that still have limits matter
   */
  constructor(
    private readonly limits: RequestLimits | null,
    usage: RequestUsage = [],
  ) {
    for (const [key, windows] of usage) {
      if (limits !== null) this.windowsOf(key, limits).forEach((window, at) => window.load(windows[at]));
    }
  }

  /** What is counted at the moment, to go on from after a restart. */
  save(): RequestUsage {
    return [...this.usage].map(([key, windows]) => [key, windows.map((window) => window.save())]);
  }

  /** Counts the request. @returns null, or whole seconds until the key may ask again (`Retry-After`) */
  take(key: string, now: Micros): number | null {
    if (this.limits === null) return null;
    const windows = this.windowsOf(key, this.limits);
    let wait = 0;
    for (const window of windows)
      if (window.remaining(now) <= 0) wait = Math.max(wait, window.secondsLeft(now));
    if (wait > 0) return wait;
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
  private start = 0;
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

  save(): WindowUsage {
    return { start: this.start, used: this.used };
  }

  load(usage: WindowUsage | undefined): void {
    this.start = usage?.start ?? this.start;
    this.used = usage?.used ?? this.used;
  }

  count(): void {
    this.used += 1;
  }

  secondsLeft(now: Micros): number {
    return Math.ceil((this.start + this.length - now) / MICROS_PER_SECOND);
  }
}

/** Where the counts of the rate limit outlive the process. Neither call throws: a lost count is not worth a request. */
export interface UsageStore {
  load(): RequestUsage;
  save(usage: RequestUsage): void;
}

const EVERY_MICROS = 1_000_000;

/** Saves what keys have used once a second, so that a kill forgives them a second at most. */
export class UsageKeeper {
  private cancel: () => void = () => undefined;
  private saved = '';

  constructor(
    private readonly rateLimit: RateLimit,
    private readonly store: UsageStore,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.cancel = this.clock.at((this.clock.now() + EVERY_MICROS) as Micros, () => {
      this.save();
      this.start();
    });
  }

  stop(): void {
    this.cancel();
    this.save();
  }

  private save(): void {
    const usage = this.rateLimit.save();
    const text = JSON.stringify(usage);
    if (text !== this.saved) this.store.save(usage);
    this.saved = text;
  }
}
