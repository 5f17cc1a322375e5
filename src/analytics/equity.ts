import { dayOf } from '../domain/days.js';
import { MONEY_ONE } from '../domain/units.js';
import type { CapitalFigures, DrawdownFigures, RatioFigures } from './analysis.js';
import { meanOf, sharpeRatio, sortinoRatio, StepMean } from './statistics.js';

/** Profit of one day, money units. */
export interface DayProfit {
  /** As of {@link dayOf}. */
  readonly day: number;
  readonly profit: number;
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

  /** The profit changed by so many money units. */
  earn(at: number, change: number): void {
    this.#passDays(at);
    if (at > this.#changedAt) this.#judge();
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
    this.#passDays(at);
    return [...this.#days, { day: this.#day, profit: this.#equity - this.#dayBegan }];
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
      this.#days.push({ day: this.#day, profit: this.#equity - this.#dayBegan });
      this.#dayBegan = this.#equity;
    }
  }
}
