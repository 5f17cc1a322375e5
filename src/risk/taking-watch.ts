import type { Fill } from '../domain/fill.js';
import { MONEY_ONE, type Micros } from '../domain/units.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';

const HOUR = 3_600_000_000;

/**
 * Quotes are meant to rest. What trades at once in spite of the last look at the book shows that the book is late, and
 * beyond an amount within an hour that is no accident: the kill switch latches. Of several limits the tightest counts.
 */
export class TakingWatch {
  private readonly most: number;
  private readonly taken: { readonly at: Micros; readonly amount: number }[] = [];
  private sum = 0;

  constructor(
    limits: readonly Pick<RiskLimits, 'maxTakenAmount'>[],
    private readonly killSwitch: KillSwitch,
  ) {
    this.most = Math.min(...limits.map(({ maxTakenAmount }) => maxTakenAmount ?? Infinity));
  }

  /** @returns whether the limit latched the switch now */
  filled({ liquidity, amount }: Pick<Fill, 'liquidity' | 'amount'>, at: Micros): boolean {
    if (liquidity !== 'taker') return false;
    this.forget(at);
    this.taken.push({ at, amount });
    this.sum += amount;
    if (this.sum <= this.most) return false;
    const text = `taking limit: took ${this.sum / MONEY_ONE} within an hour, limit ${this.most / MONEY_ONE}`;
    return this.killSwitch.latch(text, at);
  }

  /** A person resumed: what was taken until now is accepted. */
  accept(): void {
    this.taken.length = 0;
    this.sum = 0;
  }

  private forget(at: Micros): void {
    for (let [oldest] = this.taken; oldest !== undefined && oldest.at <= at - HOUR; [oldest] = this.taken) {
      this.sum -= oldest.amount;
      this.taken.shift();
    }
  }
}
