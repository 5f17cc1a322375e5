import type { Micros } from '../domain/units.js';

/** Refuses the same creating request twice within a window, after its whole content (facts, "Limits"). */
export class Duplicates {
  /** Content of a request to when it was taken, oldest first. */
  readonly taken = new Map<string, Micros>();
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
    this.taken.set(content, now);
    return true;
  }

  private forget(now: Micros): void {
    for (const [content, at] of this.taken) {
      if (now - at < this.windowMicros) return;
      this.taken.delete(content);
    }
  }
}
