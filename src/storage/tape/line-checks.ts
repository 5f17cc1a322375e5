import type { TapeLine } from './records.js';

/**
 * Finds frames that are on a tape twice, as when overlapping parts of one run were put together: the same text at the
 * same microsecond of the wall clock and of the process clock. What was not received live has no process clock.
 */
export class DuplicateFrames {
  #count = 0;
  #at = 0;
  #mono = 0;
  /** Frames of this microsecond. */
  #frames: TapeLine[] = [];

  /** Duplicates so far. */
  get count(): number {
    return this.#count;
  }

  /** @returns whether the line repeats one before it */
  isDuplicate(line: TapeLine): boolean {
    const { at, mono } = line;
    if (line.kind !== 'frame' || mono === 0) return false;
    if (at !== this.#at || mono !== this.#mono) {
      [this.#at, this.#mono, this.#frames] = [at, mono, [line]];
      return false;
    }
    const isDuplicate = this.#frames.some((one) => textOf(one) === textOf(line));
    if (isDuplicate) this.#count += 1;
    else this.#frames.push(line);
    return isDuplicate;
  }
}

function textOf(line: TapeLine): string {
  if (line.kind !== 'frame') return '';
  const { event, channel, payload, venueAt } = line;
  return JSON.stringify([event, channel, payload, venueAt]);
}

/**
 * Checks that inputs of one engine are numbered from 1 without a hole, in order of time; where lines were left out, a gap
 * says so. Anything else was changed after it was recorded, even if the sums fit.
 */
export class InputOrder {
  #inputs = 0;
  /** Of the input before; null where any number may follow. */
  #seq: number | null = null;
  #at = 0;
  /** Whether a gap stands behind the input before. */
  #isGap = false;

  /** Inputs of all runs. */
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
    if (seq <= before) return `input ${seq} is here again or out of order; expected input ${before + 1}`;
    if (seq > before + 1 && !this.#isGap)
      return `${missing(before + 1, seq - 1)} before input ${seq}, and no gap says why`;
    return at < this.#at ? `input ${seq} is older than the one before it` : null;
  }
}

const missing = (first: number, last: number): string =>
  first === last ? `input ${first} is missing` : `inputs ${first} to ${last} are missing`;

/** Whether a line begins a gap: lines were left out, or the connection was lost. */
export const isGap = (line: TapeLine): boolean =>
  line.kind === 'gap' || (line.kind === 'input' && line.input.kind === 'link' && line.input.state === 'lost');

/** What people are told of so many gaps. */
export const gapNotes = (gaps: number): readonly string[] =>
  gaps === 0 ? [] : [`it has ${gaps} gaps, in which its books stand still`];
