import type { Micros, Shares } from '../domain/units.js';
import type { Random } from '../ports/random.js';

/** Waiting time until the next event of a Poisson process. @param ratePerS events per second, positive */
export const waitingTime = (random: Random, ratePerS: number): number =>
  Math.ceil((-Math.log(1 - random.uniform()) / ratePerS) * 1_000_000);

export const after = (at: Micros, durationMicros: number): Micros => (at + durationMicros) as Micros;

/** Uniform between both bounds, inclusive. */
export const sizeBetween = (random: Random, min: Shares, max: Shares): Shares =>
  (min + random.below(Math.max(1, max - min + 1))) as Shares;

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[random.below(items.length)]!;

/** Standard normal (Box and Muller, 1958). */
export const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

export const logit = (p: number): number => Math.log(p / (1 - p));
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
