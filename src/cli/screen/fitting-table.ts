/** A table on a terminal whose rows come one by one: columns whose widths are known before. */
import { column } from './format.js';
import { widthOf } from './text.js';

export interface TableColumn {
  readonly title: string;
  /** Places of its longest cell. */
  readonly width: number;
  /** Texts stand on the left, and are cut; a figure that is longer than its column pushes what stands behind it. */
  readonly align: 'left' | 'right';
  /** Where there is no room for all, those of the highest rank go first. */
  readonly rank: number;
  /** A name may be cut to so many places, at its beginning: names of one place differ at their ends. */
  readonly least?: number;
}

export interface FittingTable {
  readonly head: string;
  /** Titles of columns that there is no room for. */
  readonly left: readonly string[];
  /** @param cells one for each column that was given, shown or not */
  readonly row: (cells: readonly string[]) => string;
}

const BETWEEN = '  ';

/** As many of the columns as the terminal has room for, in their order. @param width of the terminal */
export function fittingTable(columns: readonly TableColumn[], width: number): FittingTable {
  let kept = columns.map(wideEnough);
  while (kept.length > 1 && leastOf(kept) > width) {
    const highest = Math.max(...kept.map(({ rank }) => rank));
    kept = kept.filter(({ rank }) => rank !== highest);
  }
  const missing = Math.max(0, placesOf(kept) - width);
  const shown = shrunk(kept, missing);
  const titles = new Set(shown.map(({ title }) => title));
  return {
    head: lineOf(shown.map((each) => column(each.title, each.width, each.align))),
    left: columns.map(({ title }) => title).filter((title) => !titles.has(title)),
    row: (cells) =>
      lineOf(
        columns.flatMap(({ title }, at) => {
          const place = shown.find((each) => each.title === title);
          return place === undefined ? [] : [cellOf(cells[at] ?? '', place)];
        }),
      ),
  };
}

const wideEnough = (given: TableColumn): TableColumn => ({
  ...given,
  width: Math.max(given.width, widthOf(given.title)),
});

const placesOf = (columns: readonly TableColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, (columns.length - 1) * BETWEEN.length);

const leastOf = (columns: readonly TableColumn[]): number =>
  placesOf(columns.map((each) => ({ ...each, width: Math.min(each.width, each.least ?? Infinity) })));

/** The names give way, the first as far as it can. */
function shrunk(columns: readonly TableColumn[], places: number): readonly TableColumn[] {
  let missing = places;
  return columns.map((each) => {
    const given = Math.min(missing, Math.max(0, each.width - (each.least ?? Infinity)));
    missing -= given;
    return { ...each, width: each.width - given };
  });
}

function cellOf(text: string, { width, align, least }: TableColumn): string {
  const isCut = least !== undefined && widthOf(text) > width;
  const shown = isCut ? `…${text.slice(text.length - width + 1)}` : text;
  return align === 'right' && widthOf(shown) > width ? shown : column(shown, width, align);
}

const lineOf = (cells: readonly string[]): string => cells.join(BETWEEN).trimEnd();
