import { cut, widthOf } from './text-width.js';

/** A part of a line that is shown whole or not at all. */
export interface Segment {
  readonly text: string;
  /** Where there is no room for all, those of the highest rank go first. */
  readonly rank: number;
}

/** One line of as many segments as it has room for, in their order; empty ones are none. The last one left may be cut. */
export function fitted(segments: readonly Segment[], width: number, between = '  '): string {
  let kept = segments.filter(({ text }) => text !== '');
  const line = (): string => kept.map(({ text }) => text).join(between);
  while (kept.length > 1 && widthOf(line()) > width) {
    const highest = Math.max(...kept.map(({ rank }) => rank));
    const gone = kept.findLast(({ rank }) => rank === highest);
    kept = kept.filter((one) => one !== gone);
  }
  return cut(line(), width);
}
