import type { Micros } from '../domain/units.js';

/** Why and when it latched. */
export interface KillReason {
  readonly reason: string;
  readonly at: Micros;
}

/** Latched until a person resets it; nothing else does. */
export class KillSwitch {
  private latched: KillReason | null = null;

  /** null while quoting is allowed. */
  get state(): KillReason | null {
    return this.latched;
  }

  /** The first reason stays. @returns whether this call latched it */
  latch(reason: string, at: Micros): boolean {
    if (this.latched !== null) return false;
    this.latched = { reason, at };
    return true;
  }

  reset(): void {
    this.latched = null;
  }
}
