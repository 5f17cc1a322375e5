import type { Micros } from '../../domain/units.js';

/** What latched the kill switch: a limit, a refusal of the venue, or a command. */
export type KillRule = 'loss-limit' | 'drawdown-limit' | 'taking-limit' | 'venue-refusal' | 'kill-command';

/** Why and when it latched. */
export interface KillReason {
  readonly reason: string;
  readonly at: Micros;
}

/** Stops all quoting once latched, until a person resets it. */
export class KillSwitch {
  private latched: KillReason | null = null;
  private latchedBy: KillRule = 'kill-command';

  /** null while quoting is allowed. */
  get state(): KillReason | null {
    return this.latched;
  }

  /** What latched it last. */
  get rule(): KillRule {
    return this.latchedBy;
  }

  /** The first reason stays. @returns whether this call latched it */
  latch(reason: string, at: Micros, rule: KillRule = 'kill-command'): boolean {
    if (this.latched !== null) return false;
    this.latched = { reason, at };
    this.latchedBy = rule;
    return true;
  }

  reset(): void {
    this.latched = null;
  }
}
