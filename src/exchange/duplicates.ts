import type { Micros } from '../domain/units.js';
import { Fifo } from './fifo.js';

/** Refuses the same creating request twice within a window, after its whole content (facts, "Limits"). */
export class Duplicates {
  /** Content of a request to when it was taken, oldest first. */
  readonly taken = new Map<string, Micros>();
  private readonly ages = new Fifo<string>();
  private readonly windowMicros: number;

  /** @param windowMs 0 switches the check off */
  constructor(windowMs: number) {
    this.windowMicros = windowMs * 1_000;
  }

  /** @returns whether the request is new; remembers it if so */
  admit(content: string, now: Micros): boolean {
    if (this.windowMicros === 0) return true;
    this.forget(now);
    if (this.taken.has(content)) return false;
    this.take(content, now);
    return true;
  }

  /** Notes that a request was taken, not before the latest one. */
  take(content: string, at: Micros): void {
    this.taken.set(content, at);
    this.ages.push(content);
  }

  private forget(now: Micros): void {
    for (let oldest = this.ages.first(); oldest !== undefined; oldest = this.ages.first()) {
      if (now - (this.taken.get(oldest) ?? 0) < this.windowMicros) return;
      this.taken.delete(oldest);
      this.ages.shift();
    }
  }
}
