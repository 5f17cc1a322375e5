/** Figures of real and simulated fills of the same orders. */
import type { MarkOutFigures } from '../../analytics/analysis.js';
import { type DelayFigures, Delays } from '../../analytics/calibration/poisson-intensity.js';
import { MARK_OUT_SECONDS, MarkOutSums } from '../../analytics/mark-outs.js';
import { quantileOf } from '../../analytics/statistics.js';
import type { Answer } from '../../domain/answers.js';
import type { MarketId } from '../../domain/ids.js';
import type { Stamped } from '../../domain/inputs.js';
import { type Micros, SHARE_ONE } from '../../domain/units.js';
import type { BookChange, TapedOrder } from '../../storage/index.js';

/** Shares of one order that traded at one time. */
export interface ShadowFill {
  readonly at: Micros;
  /** Long-side price units. */
  readonly price: number;
  readonly shares: number;
  readonly liquidity: 'maker' | 'taker';
}

/** An order of the bot with its real fills and its fills in each simulation. */
export interface ComparedOrder {
  readonly order: TapedOrder;
  readonly real: MarkedFill[];
  /** By fill model, in their order. */
  readonly simulated: readonly MarkedFill[][];
}

export interface FillTotals {
  /** Orders that were filled, if only in part. */
  readonly orders: number;
  readonly fills: number;
  readonly shares: number;
  /** Of the shares those that traded on arrival. */
  readonly takenShares: number;
}

/** Seconds from arrival to the first fill, of orders that were filled both really and in simulation. */
export interface WaitFigures {
  readonly orders: number;
  readonly realMedian: number;
  readonly simulatedMedian: number;
  /** Of simulated less real, order by order. */
  readonly quartiles: readonly [number, number, number];
}

export interface ScenarioFigures {
  readonly name: string;
  readonly simulated: FillTotals;
  /** Simulated over real shares; null when nothing was really filled. */
  readonly ratio: number | null;
  /** Shares: order by order the part that both filled, and what either filled beyond it. */
  readonly matched: number;
  readonly onlySimulated: number;
  readonly missed: number;
  readonly wait: WaitFigures | null;
  readonly markOuts: {
    readonly real: readonly MarkOutFigures[];
    readonly onlySimulated: readonly MarkOutFigures[];
    readonly missed: readonly MarkOutFigures[];
  };
}

export function realTotals(compared: readonly ComparedOrder[]): FillTotals {
  return totals(compared.map(({ real }) => real));
}

/** @param at place of the fillModel */
export function scenarioFigures(
  name: string,
  at: number,
  compared: readonly ComparedOrder[],
): ScenarioFigures {
  const real = realTotals(compared);
  const simulated = totals(compared.map((one) => one.simulated[at]!));
  const sums = { real: new MarkOutSums(), onlySimulated: new MarkOutSums(), missed: new MarkOutSums() };
  let matched = 0;
  for (const one of compared) {
    const both = Math.min(sharesOf(one.real), sharesOf(one.simulated[at]!));
    matched += both;
    judge(sums.real, one.real, 0);
    judge(sums.missed, one.real, both);
    judge(sums.onlySimulated, one.simulated[at]!, both);
  }
  const common = matched / SHARE_ONE;
  return {
    name,
    simulated,
    ratio: real.shares === 0 ? null : simulated.shares / real.shares,
    matched: common,
    onlySimulated: simulated.shares - common,
    missed: real.shares - common,
    wait: waits(compared, at),
    markOuts: {
      real: sums.real.figures(),
      onlySimulated: sums.onlySimulated.figures(),
      missed: sums.missed.figures(),
    },
  };
}

function totals(orders: readonly (readonly MarkedFill[])[]): FillTotals {
  const filled = orders.filter(({ length }) => length > 0);
  const fills = filled.flat();
  return {
    orders: filled.length,
    fills: fills.length,
    shares: sharesOf(fills) / SHARE_ONE,
    takenShares: sharesOf(fills.filter(({ liquidity }) => liquidity === 'taker')) / SHARE_ONE,
  };
}

/** Judges fills by their marks, the first so many shares of the order left out. */
function judge(sums: MarkOutSums, fills: readonly MarkedFill[], leftOut: number): void {
  let skip = leftOut;
  for (const { shares, price, direction, marks } of fills) {
    const counted = Math.max(0, shares - skip);
    skip = Math.max(0, skip - shares);
    if (counted === 0) continue;
    for (let horizon = 0; horizon < MARK_OUT_SECONDS.length; horizon++)
      if (!Number.isNaN(marks[horizon])) sums.judge(horizon, direction * (marks[horizon]! - price), counted);
  }
}

/** Microseconds from the order's arrival to its first fill; null when it had none. */
const waitOf = ({ order }: ComparedOrder, [first]: readonly ShadowFill[]): number | null =>
  first === undefined ? null : first.at - order.placedAt;

