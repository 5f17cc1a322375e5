/** How much room a text takes in a terminal, and as much of it as there is room for. */

const ESCAPE = '\u001B';
/** A colour takes no room; whatever else would move the cursor is not for a line. */
const PIECE = new RegExp(`${ESCAPE}\\[[\\d;]*m|.`, 'gsu');
const PRINTABLE_ASCII = /^[ -~]*$/;
const CONTROL = /^[\p{Cc}\u2028\u2029]$/u;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Asks that the character before it is drawn as a picture, which takes two places. */
const AS_PICTURE = '\uFE0F';
/** East Asian wide and fullwidth blocks, as in Unicode Standard Annex 11, and pictures. */
const TWO_PLACES =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]$/u;
/** What figures, times and addresses are made of. */
const OF_FIGURE = /^[\d.,:+\-\u2212%]$/;
const DIGIT = /^\d$/;

/** Places that a text takes: two for a wide character, none for colours and accents. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return piecesOf(text).reduce((sum, piece) => sum + placesOf(piece), 0);
}

/**
 * A text of at most so many places, without anything that moves the cursor. An ellipsis marks a cut, and never stands
 * behind a part of a figure: that is left out whole. Colours that were begun are ended.
 */
export function cut(text: string, width: number): string {
  if (PRINTABLE_ASCII.test(text) && text.length <= width) return text;
  const pieces = piecesOf(text).filter((piece) => !CONTROL.test(piece));
  if (widthOf(pieces.join('')) <= width) return pieces.join('');
  const kept: string[] = [];
  let room = width - 1;
  for (const piece of pieces) {
    room -= placesOf(piece);
    if (room < 0) break;
    kept.push(piece);
  }
  const colours = pieces.slice(kept.length).filter(isColour);
  return width < 1 ? '' : `${withoutFigure(kept).join('')}…${colours.join('')}`;
}

const piecesOf = (text: string): readonly string[] => text.match(PIECE) ?? [];

function placesOf(piece: string): number {
  if (isColour(piece) || CONTROL.test(piece)) return 0;
  if (piece === AS_PICTURE) return 1;
  if (NOTHING.test(piece)) return 0;
  return TWO_PLACES.test(piece) ? 2 : 1;
}

/** What is left of a figure at the end is another figure: it goes, and its colours stay. */
function withoutFigure(pieces: readonly string[]): readonly string[] {
  const from = 1 + pieces.findLastIndex((piece) => !isColour(piece) && !OF_FIGURE.test(piece));
  const end = pieces.slice(from);
  return end.some((piece) => DIGIT.test(piece))
    ? [...pieces.slice(0, from), ...end.filter(isColour)]
    : pieces;
}

const isColour = (piece: string): boolean => piece.startsWith(ESCAPE) && piece.length > 1;

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

/** Lines of a table: columns as wide as their longest cell, figures on the right. @param texts columns of words, on the left */
export function aligned(
  rows: readonly (readonly string[])[],
  ...texts: readonly number[]
): readonly string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const room = ' '.repeat(widths[at]! - widthOf(cell));
        return texts.includes(at) ? cell + room : room + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}
