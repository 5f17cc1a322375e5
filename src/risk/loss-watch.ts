import { MONEY_ONE, type Micros, type Money } from '../domain/units.js';
import type { Currency } from '../domain/vocabulary.js';
import type { LossCaution } from './cautions.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';

export type LossLimits = Pick<RiskLimits, 'maxLoss' | 'maxDrawdown'>;

/** What counts from before is kept in hundredths of the limit, and rounded up. */
const STEPS = 100;

/**
 * Latches the kill switch when too much is lost, or profit has fallen too far from its best: in this run and in those
 * before it, until a person accepts it. Of several limits the tightest counts. One currency; what was lost in others is
 * kept for a run that trades them.
 */
export class LossWatch {
  private readonly maxLoss: number;
  private readonly maxDrawdown: number;
  private start: number;
  private best: number;
  private profit = 0;
  private others: readonly LossCaution[];

  /** @param before what runs before have lost */
  constructor(
    limits: readonly LossLimits[],
    private readonly killSwitch: KillSwitch,
    private readonly currency: Currency,
    before: readonly LossCaution[] = [],
  ) {
    this.maxLoss = Math.min(...limits.map(({ maxLoss }) => maxLoss));
    this.maxDrawdown = Math.min(...limits.map(({ maxDrawdown }) => maxDrawdown ?? Infinity));
    const own = before.find((one) => one.currency === currency);
    this.start = own?.lost ?? 0;
    this.best = own?.fell ?? 0;
    this.others = before.filter((one) => one !== own);
  }

  /** What counts now, as a restart has to know it. */
  get counting(): readonly LossCaution[] {
    const { start, best, profit, maxLoss, maxDrawdown, currency, others } = this;
    const [lost, fell] = [inSteps(start - profit, maxLoss), inSteps(best - profit, maxDrawdown)];
    return lost === 0 && fell === 0 ? others : [...others, { currency, lost, fell }];
  }

  /**
   * The run opens its books: what the shares held before it are worth less than they cost is no loss of its own, and may
   * be among those of the runs before.
   */
  open(profit: Money): void {
    const opened = profit - this.profit;
    this.start += opened;
    this.best += opened;
    this.profit = profit;
  }

  /**
   * Takes note of the profit of the run.
   * @returns whether a limit latched the switch now
   */
  check(profit: Money, at: Micros): boolean {
    this.profit = profit;
    this.best = Math.max(this.best, profit);
    const loss = this.start - profit;
    if (loss > this.maxLoss) return this.latch('loss-limit', `lost ${told(loss, this.maxLoss)}`, at);
    const fall = this.best - profit;
    if (fall > this.maxDrawdown)
      return this.latch('drawdown-limit', `fell by ${told(fall, this.maxDrawdown)}`, at);
    return false;
  }

  /** A person resumed: what is lost until now is accepted, and the limits count from here, in every currency. */
  accept(profit: Money): void {
    this.profit = profit;
    this.start = profit;
    this.best = profit;
    this.others = [];
  }

  private latch(rule: 'loss-limit' | 'drawdown-limit', what: string, at: Micros): boolean {
    return this.killSwitch.latch(`${rule.replace('-', ' ')}: ${what}`, at, rule);
  }
}

const told = (amount: number, limit: number): string => `${amount / MONEY_ONE}, limit ${limit / MONEY_ONE}`;

/** So that it is not written down anew with every book. */
function inSteps(amount: number, limit: number): Money {
  if (amount <= 0 || !Number.isFinite(limit)) return 0 as Money;
  const step = Math.max(1, Math.ceil(limit / STEPS));
  return (Math.ceil(amount / step) * step) as Money;
}
