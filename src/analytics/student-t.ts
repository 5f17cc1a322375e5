/** Halvings of where the quantile may lie: doubles tell no more apart. */
const HALVINGS = 100;

/**
 * How many standard errors around a mean hold this share of Student's distribution.
 * @param level   between 0 and 1
 * @param freedom whole degrees of freedom, at least 1
 */
export function studentQuantile(level: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (shareWithin(high, freedom) < level) high *= 2;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, freedom) < level) low = middle;
    else high = middle;
  }
  return high;
}

/** The share between -t and t, in closed form for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4). */
function shareWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const square = Math.cos(angle) ** 2;
  const isOdd = freedom % 2 === 1;
  let [sum, term] = [0, isOdd ? Math.cos(angle) : 1];
  for (let at = isOdd ? 1 : 0; at <= freedom - 2; at += 2) {
    sum += term;
    term *= (square * (at + 1)) / (at + 2);
  }
  const tail = Math.sin(angle) * sum;
  return isOdd ? ((angle + tail) * 2) / Math.PI : tail;
}
