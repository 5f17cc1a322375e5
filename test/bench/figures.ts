import { parseArgs } from 'node:util';
import { UsageError } from '../../src/domain/errors.js';

/** How often to measure, and what; `--rounds N`, `--case X`. */
export interface BenchOptions<Case extends string> {
  readonly rounds: number;
  readonly cases: readonly Case[];
}

/** @throws UsageError on an option that does not exist, or a value that makes no sense */
export function benchOptions<Case extends string>(
  args: string[],
  cases: readonly Case[],
): BenchOptions<Case> {
  const { rounds: text, case: wanted } = optionsOf(args);
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new UsageError(`--rounds is a positive integer, not ${text}`);
  }
  const chosen = cases.filter((name) => wanted === undefined || name === wanted);
  if (chosen.length === 0) throw new UsageError(`--case is one of ${cases.join(', ')}, not ${wanted}`);
  return { rounds, cases: chosen };
}

function optionsOf(args: string[]): { rounds: string; case?: string } {
  const options = { rounds: { type: 'string', default: '5' }, case: { type: 'string' } } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** One measured figure: what, and its value in every round. */
export interface Figure {
  readonly bench: string;
  readonly case: string;
  readonly engine: string;
  readonly figure: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** Per peer its values of the same rounds; the ratio says how many times the peer's value ours is. */
  readonly peers?: Readonly<Record<string, readonly number[]>>;
}

/** Prints a figure as one JSON line: median and range of the rounds, and the median of the rounds' ratios. */
export function printFigure({ values, peers, ...figure }: Figure): void {
  const line = {
    ...figure,
    value: round(median(values)),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
  };
  const ratios = Object.entries(peers ?? {}).map(([name, theirs]) => [
    name,
    round(median(ratiosOf(values, theirs))),
  ]);
  process.stdout.write(
    `${JSON.stringify(ratios.length === 0 ? line : { ...line, ratio: Object.fromEntries(ratios) })}\n`,
  );
}

const ratiosOf = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, at) => value / theirs[at]!);

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/** Four significant digits are more than a shared machine gives. */
const round = (value: number): number => Number(value.toPrecision(4));
