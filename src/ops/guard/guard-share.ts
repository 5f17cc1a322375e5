import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.js';
import { acquireLock, type Lock, LockHeldError } from '../../storage/state/lock-file.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** What of the venue's allowance is a guard's; the bot of the same key leaves it alone. */
export interface ShareLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

const COUNTS = z.array(z.tuple([z.int(), z.int().min(1)]));

/**
 * Counts by whole hours and whole seconds of wall time, so that no day or minute is begun anew by a restart or by another
 * process, whenever the venue begins its own.
 */
const USED = z.object({ hours: COUNTS, seconds: COUNTS.default([]), lastAt: z.int() });
type Used = z.infer<typeof USED>;

const SECOND = 1_000_000;
const MINUTE = 60_000_000;
/** Whole seconds before the present one in which the last minute began. */
const SECONDS = 60;
const HOUR = 3_600_000_000;
/** So many hours, the present one included, hold every day that ends now. */
const HOURS = 25;
/** Longer than any text of it: every one overwrites the one before whole. */
const WIDTH = 4_096;
/** Another process holds the count for as long as it takes to read and write it. */
const HELD_US = 10_000;
/** A process that holds it longer stands still: withdrawing matters more than counting. */
const HELD_MOST = 50;
const NOTHING: Used = { hours: [], seconds: [], lastAt: 0 };

/**
 * The share of requests that is a guard's alone, kept within: in no minute more than `perMinute`, in no 24 hours more
 * than `perDay`, over restarts too, and together with what an operator's commands send. Once half of the day's share is
 * used the rest is spread over a day, so that a guard never falls silent altogether. Kept on the disk in place, as the
 * heartbeat is, so that it needs no room there; where that fails the process counts on by itself.
 */
export class GuardShare {
  /** By this process, in monotonic time: of that no clock that is set makes another minute. */
  readonly #sentAt: number[] = [];
  #used: Used;
  /** Tries in a row that found another process counting. */
  #held = 0;

  constructor(
    private readonly path: string,
    private readonly limits: ShareLimits,
    private readonly clock: Clock,
  ) {
    this.#used = this.#read() ?? NOTHING;
  }

  /** Half of the day's share is used: what is left is for withdrawing. */
  get isScarce(): boolean {
    return 2 * this.#usedToday() >= this.limits.perDay;
  }

  /**
   * A request is to leave. Two processes that ask at one moment are answered one after the other.
   * @returns 0: it may leave, and is counted; else microseconds after which to ask again
   */
  take(): number {
    const lock = this.#lock();
    if (lock === 'held' && this.#held < HELD_MOST) return HELD_US;
    try {
      const wait = this.waitUs();
      if (wait <= 0) this.spend();
      return Math.max(0, wait);
    } finally {
      if (typeof lock === 'object') this.#unlock(lock);
    }
  }

  /** Microseconds until the next request may leave; 0: now. */
  waitUs(): number {
    this.#catchUp();
    return Math.max(this.#minuteWait(), this.#sharedMinuteWait(), this.#dayWait());
  }

  /** A request leaves. */
  spend(): void {
    this.#catchUp();
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    this.#sentAt.push(monotonic);
    while (this.#sentAt[0]! <= monotonic - MINUTE) this.#sentAt.shift();
    const hours = oneMore(this.#hours(), Math.floor(now / HOUR));
    const seconds = oneMore(this.#seconds(), Math.floor(now / SECOND));
    this.#used = { hours, seconds, lastAt: now };
    this.#write();
  }

  /** `none`: the disk has no room for one. */
  #lock(): Lock | 'held' | 'none' {
    try {
      const lock = acquireLock(`${this.path}.lock`, 'the count of requests of a guard');
      this.#held = 0;
      return lock;
    } catch (error) {
      if (!(error instanceof LockHeldError)) return 'none';
      this.#held += 1;
      return 'held';
    }
  }

  /** One that cannot be removed is taken over once this process is gone, and passed over until then. */
  #unlock(lock: Lock): void {
    try {
      lock.release();
    } catch {
      // As with what cannot be written: the process goes by its own count.
    }
  }

  #minuteWait(): number {
    const { perMinute } = this.limits;
    if (this.#sentAt.length < perMinute) return 0;
    const oldest = this.#sentAt[this.#sentAt.length - perMinute]!;
    return Math.max(0, oldest + MINUTE - this.clock.monotonic());
  }

  /** Until enough of what all processes sent is more than a minute ago. */
  #sharedMinuteWait(): number {
    const seconds = this.#seconds().toSorted(([one], [other]) => one - other);
    let over = sumOf(seconds) - this.limits.perMinute;
    for (const [second, requests] of seconds) {
      if (over < 0) return 0;
      over -= requests;
      if (over < 0) return (second + SECONDS + 1) * SECOND - this.clock.now();
    }
    return 0;
  }

  #dayWait(): number {
    if (!this.isScarce) return 0;
    const { perDay } = this.limits;
    const now = this.clock.now();
    if (this.#usedToday() >= perDay) return HOUR - (now % HOUR);
    const pace = (HOURS * HOUR) / Math.max(1, Math.floor(perDay / 2));
    return Math.min(pace, Math.max(0, Math.ceil(this.#used.lastAt + pace - now)));
  }

  #usedToday(): number {
    return sumOf(this.#hours());
  }

  /** Hours that a clock which was set back left ahead of us count as well. */
  #hours(): Used['hours'] {
    const first = Math.floor(this.clock.now() / HOUR) - HOURS + 1;
    return this.#used.hours.filter(([hour]) => hour >= first);
  }

  /** Those of the last minute; what a clock that was set back left further ahead of us would never pass. */
  #seconds(): Used['seconds'] {
    const now = Math.floor(this.clock.now() / SECOND);
    return this.#used.seconds.filter(([second]) => Math.abs(now - second) <= SECONDS);
  }

  /** Another process with the same keys may have spent, too; a file that could not be written tells too little. */
  #catchUp(): void {
    const stored = this.#read();
    if (stored === null) return;
    const hours = most(this.#used.hours, stored.hours);
    const seconds = most(this.#used.seconds, stored.seconds);
    const lastAt = Math.max(stored.lastAt, this.#used.lastAt);
    this.#used = { hours, seconds, lastAt };
  }

  /** A damaged file costs a 429 at most, so it tells nothing. */
  #read(): Used | null {
    try {
      return USED.parse(JSON.parse(readFileSync(this.path, 'utf8')));
    } catch {
      return null;
    }
  }

  #write(): void {
    try {
      makeFolder(dirname(this.path));
      const file = openSync(this.path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      try {
        writeSync(file, JSON.stringify(this.#used).padEnd(WIDTH), 0);
      } finally {
        closeSync(file);
      }
    } catch {
      // Withdrawing matters more than counting: the process goes by its own count.
    }
  }
}

type Counts = z.infer<typeof COUNTS>;

const sumOf = (counts: Counts): number => counts.reduce((sum, [, requests]) => sum + requests, 0);

function oneMore(counts: Counts, time: number): Counts {
  const kept = new Map(counts);
  return [...kept.set(time, (kept.get(time) ?? 0) + 1)];
}

/** Of each time the higher count: who writes has read before. */
function most(ours: Counts, stored: Counts): Counts {
  const kept = new Map(ours);
  for (const [time, requests] of stored) kept.set(time, Math.max(requests, kept.get(time) ?? 0));
  return [...kept];
}
