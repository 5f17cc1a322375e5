import { PRICE_ONE } from '../domain/units.js';
import type { ScoreFigures } from './analysis.js';

/** A certain price that fails would cost infinitely much in the log score: prices are kept this far from 0 and 1. */
const CERTAIN = 1e-4;

/** (p - outcome)^2. @param outcome 1 for long, 0 for short */
const brierScore = (p: number, outcome: 0 | 1): number => (p - outcome) ** 2;

/** -ln of the probability that was given to what came. */
const logScore = (p: number, outcome: 0 | 1): number =>
  -Math.log(Math.max(CERTAIN, outcome === 1 ? p : 1 - p));

/** The scores of one market, null where there was no price. */
export interface MarketScore {
  readonly brier: number;
  readonly meanBrier: number;
  readonly log: number;
  readonly meanLog: number;
}

/** A price of one market over time, to be scored once the outcome is known; without its history. */
export class ScoreMeter {
  #since: number;
  #p = Number.NaN;
  #lastP: number | null = null;
  #time = 0;
  readonly #integrals = { brierLong: 0, brierShort: 0, logLong: 0, logShort: 0 };

  constructor(at: number) {
    this.#since = at;
  }

  /** @param price long-side price units; NaN: none stands, and the time is not counted */
  set(at: number, price: number): void {
    this.#pass(at);
    this.#p = price / PRICE_ONE;
    if (!Number.isNaN(price)) this.#lastP = this.#p;
  }

  /** @returns null when there never was a price */
  score(at: number, outcome: 0 | 1): MarketScore | null {
    this.#pass(at);
    if (this.#lastP === null) return null;
    const { brierLong, brierShort, logLong, logShort } = this.#integrals;
    const brier = brierScore(this.#lastP, outcome);
    const log = logScore(this.#lastP, outcome);
    if (this.#time === 0) return { brier, meanBrier: brier, log, meanLog: log };
    const meanBrier = (outcome === 1 ? brierLong : brierShort) / this.#time;
    const meanLog = (outcome === 1 ? logLong : logShort) / this.#time;
    return { brier, meanBrier, log, meanLog };
  }

  #pass(at: number): void {
    const passed = at - this.#since;
    this.#since = at;
    if (Number.isNaN(this.#p) || passed <= 0) return;
    this.#time += passed;
    this.#integrals.brierLong += brierScore(this.#p, 1) * passed;
    this.#integrals.brierShort += brierScore(this.#p, 0) * passed;
    this.#integrals.logLong += logScore(this.#p, 1) * passed;
    this.#integrals.logShort += logScore(this.#p, 0) * passed;
  }
}

/** Means over markets, each counting once. */
export function scoreFigures(scores: readonly MarketScore[]): ScoreFigures {
  const mean = (of: (score: MarketScore) => number): number | null =>
    scores.length === 0 ? null : scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    markets: scores.length,
    brier: mean((score) => score.brier),
    meanBrier: mean((score) => score.meanBrier),
    log: mean((score) => score.log),
    meanLog: mean((score) => score.meanLog),
  };
}
