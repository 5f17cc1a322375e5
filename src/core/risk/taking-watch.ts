import type { Fill } from '../../domain/fill.js';
import { MONEY_ONE, type Micros, type Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { TakingCaution } from './cautions.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';

const HOUR = 3_600_000_000;
/** Beyond so many entries, those within one part of so many of the hour are put together. */
const MOST = 1_000;

/**
 * Quotes are meant to rest. What trades at once in spite of the last look at the book shows that the book is late, and
 * beyond an amount within an hour that is no accident, restarts or not: the kill switch latches. Of several limits the
 * tightest counts. One currency; what was taken in others is kept for a run that trades them.
 */
export class TakingWatch {
  private readonly most: number;
  private taken: readonly TakingCaution[];

  /**
   * @param before what runs before have taken, the oldest first
   * @param now    nothing was taken later: a clock was set back since
   */
  constructor(
    limits: readonly Pick<RiskLimits, 'maxTakenAmount'>[],
    private readonly killSwitch: KillSwitch,
    private readonly currency: Currency,
    before: readonly TakingCaution[] = [],
    now = Infinity as Micros,
  ) {
    this.most = Math.min(...limits.map(({ maxTakenAmount }) => maxTakenAmount ?? Infinity));
    this.taken = before.map((one) => (one.at > now ? { ...one, at: now } : one));
  }

  /** @returns whether the limit latched the switch now */
  filled({ liquidity, amount }: Pick<Fill, 'liquidity' | 'amount'>, at: Micros): boolean {
    if (liquidity !== 'taker') return false;
    const taken = [...this.counting(at), { currency: this.currency, at, amount }];
    this.taken = taken.length > MOST ? pooled(taken) : taken;
    const sum = this.taken.reduce((whole, one) => whole + this.countedOf(one), 0);
    if (sum <= this.most) return false;
    const text = `taking limit: took ${sum / MONEY_ONE} within an hour, limit ${this.most / MONEY_ONE}`;
    return this.killSwitch.latch(text, at, 'taking-limit');
  }

  /** What counts at this moment, as a restart has to know it. */
  counting(at: Micros): readonly TakingCaution[] {
    return this.taken.filter((one) => one.at > at - HOUR);
  }

  /** A person resumed: what was taken until now is accepted. */
  accept(): void {
    this.taken = [];
  }

  private countedOf({ currency, amount }: TakingCaution): Money {
    return currency === this.currency ? amount : (0 as Money);
  }
}

/** The same amounts; those put together count until the last of them is an hour old. */
function pooled(taken: readonly TakingCaution[]): readonly TakingCaution[] {
  const wholes = new Map<string, TakingCaution>();
  for (const one of taken) {
    const key = `${one.currency}/${Math.floor(one.at / (HOUR / MOST))}`;
    const amount = ((wholes.get(key)?.amount ?? 0) + one.amount) as Money;
    wholes.set(key, { ...one, amount });
  }
  return [...wholes.values()];
}
