import { type PriceUnits, PRICE_ONE, type Shares, SHARE_ONE } from '../domain/units.js';
import type { QuotingFigures, InventoryFigures, ScoreFigures } from './analysis.js';
import type { UptimeRule, StandingOrder } from './observer.js';
import type { Fill } from '../domain/fill.js';
import type { OrderId } from '../domain/ids.js';
import type { Side } from '../domain/vocabulary.js';
import { StepMean, TimedMeter } from './statistics.js';

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
  anySided: number;
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
  anySided: 0,
  spread: 0,
});

/** Adds the times of another market. */
export function addTimes(to: QuotingTimes, more: QuotingTimes): void {
  for (const key of Object.keys(to) as (keyof QuotingTimes)[]) to[key] += more[key];
}

/** How long one market was quoted, and how well placed. */
export class QuotingMeter extends TimedMeter {
  readonly #times = noTimes();
  #isQuoted = false;
  #isBidAtTouch = false;
  #isAskAtTouch = false;
  #spread = Number.NaN;
  #isAnySided = false;

  constructor(
    at: number,
    private readonly rule: UptimeRule,
  ) {
    super(at);
  }

  /** Own quotes or the market's best prices changed. */
  set(at: number, own: OwnTouch, bid: PriceUnits | null, ask: PriceUnits | null): void {
    this.pass(at);
    const spread = own.ask - own.bid;
    this.#spread = spread;
    this.#isAnySided = !Number.isNaN(own.bid) || !Number.isNaN(own.ask);
    this.#isQuoted =
      spread <= this.rule.maxSpread &&
      own.bidShares >= this.rule.minShares &&
      own.askShares >= this.rule.minShares;
    this.#isBidAtTouch = own.bid >= (bid ?? 0);
    this.#isAskAtTouch = own.ask <= (ask ?? PRICE_ONE);
  }

