/** The experiment of Avellaneda and Stoikov (2008), section 3.3: two strategies on the same simulated paths. */
import type { Random } from '../core/ports/random.js';
import { avellanedaStoikov } from '../core/strategy/models/index.js';
import { deviationOf, meanOf } from './statistics.js';

export interface ExperimentOptions {
  /** Risk aversion of the inventory strategy. */
  readonly gamma: number;
  readonly paths: number;
  readonly seed: number;
}

/** Moments over all paths. Money and prices in the paper's units. */
export interface ExperimentRow {
  readonly model: 'avellaneda-stoikov';
  readonly gamma: number;
  /** `inventory` quotes around the reservation price, `symmetric` the same average spread around the mid. */
  readonly strategy: 'inventory' | 'symmetric';
  readonly meanSpread: number;
  readonly profit: number;
  readonly stdProfit: number;
  readonly finalInventory: number;
  readonly stdFinalInventory: number;
  readonly paths: number;
  readonly seed: number;
  /** What the paper prints; null where it is not known here. */
  readonly published: Published | null;
}

type Published = Pick<ExperimentRow, 'meanSpread' | 'profit' | 'stdProfit' | 'stdFinalInventory'>;

/** Of the paper's table for gamma 0.1. */
const PUBLISHED: Published = { meanSpread: 1.49, profit: 65, stdProfit: 6.6, stdFinalInventory: 2.9 };

/** Parameters of the paper. */
const PAPER = { mid: 100, sigma: 2, k: 1.5, a: 140, horizon: 1, step: 0.005 } as const;

interface PathEnd {
  readonly spread: number;
  readonly profit: number;
  readonly inventory: number;
}

/** @param random forked by strategy and path, so that a row does not depend on what ran before it */
export function runExperiment({ gamma, paths, seed }: ExperimentOptions, random: Random): ExperimentRow[] {
  return (['inventory', 'symmetric'] as const).map((strategy) => {
    const source = random.fork(`${strategy} ${seed}`);
    const ends = Array.from({ length: paths }, () => walk(strategy, gamma, source));
    const profits = ends.map(({ profit }) => profit);
    const inventories = ends.map(({ inventory }) => inventory);
    return {
      model: 'avellaneda-stoikov',
      gamma,
      strategy,
      meanSpread: meanOf(ends.map(({ spread }) => spread)) ?? 0,
      profit: meanOf(profits) ?? 0,
      stdProfit: deviationOf(profits) ?? 0,
      finalInventory: meanOf(inventories) ?? 0,
      stdFinalInventory: deviationOf(inventories) ?? 0,
      paths,
      seed,
      published: gamma === 0.1 && strategy === 'inventory' ? PUBLISHED : null,
    };
  });
}

function walk(strategy: ExperimentRow['strategy'], gamma: number, random: Random): PathEnd {
  const { sigma, k, a, horizon, step } = PAPER;
  const steps = Math.round(horizon / step);
  const average = averageSpread(gamma);
  let { mid }: { mid: number } = PAPER;
  let [cash, inventory, spreads] = [0, 0, 0];
  for (let at = 0; at < steps; at++) {
    const timeLeft = horizon - at * step;
    const { bid, ask } =
      strategy === 'inventory'
        ? avellanedaStoikov({ mid, inventory, gamma, sigma, k, timeLeft })
        : { bid: mid - average / 2, ask: mid + average / 2 };
    spreads += ask - bid;
    if (random.uniform() < a * Math.exp(-k * (mid - bid)) * step) {
      inventory += 1;
      cash -= bid;
    }
    if (random.uniform() < a * Math.exp(-k * (ask - mid)) * step) {
      inventory -= 1;
      cash += ask;
    }
    mid += (random.uniform() < 0.5 ? -1 : 1) * sigma * Math.sqrt(step);
  }
  return { spread: spreads / steps, profit: cash + inventory * mid, inventory };
}

/** The spread does not depend on the inventory, so its average over time is known beforehand. */
function averageSpread(gamma: number): number {
  const { mid, sigma, k, horizon, step } = PAPER;
  const steps = Math.round(horizon / step);
  let sum = 0;
  for (let at = 0; at < steps; at++) {
    const quotes = avellanedaStoikov({ mid, inventory: 0, gamma, sigma, k, timeLeft: horizon - at * step });
    sum += quotes.ask - quotes.bid;
  }
  return sum / steps;
}
