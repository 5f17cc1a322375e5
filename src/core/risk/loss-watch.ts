import { MONEY_ONE, type Micros, type Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { LossCaution } from './cautions.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';

export type LossLimits = Pick<RiskLimits, 'maxLoss' | 'maxDrawdown'>;

/** By how much what is lost may have moved before it is written down durably. */
export type LossSteps = Pick<LossCaution, 'lost' | 'fell'>;

/** A hundredth of each limit, so that a disk need not take every book durably. */
const STEPS = 100;

/** @returns Infinity where there is no limit */
export function lossStepsOf(limits: readonly LossLimits[]): LossSteps {
  const { maxLoss, maxDrawdown } = tightestOf(limits);
  return { lost: (maxLoss / STEPS) as Money, fell: (maxDrawdown / STEPS) as Money };
}

/** Whether what is lost now is a step or more from what was written down, in any currency. */
export function haveLossesMoved(
  noted: readonly LossCaution[],
  now: readonly LossCaution[],
  steps: LossSteps,
): boolean {
  return [...noted, ...now].some(({ currency }) => {
    const [before, after] = [noted, now].map((losses) => losses.find((one) => one.currency === currency));
    return (['lost', 'fell'] as const).some(
      (what) => Math.abs((after?.[what] ?? 0) - (before?.[what] ?? 0)) >= steps[what],
    );
  });
}

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
    const { maxLoss, maxDrawdown } = tightestOf(limits);
    this.maxLoss = maxLoss;
    this.maxDrawdown = maxDrawdown;
    const own = before.find((one) => one.currency === currency);
    this.start = own?.lost ?? 0;
    this.best = own?.fell ?? 0;
    this.others = before.filter((one) => one !== own);
  }

  /** What counts now, exactly, as a restart has to know it: rounded, it would grow with every restart. */
  get counting(): readonly LossCaution[] {
    const { start, best, profit, maxDrawdown, currency, others } = this;
    const lost = Math.max(0, start - profit) as Money;
    const fell = Math.max(0, maxDrawdown === Infinity ? 0 : best - profit) as Money;
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

const tightestOf = (limits: readonly LossLimits[]): { maxLoss: number; maxDrawdown: number } => ({
  maxLoss: Math.min(...limits.map(({ maxLoss }) => maxLoss)),
  maxDrawdown: Math.min(...limits.map(({ maxDrawdown }) => maxDrawdown ?? Infinity)),
});