  times(at: number): QuotingTimes {
    this.pass(at);
    return { ...this.#times };
  }

  protected held(passed: number): void {
    const times = this.#times;
    times.observed += passed;
    if (this.#isQuoted) times.quoted += passed;
    if (this.#isBidAtTouch) times.bidAtTouch += passed;
    if (this.#isAskAtTouch) times.askAtTouch += passed;
    if (this.#isBidAtTouch && this.#isAskAtTouch) times.bothAtTouch += passed;
    if (this.#isAnySided) times.anySided += passed;
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
    bothSides: share(times.twoSided),
    anySide: share(times.anySided),
    uptime: share(times.quoted),
    bidAtTouch: share(times.bidAtTouch),
    askAtTouch: share(times.askAtTouch),
    bothAtTouch: share(times.bothAtTouch),
    meanSpread: times.twoSided === 0 ? null : times.spread / times.twoSided / PRICE_ONE,
  };
}

/** Our orders that stand in one market: their best prices, what they lock, and how much was ever offered. */
export class OwnQuotes {
  /** Of what stands now. */
  readonly touch: OwnTouch = { bid: Number.NaN, ask: Number.NaN, bidShares: 0, askShares: 0 };
  #locked = 0;
  /** Shares left of every standing order, by id. */
  #left = new Map<OrderId, number>();
  #signature: (number | string)[] = [];

  /** @param offers is told of shares that were not on offer before */
  constructor(private readonly offers: (side: Side, shares: number) => void) {}

  /** Cash that standing bids lock, money units. */
  get locked(): number {
    return this.#locked;
  }

  /** @returns whether it differs from what stood before */
  replace(orders: readonly StandingOrder[]): boolean {
    if (this.#isSame(orders)) return false;
    this.#signature = orders.flatMap((order) => [order.orderId ?? '', order.longPrice, order.remaining]);
    this.#noteOffers(orders);
    this.#noteTouch(orders);
    return true;
  }

  /** Shares that trade before their order was ever seen standing were on offer, too. */
  filled({ orderId, shares }: Fill, side: Side): void {
    const left = this.#left.get(orderId);
    if (left === undefined) this.offers(side, shares);
    else this.#left.set(orderId, left - shares);
  }

  #isSame(orders: readonly StandingOrder[]): boolean {
    const known = this.#signature;
    if (known.length !== orders.length * 3) return false;
    return orders.every(
      ({ orderId, longPrice, remaining }, index) =>
        known[index * 3] === (orderId ?? -1) &&
        known[index * 3 + 1] === longPrice &&
        known[index * 3 + 2] === remaining,
    );
  }

  #noteOffers(orders: readonly StandingOrder[]): void {
    const left = new Map<OrderId, number>();
    for (const { orderId, bookSide, remaining } of orders) {
      if (orderId === null) continue;
      const before = this.#left.get(orderId) ?? 0;
      if (remaining > before) this.offers(bookSide, remaining - before);
      left.set(orderId, remaining);
    }
    this.#left = left;
  }

  #noteTouch(orders: readonly StandingOrder[]): void {
    const { touch } = this;
    Object.assign(touch, { bid: Number.NaN, ask: Number.NaN, bidShares: 0, askShares: 0 });
    this.#locked = 0;
    for (const { side, bookSide, price, longPrice, remaining } of orders) {
      if (side === 'bid') this.#locked += price * remaining;
      if (bookSide === 'bid') {
        if (!(touch.bid >= longPrice)) Object.assign(touch, { bid: longPrice, bidShares: 0 });
        if (touch.bid === longPrice) touch.bidShares += remaining;
      } else {
        if (!(touch.ask <= longPrice)) Object.assign(touch, { ask: longPrice, askShares: 0 });
        if (touch.ask === longPrice) touch.askShares += remaining;
      }
    }
  }
}

const SAMPLE_MICROS = 1_000_000;
/** So often it has to have gone up, and down, for its way back to be told from its way there. */
const LEAST_TURNS = 5;

/**
 * Net shares of one market over time: extremes, means, and how fast it reverts. The half-life is -dt ln 2 / ln phi of
 * a first-order autoregression of the net shares, sampled each second (market-making formulas, "Analytics"), until the
 * market resolves: a payout takes away what nothing reverted. Of what went up or down fewer than five times there is none:
 * least squares finds one for a single fill that was held to the end.
 */
export class InventoryMeter {
  readonly #net: StepMean;
  readonly #absolute: StepMean;
  readonly #decay = new Autoregression();
  #sampledAt: number;
  #isOver = false;

  constructor(at: number) {
    this.#net = new StepMean(at);
    this.#absolute = new StepMean(at);
    this.#sampledAt = at;
  }

  set(at: number, net: Shares): void {
    this.#sampleUntil(at);
    this.#net.set(at, net);
    this.#absolute.set(at, Math.abs(net));
  }

  /** The market has resolved; what it pays out comes after this. */
  close(at: number): void {
    this.#sampleUntil(at);
    this.#isOver = true;
  }

  /** The resolution was taken back; what it gave back came before this. */
  reopen(at: number): void {
    this.#sampledAt = at;
    this.#isOver = false;
  }

  figures(at: number): InventoryFigures {
    this.#sampleUntil(at);
    const phi = this.#decay.phi();
    return {
      highest: this.#net.highest / SHARE_ONE,
      lowest: this.#net.lowest / SHARE_ONE,
      last: this.#net.value / SHARE_ONE,
      meanAbsolute: this.#absolute.mean(at) / SHARE_ONE,
      halfLifeSeconds: phi !== null && phi > 0 && phi < 1 ? -Math.LN2 / Math.log(phi) : null,
    };
  }

  /** The samples before `at` all see the value that held so far. */
  #sampleUntil(at: number): void {
    if (this.#isOver) return;
    const samples = Math.max(0, Math.ceil((at - this.#sampledAt) / SAMPLE_MICROS));
    if (samples === 0) return;
    this.#decay.sample(this.#net.value / SHARE_ONE, samples);
    this.#sampledAt += samples * SAMPLE_MICROS;
  }
}

/** Least squares of x[t+1] = a + phi x[t], without its history. */
class Autoregression {
  #last: number | null = null;
  #pairs = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #rises = 0;
  #falls = 0;

  /** The same value, several times. */
  sample(value: number, times: number): void {
    if (this.#last !== null) this.#pair(this.#last, value, 1);
    if (times > 1) this.#pair(value, value, times - 1);
    if (this.#last !== null && value > this.#last) this.#rises += 1;
    if (this.#last !== null && value < this.#last) this.#falls += 1;
    this.#last = value;
  }

  /** Null while too little moved, either way. */
  phi(): number | null {
    if (Math.min(this.#rises, this.#falls) < LEAST_TURNS) return null;
    const variance = this.#pairs * this.#xx - this.#x * this.#x;
    return variance > 0 ? (this.#pairs * this.#xy - this.#x * this.#y) / variance : null;
  }

  #pair(x: number, y: number, times: number): void {
    this.#pairs += times;
    this.#x += x * times;
    this.#y += y * times;
    this.#xx += x * x * times;
    this.#xy += x * y * times;
  }
}

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
export class ScoreMeter extends TimedMeter {
  #p = Number.NaN;
  #lastP: number | null = null;
  #time = 0;
  readonly #integrals = { brierLong: 0, brierShort: 0, logLong: 0, logShort: 0 };

  /** @param price long-side price units; NaN: none stands, and the time is not counted */
  set(at: number, price: number): void {
    this.pass(at);
    this.#p = price / PRICE_ONE;
    if (!Number.isNaN(price)) this.#lastP = this.#p;
  }

  /** @returns null when there never was a price */
  score(at: number, outcome: 0 | 1): MarketScore | null {
    this.pass(at);
    if (this.#lastP === null) return null;
    const { brierLong, brierShort, logLong, logShort } = this.#integrals;
    const brier = brierScore(this.#lastP, outcome);
    const log = logScore(this.#lastP, outcome);
    if (this.#time === 0) return { brier, meanBrier: brier, log, meanLog: log };
    const meanBrier = (outcome === 1 ? brierLong : brierShort) / this.#time;
    const meanLog = (outcome === 1 ? logLong : logShort) / this.#time;
    return { brier, meanBrier, log, meanLog };
  }

  protected held(passed: number): void {
    if (Number.isNaN(this.#p)) return;
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
