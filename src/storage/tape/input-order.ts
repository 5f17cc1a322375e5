import type { TapeLine } from './records.js';

/**
 * Inputs of one engine are numbered from 1 without a hole, and their times never decrease; where lines were left out, a
 * gap says so. What is otherwise was changed after it was recorded, whether the sums fit or not.
 */
export class InputOrder {
  #inputs = 0;
  /** Of the input before; null where any may follow. */
  #seq: number | null = null;
  #at = 0;
  /** Whether a gap stands behind the input before. */
  #isGap = false;

  /** How many there were, of all runs. */
  get inputs(): number {
    return this.#inputs;
  }

  /** @returns what is wrong with the next line; null when nothing is */
  check(line: TapeLine): string | null {
    if (line.kind === 'start') this.#begin();
    if (line.kind === 'gap') this.#isGap = true;
    if ((line.kind !== 'frame' && line.kind !== 'input') || line.seq === undefined) return null;
    const problem = this.#seq === null ? null : this.#problem(this.#seq, line.seq, line.at);
    this.#inputs += 1;
    this.#seq = line.seq;
    this.#at = line.at;
    this.#isGap = false;
    return problem;
  }

  #begin(): void {
    this.#seq = 0;
    this.#at = 0;
  }

  #problem(before: number, seq: number, at: number): string | null {
    if (seq <= before) return `input ${seq} stands here again or out of order; expected input ${before + 1}`;
    if (seq > before + 1 && !this.#isGap)
      return `${missing(before + 1, seq - 1)} before input ${seq}, and no gap says why`;
    return at < this.#at ? `input ${seq} is older than the one before it` : null;
  }
}

const missing = (first: number, last: number): string =>
  first === last ? `input ${first} is missing` : `inputs ${first} to ${last} are missing`;
