/** Probabilities of the outcomes of one event, made to agree. */
import { logit, sigmoid } from './binary.js';

/**
 * Moves all probabilities by the same distance in logit space until they sum to the number of winners.
 * L(mu_i) = L(p_i) - t with sum of mu = winners.
 * @param p probabilities, each strictly between 0 and 1
 * @param winners number of outcomes that win, above 0 and below the number of outcomes
 * @returns the coherent probabilities, and the shift t
 */
export function coherent(
  p: readonly number[],
  winners = 1,
): { readonly mu: readonly number[]; readonly t: number } {
  if (winners <= 0 || winners >= p.length)
    throw new RangeError(
      `winners is ${winners}, expected above 0 and below the number of outcomes, ${p.length}`,
    );
  const logits = p.map(logit);
  // The sum falls as t grows. Bisection is safe where Newton would leave the flat ends; 1e-16 needs 60 halvings.
  let low = Math.min(...logits) - 40;
  let high = Math.max(...logits) + 40;
  for (let step = 0; step < 64; step++) {
    const t = (low + high) / 2;
    let sum = 0;
    for (const x of logits) sum += sigmoid(x - t);
    if (sum > winners) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  return { mu: logits.map((x) => sigmoid(x - t)), t };
}
