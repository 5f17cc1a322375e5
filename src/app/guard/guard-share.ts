import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../ports/clock.js';
import { makeFolder } from '../../runtime/made-folder.js';

/** What of the venue's allowance is a guard's; the bot of the same key leaves it alone. */
export interface ShareLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Counts by whole hours of wall time, so that no day is begun anew by a restart, whenever the venue begins its own. */
const USED = z.strictObject({
  hours: z.array(z.tuple([z.int(), z.int().min(1)])),
  lastAt: z.int(),
  lastMinute: z.int().min(0),
});
type Used = z.infer<typeof USED>;

const MINUTE = 60_000_000;
const HOUR = 3_600_000_000;
/** So many hours, the present one included, hold every day that ends now. */
const HOURS = 25;
/** Longer than any text of it: every one overwrites the one before whole. */
const WIDTH = 2_048;
const NOTHING: Used = { hours: [], lastAt: 0, lastMinute: 0 };

/**
 * The share of requests that is a guard's alone, kept within: in no minute more than `perMinute`, in no 24 hours more
 * than `perDay`, over restarts too, and together with what an operator's commands send. Once half of the day's share is
 * used the rest is spread over a day, so that a guard never falls silent altogether. Kept on the disk in place, as the
 * heartbeat is, so that it needs no room there; where that fails the process counts on by itself.
 */
export class GuardShare {
  readonly #sentAt: number[];
  #used: Used;

  constructor(
    private readonly path: string,
    private readonly limits: ShareLimits,
    private readonly clock: Clock,
  ) {
    this.#used = this.#read() ?? NOTHING;
    const { lastAt, lastMinute } = this.#used;
    const isRecent = clock.now() - lastAt < MINUTE;
    const now = clock.monotonic();
    this.#sentAt = isRecent ? Array.from({ length: Math.min(lastMinute, limits.perMinute) }, () => now) : [];
  }

  /** Half of the day's share is used: what is left is for withdrawing. */
  get isScarce(): boolean {
    return 2 * this.#usedToday() >= this.limits.perDay;
  }

  /** Microseconds until the next request may leave; 0: now. */
  waitUs(): number {
    this.#catchUp();
    return Math.max(this.#minuteWait(), this.#dayWait());
  }

  /** A request leaves. */
  spend(): void {
    this.#catchUp();
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    this.#sentAt.push(monotonic);
    while (this.#sentAt[0]! <= monotonic - MINUTE) this.#sentAt.shift();
    const hours = new Map(this.#hours());
    const hour = Math.floor(now / HOUR);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    this.#used = { hours: [...hours], lastAt: now, lastMinute: this.#sentAt.length };
    this.#write();
  }

  #minuteWait(): number {
    const { perMinute } = this.limits;
    if (this.#sentAt.length < perMinute) return 0;
    const oldest = this.#sentAt[this.#sentAt.length - perMinute]!;
    return Math.max(0, oldest + MINUTE - this.clock.monotonic());
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
    return this.#hours().reduce((sum, [, requests]) => sum + requests, 0);
  }

  /** Hours that a clock which was set back left ahead of us count as well. */
  #hours(): Used['hours'] {
    const first = Math.floor(this.clock.now() / HOUR) - HOURS + 1;
    return this.#used.hours.filter(([hour]) => hour >= first);
  }

  /** Another process with the same keys may have spent, too; a file that could not be written tells too little. */
  #catchUp(): void {
    const stored = this.#read();
    if (stored === null) return;
    const hours = new Map(this.#used.hours);
    for (const [hour, requests] of stored.hours) hours.set(hour, Math.max(requests, hours.get(hour) ?? 0));
    const lastAt = Math.max(stored.lastAt, this.#used.lastAt);
    this.#used = { ...this.#used, hours: [...hours], lastAt };
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
