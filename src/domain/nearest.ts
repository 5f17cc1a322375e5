/**
 * The candidate a person most likely meant, or null when none is close: at most a third of the letters, and at
 * least one, may be wrong, missing, too many, or swapped with a neighbour.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance in which two swapped neighbours count once (optimal string alignment), with three rows. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isEqual = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const edit = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isEqual ? 0 : 1),
      );
      current.push(isSwapped ? Math.min(edit, (beforePrevious[column - 2] ?? Infinity) + 1) : edit);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length]!;
}
