/** Markets whose fair values move every second, and quotes that lag behind them; all prices in ticks. */
import type { Random } from '../../../src/core/ports/random.js';

export const TICK_US = 1_000_000;
const MARKETS = 500;
const LOWEST = 20;
const HIGHEST = 80;

/** One bid and one ask of this size stand a fixed distance from `quote`, and should from where the path is now. */
export interface LaggingMarket {
  readonly index: number;
  /** Whole shares. */
  readonly size: number;
  /** Fair value by second. */
  readonly path: Int16Array;
  /** Where the venue has our quotes. */
  quote: number;
  /** A request about it is on its way. */
  isBusy: boolean;
}

/** Random walks of different speed: some markets move nearly every second, some seldom, some by several ticks. */
export function laggingMarkets(random: Random, seconds: number): LaggingMarket[] {
  return Array.from({ length: MARKETS }, (_, index) => {
    const path = pathOf(random, seconds, 0.1 + 0.9 * random.uniform(), 1 + random.below(3));
    return { index, size: 10 + random.below(91), path, quote: path[0]!, isBusy: false };
  });
}

function pathOf(random: Random, seconds: number, chance: number, mostTicks: number): Int16Array {
  const path = new Int16Array(seconds + 1);
  path[0] = 35 + random.below(31);
  for (let second = 1; second <= seconds; second++) {
    const before = path[second - 1]!;
    const step = random.uniform() < chance ? (1 + random.below(mostTicks)) * (random.below(2) * 2 - 1) : 0;
    const next = before + step;
    path[second] = next < LOWEST || next > HIGHEST ? before - step : next;
  }
  return path;
}

/** |quote - desired| x size of both quotes, in ticks times whole shares. */
export const mispricing = ({ quote, path, size }: LaggingMarket, second: number): number =>
  2 * size * Math.abs(quote - path[second]!);
