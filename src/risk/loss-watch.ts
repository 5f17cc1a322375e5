import { MONEY_ONE, type Micros, type Money } from '../domain/units.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';

export type LossLimits = Pick<RiskLimits, 'maxLoss' | 'maxDrawdown'>;

/**
 * Latches the kill switch when the run has lost too much, or its profit has fallen too far from its best. Of several
 * limits the tightest counts. One currency.
 */
export class LossWatch {
  private readonly maxLoss: number;
  private readonly maxDrawdown: number;
  private start = 0;
  private best = 0;

  constructor(
    limits: readonly LossLimits[],
    private readonly killSwitch: KillSwitch,
  ) {
    this.maxLoss = Math.min(...limits.map(({ maxLoss }) => maxLoss));
    this.maxDrawdown = Math.min(...limits.map(({ maxDrawdown }) => maxDrawdown ?? Infinity));
  }

  /**
   * Takes note of the profit of the run.
   * @returns whether a limit latched the switch now
   */
  check(profit: Money, at: Micros): boolean {
    this.best = Math.max(this.best, profit);
    const loss = this.start - profit;
    if (loss > this.maxLoss) return this.latch('loss limit: lost', loss, this.maxLoss, at);
    const fall = this.best - profit;
    if (fall > this.maxDrawdown) return this.latch('drawdown limit: fell by', fall, this.maxDrawdown, at);
    return false;
  }

  /** A person resumed: what is lost until now is accepted, and the limits count from here. */
  accept(profit: Money): void {
    this.start = profit;
    this.best = profit;
  }

  private latch(what: string, amount: number, limit: number, at: Micros): boolean {
    return this.killSwitch.latch(`${what} ${amount / MONEY_ONE}, limit ${limit / MONEY_ONE}`, at);
  }
}
