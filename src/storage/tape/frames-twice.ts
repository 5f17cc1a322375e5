import type { TapeLine } from './records.js';

/**
 * Notices frames that stand on a tape twice, as where parts of one run were put together that overlap: the same text, at
 * the same microsecond by wall and by the clock of the process. What was not received live has no such clock.
 */
export class FramesTwice {
  #count = 0;
  #at = 0;
  #mono = 0;
  /** Texts of the frames of this microsecond; made only once there are several. */
  #frames: TapeLine[] = [];

  /** How many so far. */
  get count(): number {
    return this.#count;
  }

  /** @returns whether the line says again what one before it said */
  isAgain(line: TapeLine): boolean {
    const { at, mono } = line;
    if (line.kind !== 'frame' || mono === 0) return false;
    if (at !== this.#at || mono !== this.#mono) {
      [this.#at, this.#mono, this.#frames] = [at, mono, [line]];
      return false;
    }
    const isAgain = this.#frames.some((one) => textOf(one) === textOf(line));
    if (isAgain) this.#count += 1;
    else this.#frames.push(line);
    return isAgain;
  }
}

function textOf(line: TapeLine): string {
  if (line.kind !== 'frame') return '';
  const { event, channel, payload, venueAt } = line;
  return JSON.stringify([event, channel, payload, venueAt]);
}
