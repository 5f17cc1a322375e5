/** Random draws and the two functions between probabilities and log-odds. */
import type { Shares } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';

/** Uniform between both bounds, inclusive. */
export const sizeBetween = (random: Random, min: Shares, max: Shares): Shares =>
  (min + random.below(Math.max(1, max - min + 1))) as Shares;

/** @param items at least one */
export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[random.below(items.length)]!;

/** Standard normal (Box and Muller, 1958). */
export const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

export const logit = (p: number): number => Math.log(p / (1 - p));
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
