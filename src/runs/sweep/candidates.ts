/** Which configurations a sweep tries. */
import type { Random } from '../../core/ports/random.js';

/** A value as a configuration file states it. */
export type PlainValue = string | number | boolean | null;

/** Values to choose from, or numbers from `from` to `to` on steps; null: on the grid of prices. */
export type Choice =
  readonly PlainValue[] | { readonly from: number; readonly to: number; readonly step: number | null };

/** A path of the configuration and what may stand there. */
export interface Axis {
  readonly path: string;
  readonly choice: Choice;
}

/** A value for each axis, in their order. */
export type Candidate = readonly PlainValue[];

export type Method = 'grid' | 'random' | 'latin-hypercube';

const PRICE_STEP = 0.0001;
/** Decimals that survive the arithmetic of steps. */
const DECIMALS = 9;

/**
 * Candidates in a fixed order, none of them twice: there may be fewer than were drawn.
 * @param samples how many are drawn; a grid has every combination, the last axis changing fastest
 */
export function candidatesOf(
  method: Method,
  axes: readonly Axis[],
  samples: number,
  random: Random,
): readonly Candidate[] {
  if (method === 'grid') return distinct(gridOf(axes));
  const columns = axes.map(({ path, choice }) => {
    const stream = random.fork(path);
    const shares = method === 'random' ? uniform(samples, stream) : stratified(samples, stream);
    return shares.map((share) => valueAt(choice, share));
  });
  return distinct(Array.from({ length: samples }, (_, sample) => columns.map((column) => column[sample]!)));
}

/** How many combinations a grid has. */
export const gridSize = (axes: readonly Axis[]): number =>
  axes.reduce((product, { choice }) => product * countOf(choice), 1);

const gridOf = (axes: readonly Axis[]): readonly Candidate[] =>
  axes.reduce<readonly Candidate[]>(
    (candidates, { choice }) => {
      const values = Array.from({ length: countOf(choice) }, (_, place) => valueOf(choice, place));
      return candidates.flatMap((candidate) => values.map((value) => [...candidate, value]));
    },
    [[]],
  );

const uniform = (samples: number, random: Random): readonly number[] =>
  Array.from({ length: samples }, () => random.uniform());

/** One in each of so many equal parts, in random order (McKay, Beckman and Conover 1979). */
function stratified(samples: number, random: Random): readonly number[] {
  const strata = Array.from({ length: samples }, (_, place) => place);
  for (let last = samples - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [strata[last], strata[other]] = [strata[other]!, strata[last]!];
  }
  return strata.map((stratum) => (stratum + random.uniform()) / samples);
}

/** @param share from 0 to below 1 */
const valueAt = (choice: Choice, share: number): PlainValue =>
  valueOf(choice, Math.floor(share * countOf(choice)));

function countOf(choice: Choice): number {
  if (isList(choice)) return choice.length;
  const { from, to, step } = choice;
  return Math.floor(Number(((to - from) / (step ?? PRICE_STEP)).toFixed(DECIMALS))) + 1;
}

function valueOf(choice: Choice, place: number): PlainValue {
  if (isList(choice)) return choice[place]!;
  return Number((choice.from + place * (choice.step ?? PRICE_STEP)).toFixed(DECIMALS));
}

const isList = (choice: Choice): choice is readonly PlainValue[] => Array.isArray(choice);

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.map((candidate) => [JSON.stringify(candidate), candidate])).values()];
}
