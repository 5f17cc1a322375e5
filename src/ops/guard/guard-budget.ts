import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.js';
import { acquireLock, type Lock, LockHeldError } from '../../storage/state/lock-file.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** The guard's part of the venue's allowance. A bot with the same key leaves it unused. */
export interface BudgetLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

const COUNTS = z.array(z.tuple([z.int(), z.int().min(1)]));

/** Counts requests by hours and seconds of wall time, so that a restart begins no new day or minute. */
const USED = z.object({ hours: COUNTS, seconds: COUNTS.default([]), lastAt: z.int() });
type Used = z.infer<typeof USED>;

const SECOND = 1_000_000;
const MINUTE = 60_000_000;
/** Seconds before the present one that belong to the last minute. */
const SECONDS = 60;
const HOUR = 3_600_000_000;
/** So many hours, with the present one, cover the last 24 hours. */
const HOURS = 25;
/** Longer than any text of the file, so that each text overwrites the one before whole. */
const WIDTH = 4_096;
/** Pause while another process counts. */
const HELD_US = 10_000;
/** After so many tries the other process counts as stopped. Withdrawing matters more than counting. */
const HELD_MOST = 50;
const NOTHING: Used = { hours: [], seconds: [], lastAt: 0 };

/**
 * Limits the requests of the guard and of an operator's commands, which share a file. Limits are `perMinute` in any minute
 * and `perDay` in any 24 hours, over restarts too. Once half of the day's budget is used, the rest is spread over a day, so
 * that a guard never stops. The file is overwritten in place and needs no room on a full disk. If writing fails, the process
 * uses its own count.
 */
export class GuardBudget {
  /** Monotonic times of this process's requests. A clock that is set begins no new minute. */
  readonly #sentAt: number[] = [];
  #used: Used;
  /** Tries in a row that found another process counting. */
  #held = 0;

  constructor(
    private readonly path: () => string,
    private readonly limits: BudgetLimits,
    private readonly clock: Clock,
  ) {
    this.#used = this.#read() ?? NOTHING;
  }

  /** Half of the day's budget is used. The rest is kept for withdrawing. */
  get isScarce(): boolean {
    return 2 * this.#usedToday() >= this.limits.perDay;
  }

  /**
   * Asks for one request. Two processes that ask at the same time get their answers one after the other.
   * @returns 0: it may leave and is counted; else microseconds to wait before asking again
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

  /** Counts a request that leaves. */
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

  /** `none`: the disk has no room for a lock. */
  #lock(): Lock | 'held' | 'none' {
    try {
      const lock = acquireLock(`${this.path()}.lock`, 'the count of requests of a guard');
      this.#held = 0;
      return lock;
    } catch (error) {
      if (!(error instanceof LockHeldError)) return 'none';
      this.#held += 1;
      return 'held';
    }
  }

  /** Removes the lock. If that fails, others ignore it now and take it over when this process is gone. */
  #unlock(lock: Lock): void {
    try {
      lock.release();
    } catch {
      // The process uses its own count.
    }
  }

  #minuteWait(): number {
    const { perMinute } = this.limits;
    if (this.#sentAt.length < perMinute) return 0;
    const oldest = this.#sentAt[this.#sentAt.length - perMinute]!;
    return Math.max(0, oldest + MINUTE - this.clock.monotonic());
  }

  /** Microseconds until enough requests of all processes are more than a minute old. */
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

  /** Hours in the future, after a clock was set back, count too. */
  #hours(): Used['hours'] {
    const first = Math.floor(this.clock.now() / HOUR) - HOURS + 1;
    return this.#used.hours.filter(([hour]) => hour >= first);
  }

  /** Seconds of the last minute. Seconds in the future, after a clock was set back, do not count: they would never pass. */
  #seconds(): Used['seconds'] {
    const now = Math.floor(this.clock.now() / SECOND);
    return this.#used.seconds.filter(([second]) => Math.abs(now - second) <= SECONDS);
  }

  /** Reads the file, because another process may have sent requests. The higher of both counts is used. */
  #catchUp(): void {
    const stored = this.#read();
    if (stored === null) return;
    const hours = most(this.#used.hours, stored.hours);
    const seconds = most(this.#used.seconds, stored.seconds);
    const lastAt = Math.max(stored.lastAt, this.#used.lastAt);
    this.#used = { hours, seconds, lastAt };
  }

  /** A damaged file counts as none: that costs a 429 at most. */
  #read(): Used | null {
    try {
      return USED.parse(JSON.parse(readFileSync(this.path(), 'utf8')));
    } catch {
      return null;
    }
  }

  #write(): void {
    try {
      const path = this.path();
      makeFolder(dirname(path));
      const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      try {
        writeSync(file, JSON.stringify(this.#used).padEnd(WIDTH), 0);
      } finally {
        closeSync(file);
      }
    } catch {
      // The process uses its own count.
    }
  }
}

type Counts = z.infer<typeof COUNTS>;

const sumOf = (counts: Counts): number => counts.reduce((sum, [, requests]) => sum + requests, 0);

function oneMore(counts: Counts, time: number): Counts {
  const kept = new Map(counts);
  return [...kept.set(time, (kept.get(time) ?? 0) + 1)];
}

/** Takes the higher count of each time. Each writer has read the file before. */
function most(ours: Counts, stored: Counts): Counts {
  const kept = new Map(ours);
  for (const [time, requests] of stored) kept.set(time, Math.max(requests, kept.get(time) ?? 0));
  return [...kept];
}
