import { dayOf } from '../domain/days.js';
import type { Fill } from '../domain/fill.js';
import { MONEY_ONE } from '../domain/units.js';
import type { CapitalFigures, DrawdownFigures, RatioFigures } from './analysis.js';
import { meanOf, sharpeRatio, sortinoRatio, StepMean } from './statistics.js';

/** Profit of one day, money units. */
export interface DayProfit {
  /** As of {@link dayOf}. */
  readonly day: number;
  readonly profit: number;
  /** Furthest below the best so far. */
  readonly drawdown: number;
}

/** What was filled on one day, in units; fees less rebates. */
export interface DayFills {
  fills: number;
  shares: number;
  amount: number;
  fees: number;
}

/** What a later message takes back or corrects is no fill of its own. */
export function countFill(days: Map<number, DayFills>, fill: Fill, at: number): void {
  const day = days.get(dayOf(at)) ?? { fills: 0, shares: 0, amount: 0, fees: 0 };
  days.set(dayOf(at), day);
  if (fill.shares > 0) day.fills += 1;
  day.shares += fill.shares;
  day.amount += fill.amount;
  day.fees += fill.fee;
}

/**
 * Profit and capital of a market, an event, a strategy or the run over time, as running sums over its markets. What
 * comes at one time is told one after the other, and counts together: a profit in between was nobody's.
 */
export class EquityMeter {
  #equity = 0;
  #best = 0;
  #worst = 0;
  #from: number | null = null;
  #to: number | null = null;
  #bestAt: number;
  #changedAt: number;
  #day: number;
  #dayBegan = 0;
  #dayWorst = 0;
  readonly #days: DayProfit[] = [];
  readonly #capital: StepMean;

  constructor(at: number) {
    this.#bestAt = at;
    this.#changedAt = at;
    this.#day = dayOf(at);
    this.#capital = new StepMean(at);
  }

  get equity(): number {
    return this.#equity;
  }

  /** Below the best so far; never positive. */
  get underwater(): number {
    return Math.min(0, this.#equity - this.#best);
  }

  /** The profit changed by so many money units. */
  earn(at: number, change: number): void {
    if (at > this.#changedAt) this.#judge();
    this.#passDays(at);
    this.#changedAt = at;
    this.#equity += change;
  }

  /** The capital in use changed by so many money units. */
  bind(at: number, change: number): void {
    this.#capital.set(at, this.#capital.value + change);
  }

  drawdown(): DrawdownFigures {
    this.#judge();
    return { worst: this.#worst / MONEY_ONE, from: this.#from, to: this.#to };
  }

  capital(at: number): CapitalFigures {
    const peak = this.#capital.highest;
    return {
      peak: peak / MONEY_ONE,
      mean: this.#capital.mean(at) / MONEY_ONE,
      returnOnPeak: peak > 0 ? this.#equity / peak : null,
    };
  }

  /** Every UTC day from the first to that of `at`. */
  days(at: number): readonly DayProfit[] {
    this.#judge();
    this.#passDays(at);
    return [...this.#days, this.#today()];
  }

  ratios(at: number): RatioFigures {
    const profits = this.days(at).map(({ profit }) => profit / MONEY_ONE);
    return {
      days: profits.length,
      meanPerDay: meanOf(profits),
      sharpe: sharpeRatio(profits),
      sortino: sortinoRatio(profits),
    };
  }

  /** Whether the profit since the last change is the best, or the furthest below it. */
  #judge(): void {
    const fall = this.#best - this.#equity;
    this.#dayWorst = Math.max(this.#dayWorst, fall);
    if (fall < 0) {
      this.#best = this.#equity;
      this.#bestAt = this.#changedAt;
    } else if (fall > this.#worst) {
      this.#worst = fall;
      this.#from = this.#bestAt;
      this.#to = this.#changedAt;
    }
  }

  #passDays(at: number): void {
    const today = dayOf(at);
    for (; this.#day < today; this.#day++) {
      this.#days.push(this.#today());
      this.#dayBegan = this.#equity;
      this.#dayWorst = 0 - this.underwater;
    }
  }

  #today(): DayProfit {
    return { day: this.#day, profit: this.#equity - this.#dayBegan, drawdown: this.#dayWorst };
  }
}
