import type { Random } from '../../../core/ports/random.js';

/** Draws how long messages travel, microseconds. Ask once for each message, in the order in which they leave. */
export interface LatencyModel {
  /** From the venue's publication to the engine. */
  feed(): number;
  /** From the engine's decision to the venue. */
  request(): number;
  /** From the venue's answer to the engine. */
  response(): number;
}

/** A message's direction. */
export type Way = keyof LatencyModel;

/** A recorded distribution as equally spaced quantiles, milliseconds, ascending. One value is a constant. */
export type Quantiles = readonly number[];

const MICROS_PER_MS = 1_000;

/**
 * Draws from recorded distributions, with straight lines between the quantiles. Each way has its own random stream, so
 * one more message on a way moves nothing on another.
 * @throws RangeError when quantiles are missing, negative or descend
 */
export function sampledLatency(quantiles: Readonly<Record<Way, Quantiles>>, random: Random): LatencyModel {
  const way = (name: Way): (() => number) => draws(quantiles[name], random.fork(name), name);
  return { feed: way('feed'), request: way('request'), response: way('response') };
}

function draws(quantiles: Quantiles, random: Random, name: Way): () => number {
  const isValid =
    quantiles.length > 0 && quantiles.every((value, at) => value >= (at === 0 ? 0 : quantiles[at - 1]!));
  if (!isValid) throw new RangeError(`quantiles of the ${name} latency ascend from 0 or more`);
  if (quantiles.length === 1) return () => Math.round(quantiles[0]! * MICROS_PER_MS);
  return () => Math.round(quantileAt(quantiles, random.uniform()) * MICROS_PER_MS);
}

/** @param share from 0 to 1 */
function quantileAt(quantiles: Quantiles, share: number): number {
  const place = share * (quantiles.length - 1);
  const below = Math.floor(place);
  const low = quantiles[below]!;
  const high = quantiles[below + 1] ?? low;
  return low + (high - low) * (place - below);
}
