/** @returns null for no values */
export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** With n - 1. @returns null below two values */
export function deviationOf(values: readonly number[]): number | null {
  const mean = meanOf(values);
  if (mean === null || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Mean over standard deviation, per period and not annualised. @returns null below two values or without variation */
export function sharpeRatio(profits: readonly number[]): number | null {
  const deviation = deviationOf(profits);
  return deviation === null || deviation === 0 ? null : meanOf(profits)! / deviation;
}

/** Mean over the root mean square of the losses, gains counted as zero. @returns null below two values or without a loss */
export function sortinoRatio(profits: readonly number[]): number | null {
  if (profits.length < 2) return null;
  const squares = profits.reduce((sum, profit) => sum + Math.min(0, profit) ** 2, 0);
  return squares === 0 ? null : meanOf(profits)! / Math.sqrt(squares / profits.length);
}

/** The value below which a share `q` of the values lies, interpolated between neighbours. @param sorted ascending, not empty */
export function quantileOf(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}
