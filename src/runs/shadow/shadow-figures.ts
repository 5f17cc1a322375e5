/** Figures of real and simulated fills of the same orders. */
import type { MarkOutFigures } from '../../analytics/analysis.js';
import { MARK_OUT_SECONDS, MarkOutSums } from '../../analytics/mark-outs.js';
import { quantileOf } from '../../analytics/statistics.js';
import { SHARE_ONE } from '../../domain/units.js';
import { type ComparedOrder, type MarkedFill, sharesOf, waitOf } from './shadow-orders.js';

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