const sharesOf = (fills: readonly ShadowFill[]): number => fills.reduce((sum, { shares }) => sum + shares, 0);

function waits(compared: readonly ComparedOrder[], at: number): WaitFigures | null {
  const pairs = compared.flatMap((one) => {
    const real = waitOf(one, one.real);
    const simulated = waitOf(one, one.simulated[at]!);
    return real === null || simulated === null ? [] : [{ real: real / 1e6, simulated: simulated / 1e6 }];
  });
  if (pairs.length === 0) return null;
  const spread = sorted(pairs.map(({ real, simulated }) => simulated - real));
  return {
    orders: pairs.length,
    realMedian: quantileOf(sorted(pairs.map(({ real }) => real)), 0.5),
    simulatedMedian: quantileOf(sorted(pairs.map(({ simulated }) => simulated)), 0.5),
    quartiles: [quantileOf(spread, 0.25), quantileOf(spread, 0.5), quantileOf(spread, 0.75)],
  };
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** A fill with later prices of the market. */
export interface MarkedFill extends ShadowFill {
  /** +1 bought long or sold short, -1 the other way. */
  readonly direction: 1 | -1;
  /** Others' mid, long-side price units, after each of `MARK_OUT_SECONDS`; NaN where nobody knows. */
  readonly marks: number[];
}

/** Fills of one market in the order of their times, and how far each horizon has got. */
interface Waiting {
  mark: number;
  fills: MarkedFill[];
  readonly next: number[];
}

const COMPACT_AT = 1_024;

/**
 * Marks fills by the later mid of others' book: own quotes do not mark own fills. While a side is empty, the last mid
 * holds.
 */
export class MarkWatch {
  readonly #markets = new Map<MarketId, Waiting>();

  /** @param fill not older than any before of its market */
  add(market: MarketId, fill: MarkedFill): void {
    this.#market(market).fills.push(fill);
  }

  moment({ marketId, at, bids, asks }: BookChange): void {
    const market = this.#market(marketId);
    markDue(market, at);
    const [bid] = bids;
    const [ask] = asks;
    if (bid !== undefined && ask !== undefined) market.mark = (bid.price + ask.price) / 2;
  }

  /** The tape is over: later marks stay unknown. */
  end(at: Micros): void {
    for (const market of this.#markets.values()) markDue(market, at + 1);
  }

  #market(id: MarketId): Waiting {
    let market = this.#markets.get(id);
    if (market === undefined)
      this.#markets.set(id, (market = { mark: Number.NaN, fills: [], next: MARK_OUT_SECONDS.map(() => 0) }));
    return market;
  }
}

/** Marks fills whose horizon ended before a time. */
function markDue(market: Waiting, before: number): void {
  const { fills, next, mark } = market;
  MARK_OUT_SECONDS.forEach((seconds, horizon) => {
    for (; next[horizon]! < fills.length; next[horizon]! += 1) {
      const fill = fills[next[horizon]!]!;
      if (fill.at + seconds * 1e6 >= before) return;
      fill.marks[horizon] = mark;
    }
  });
  const done = Math.min(...next);
  if (done < COMPACT_AT) return;
  market.fills = fills.slice(done);
  for (let horizon = 0; horizon < next.length; horizon++) next[horizon]! -= done;
}

const MICROS_PER_MS = 1_000;

/** Recorded latencies. All but the round trip compare the clocks of venue and bot. */
export interface WayFigures {
  readonly feed: DelayFigures | null;
  /** From a request's first byte to the venue's time of the order that it made. */
  readonly request: DelayFigures | null;
  /** From there to its answer. */
  readonly response: DelayFigures | null;
  readonly roundTrip: DelayFigures | null;
}

export class WayTimes {
  readonly #feed = new Delays();
  readonly #request = new Delays();
  readonly #response = new Delays();
  readonly #roundTrip = new Delays();

  take({ input, at }: Stamped): void {
    if (input.kind === 'answer') this.#answered(input, at);
    // The time of a balance is in whole seconds.
    else if ('venueTime' in input && typeof input.venueTime === 'number' && input.kind !== 'balance')
      this.#feed.add((at - input.venueTime) / MICROS_PER_MS);
  }

  figures(): WayFigures {
    return {
      feed: this.#feed.figures(),
      request: this.#request.figures(),
      response: this.#response.figures(),
      roundTrip: this.#roundTrip.figures(),
    };
  }

  #answered({ sentAt, outcome }: Answer, at: number): void {
    if (sentAt === null || !outcome.ok) return;
    this.#roundTrip.add((at - sentAt) / MICROS_PER_MS);
    const { body } = outcome;
    if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return;
    const made = body.items.find((item) => item.ok && item.value.createdAt !== null);
    if (made === undefined || !made.ok || made.value.createdAt === null) return;
    this.#request.add((made.value.createdAt - sentAt) / MICROS_PER_MS);
    this.#response.add((at - made.value.createdAt) / MICROS_PER_MS);
  }
}
