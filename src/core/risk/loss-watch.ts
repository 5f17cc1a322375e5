import { MONEY_ONE, type Micros, type Money } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { KeptLoss, KeptTaking } from './risk-state.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from '../../domain/risk-limits.js';
import type { Fill } from '../../domain/fill.js';

export type LossLimits = Pick<RiskLimits, 'maxLoss' | 'maxDrawdown'>;

/** By how much losses may move before they are written to the disk. */
export type LossSteps = Pick<KeptLoss, 'lost' | 'fell'>;

/** A hundredth of each limit, so that not every book costs a write. */
const STEPS = 100;

/** @returns Infinity where there is no limit */
export function lossStepsOf(limits: readonly LossLimits[]): LossSteps {
  const { maxLoss, maxDrawdown } = tightestOf(limits);
  return { lost: (maxLoss / STEPS) as Money, fell: (maxDrawdown / STEPS) as Money };
}

/** Are losses a step or more away from those on the disk, in any currency? */
export function haveLossesMoved(
  noted: readonly KeptLoss[],
  now: readonly KeptLoss[],
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
 * Latches the kill switch when too much is lost, or profit has fallen too far from its best. Losses of earlier runs
 * count until a person accepts them. The tightest limit counts. Losses in other currencies are kept for a run that
 * trades them.
 */
export class LossWatch {
  private maxLoss = Infinity;
  private maxDrawdown = Infinity;
  private start: number;
  private best: number;
  private profit = 0;
  private others: readonly KeptLoss[];

  /** @param before what runs before have lost */
  constructor(
    limits: readonly LossLimits[],
    private readonly killSwitch: KillSwitch,
    private readonly currency: Currency,
    before: readonly KeptLoss[] = [],
  ) {
    this.limit(limits);
    const own = before.find((one) => one.currency === currency);
    this.start = own?.lost ?? 0;
    this.best = own?.fell ?? 0;
    this.others = before.filter((one) => one !== own);
  }

  /** These limits hold from now on; what was lost until now counts. */
  limit(limits: readonly LossLimits[]): void {
    const { maxLoss, maxDrawdown } = tightestOf(limits);
    this.maxLoss = maxLoss;
    this.maxDrawdown = maxDrawdown;
  }

  /** The exact losses that a restart must know: rounded, they would grow with every restart. */
  get counting(): readonly KeptLoss[] {
    const { start, best, profit, maxDrawdown, currency, others } = this;
    const lost = Math.max(0, start - profit) as Money;
    const fell = Math.max(0, maxDrawdown === Infinity ? 0 : best - profit) as Money;
    return lost === 0 && fell === 0 ? others : [...others, { currency, lost, fell }];
  }

  /** Sets the starting profit. What shares held before the run have lost in value is no loss of this run. */
  open(profit: Money): void {
    const opened = profit - this.profit;
    this.start += opened;
    this.best += opened;
    this.profit = profit;
  }

  /** Checks the profit of the run. @returns whether a limit latched the switch now */
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

const HOUR = 3_600_000_000;
/** Beyond so many entries, those in the same small part of the hour are pooled. */
const MOST = 1_000;

/**
 * Latches the kill switch when quotes take too much within an hour. Quotes are meant to rest: taking in spite of the
 * last look shows that the book is late. Restarts do not reset the hour. The tightest limit counts. What was taken on purpose
 * counts in {@link within} alone. Amounts in other currencies are kept for a run that trades them.
 */
export class TakingWatch {
  private most = Infinity;
  private taken: readonly KeptTaking[];

  /**
   * @param before amounts taken by earlier runs, oldest first
   * @param now no amount is younger: the clock may have been set back
   */
  constructor(
    limits: readonly Pick<RiskLimits, 'maxTakenAmount'>[],
    private readonly killSwitch: KillSwitch,
    private readonly currency: Currency,
    before: readonly KeptTaking[] = [],
    now = Infinity as Micros,
  ) {
    this.limit(limits);
    this.taken = before.map((one) => (one.at > now ? { ...one, at: now } : one));
  }

  /** These limits hold from now on. */
  limit(limits: readonly Pick<RiskLimits, 'maxTakenAmount'>[]): void {
    this.most = Math.min(...limits.map(({ maxTakenAmount }) => maxTakenAmount ?? Infinity));
  }

  /**
   * @param isWanted whether it was taken on purpose
   * @returns whether the limit latched the switch now
   */
  filled({ liquidity, amount }: Pick<Fill, 'liquidity' | 'amount'>, at: Micros, isWanted = false): boolean {
    if (liquidity !== 'taker') return false;
    const one = { currency: this.currency, at, amount };
    const taken = [...this.counting(at), isWanted ? { ...one, isWanted } : one];
    this.taken = taken.length > MOST ? pooled(taken) : taken;
    if (isWanted) return false;
    const unwanted = this.taken.filter((each) => each.isWanted !== true);
    const sum = unwanted.reduce((whole, each) => whole + this.countedOf(each), 0);
    if (sum <= this.most) return false;
    const text = `taking limit: took ${sum / MONEY_ONE} within an hour, limit ${this.most / MONEY_ONE}`;
    return this.killSwitch.latch(text, at, 'taking-limit');
  }

  /** Amount taken within the hour, on purpose or not. */
  within(at: Micros): number {
    return this.counting(at).reduce((whole, one) => whole + this.countedOf(one), 0);
  }

  /** The amounts that count now, as a restart must know them. */
  counting(at: Micros): readonly KeptTaking[] {
    return this.taken.filter((one) => one.at > at - HOUR);
  }

  /** A person resumed: what was taken until now is accepted. */
  accept(): void {
    this.taken = [];
  }

  private countedOf({ currency, amount }: KeptTaking): Money {
    return currency === this.currency ? amount : (0 as Money);
  }
}

/** Pools amounts; a pooled amount counts until its last part is an hour old. */
function pooled(taken: readonly KeptTaking[]): readonly KeptTaking[] {
  const wholes = new Map<string, KeptTaking>();
  for (const one of taken) {
    const key = `${one.currency}/${one.isWanted === true}/${Math.floor(one.at / (HOUR / MOST))}`;
    const amount = ((wholes.get(key)?.amount ?? 0) + one.amount) as Money;
    wholes.set(key, { ...one, amount });
  }
  return [...wholes.values()];
}
