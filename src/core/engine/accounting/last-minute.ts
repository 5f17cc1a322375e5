import type { Micros } from '../../../domain/units.js';

const MINUTE = 60_000_000;
/** Entries that are over are cut off when there are this many, for cutting moves all the others. */
const CUT = 256;

/** How much of something happened within the last minute. */
export class LastMinute {
  private readonly entries: { readonly at: Micros; readonly count: number }[] = [];
  /** Entries before this one are over. */
  private first = 0;
  private sum = 0;

  /** @param at not before that of the last call */
  add(count: number, at: Micros): void {
    this.entries.push({ at, count });
    this.sum += count;
  }

  count(now: Micros): number {
    for (; this.first < this.entries.length; this.first += 1) {
      const { at, count } = this.entries[this.first]!;
      if (at > now - MINUTE) break;
      this.sum -= count;
    }
    if (this.first >= CUT) this.cut();
    return this.sum;
  }

  /**
   * When no more than so many will have happened within the last minute, if nothing more happens.
   * @returns a date after now; a minute from now where there is none
   */
  fallsTo(limit: number, now: Micros): Micros {
    let left = this.count(now);
    for (let next = this.first; next < this.entries.length; next += 1) {
      const { at, count } = this.entries[next]!;
      left -= count;
      if (left <= limit) return (at + MINUTE) as Micros;
    }
    return (now + MINUTE) as Micros;
  }

  private cut(): void {
    this.entries.splice(0, this.first);
    this.first = 0;
  }
}
