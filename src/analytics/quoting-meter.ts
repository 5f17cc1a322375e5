import type { PriceUnits } from '../domain/units.js';
import { PRICE_ONE } from '../domain/units.js';
import type { QuotingFigures } from './analysis.js';
import type { UptimeRule } from './run-description.js';

/** Best own quote of each side, long-side prices; NaN where none stands. */
export interface OwnTouch {
  bid: number;
  ask: number;
  bidShares: number;
  askShares: number;
}

/** Times in microseconds; the times of two markets add up. */
export interface QuotingTimes {
  observed: number;
  quoted: number;
  bidAtTouch: number;
  askAtTouch: number;
  bothAtTouch: number;
  twoSided: number;
  /** Integral of the own spread over the two-sided time, price units x microseconds. */
  spread: number;
}

export const noTimes = (): QuotingTimes => ({
  observed: 0,
  quoted: 0,
  bidAtTouch: 0,
  askAtTouch: 0,
  bothAtTouch: 0,
  twoSided: 0,
  spread: 0,
});

/** Adds the times of another market. */
export function addTimes(to: QuotingTimes, more: QuotingTimes): void {
  for (const key of Object.keys(to) as (keyof QuotingTimes)[]) to[key] += more[key];
}

/** How long one market was quoted, and how well placed. */
export class QuotingMeter {
  readonly #times = noTimes();
  #since: number;
  #isQuoted = false;
  #isBidAtTouch = false;
  #isAskAtTouch = false;
  #spread = Number.NaN;
  #isOver = false;

  constructor(
    at: number,
    private readonly rule: UptimeRule,
  ) {
    this.#since = at;
  }

  /** Own quotes or the market's best prices changed. */
  set(at: number, own: OwnTouch, bid: PriceUnits | null, ask: PriceUnits | null): void {
    this.#pass(at);
    const spread = own.ask - own.bid;
    this.#spread = spread;
    this.#isQuoted =
      spread <= this.rule.maxSpread &&
      own.bidShares >= this.rule.minShares &&
      own.askShares >= this.rule.minShares;
    this.#isBidAtTouch = own.bid >= (bid ?? 0);
    this.#isAskAtTouch = own.ask <= (ask ?? PRICE_ONE);
  }

  /** The market has resolved: there is nothing to quote any more. */
  close(at: number): void {
    this.#pass(at);
    this.#isOver = true;
  }

  /** The resolution was taken back. */
  reopen(at: number): void {
    this.#since = at;
    this.#isOver = false;
  }

  times(at: number): QuotingTimes {
    this.#pass(at);
    return { ...this.#times };
  }

  #pass(at: number): void {
    const passed = at - this.#since;
    this.#since = at;
    if (this.#isOver || passed <= 0) return;
    const times = this.#times;
    times.observed += passed;
    if (this.#isQuoted) times.quoted += passed;
    if (this.#isBidAtTouch) times.bidAtTouch += passed;
    if (this.#isAskAtTouch) times.askAtTouch += passed;
    if (this.#isBidAtTouch && this.#isAskAtTouch) times.bothAtTouch += passed;
    if (Number.isNaN(this.#spread)) return;
    times.twoSided += passed;
    times.spread += this.#spread * passed;
  }
}

/** Times as shares of the observed time. */
export function quotingFigures(times: QuotingTimes): QuotingFigures {
  const share = (part: number): number | null => (times.observed === 0 ? null : part / times.observed);
  return {
    observedSeconds: times.observed / 1e6,
    uptime: share(times.quoted),
    bidAtTouch: share(times.bidAtTouch),
    askAtTouch: share(times.askAtTouch),
    bothAtTouch: share(times.bothAtTouch),
    meanSpread: times.twoSided === 0 ? null : times.spread / times.twoSided / PRICE_ONE,
  };
}
