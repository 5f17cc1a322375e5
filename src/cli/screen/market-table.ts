/** The markets of a screen, a line each, in as many columns as the terminal has room for. */
import type { LevelView, MarketStateView, OwnQuoteView } from '../../engine/observing/view.js';
import { column, moneyText, priceText, probabilityText, sharesText, signed } from './format.js';
import { type Paint, paintSigned } from './paint.js';

interface Column {
  readonly title: string;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly text: (market: MarketStateView) => string;
  readonly painted?: (text: string, market: MarketStateView, paint: Paint) => string;
}

const TITLE_WIDTH = { most: 24, least: 16 } as const;

const fair: Column = {
  title: 'fair',
  width: 8,
  align: 'right',
  text: (market) => (market.fair === null ? '-' : probabilityText(market.fair)),
};
const net: Column = {
  title: 'net',
  width: 9,
  align: 'right',
  text: ({ inventory: { long, short } }) => signed(sharesText((long - short) as typeof long)),
};
const profit: Column = {
  title: 'profit',
  width: 10,
  align: 'right',
  text: (market) => signed(moneyText(market.profit)),
  painted: (text, market, paint) => paintSigned(text, market.profit, paint),
};
const fills: Column = { title: 'fills', width: 6, align: 'right', text: (market) => String(market.fills) };

const bookColumn = (width: number, level: (level: LevelView | null) => string): Column => ({
  title: 'venue bid / ask',
  width,
  align: 'left',
  text: ({ book: { bid, ask, freshness } }) => {
    if (bid !== null || ask !== null) return `${level(bid)} / ${level(ask)}`;
    return freshness === 'live' ? 'empty' : freshness;
  },
});

const quoteColumn = (
  side: 'bid' | 'ask',
  width: number,
  level: (level: LevelView | null) => string,
): Column => ({
  title: `our ${side}`,
  width,
  align: 'right',
  text: (market) => quoteText(market.quotes, side, level),
  painted: (text, _market, paint) => (side === 'bid' ? paint.good(text) : paint.bad(text)),
});

const withShares = (level: LevelView | null): string =>
  level === null ? '-' : `${priceText(level.price)} x${sharesText(level.shares)}`;
const priceAlone = (level: LevelView | null): string => (level === null ? '-' : priceText(level.price));

/** The best own quote of a side, and how many more levels stand behind it. */
function quoteText(
  quotes: readonly OwnQuoteView[],
  side: 'bid' | 'ask',
  level: (level: LevelView | null) => string,
): string {
  const ours = quotes.filter((quote) => quote.side === side);
  const [first] = ours.toSorted((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));
  if (first === undefined) return '-';
  return `${level(first)}${ours.length > 1 ? ` +${ours.length - 1}` : ''}`;
}

const noteOf = ({ instance, halted, refusedBy }: MarketStateView): string => {
  if (instance === null) return 'observed';
  return halted ?? (refusedBy === null ? '' : `refused: ${refusedBy}`);
};

/** The widest first; the last one serves whatever the width. */
const LAYOUTS: readonly (readonly Column[])[] = [
  [
    bookColumn(27, withShares),
    fair,
    quoteColumn('bid', 15, withShares),
    quoteColumn('ask', 15, withShares),
    net,
    profit,
    fills,
  ],
  [
    bookColumn(15, priceAlone),
    fair,
    quoteColumn('bid', 9, priceAlone),
    quoteColumn('ask', 9, priceAlone),
    net,
    profit,
    fills,
  ],
  [
    bookColumn(15, priceAlone),
    quoteColumn('bid', 9, priceAlone),
    quoteColumn('ask', 9, priceAlone),
    net,
    profit,
  ],
];

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + 1 + width, 0);

/**
 * With sizes from 113 columns on, prices alone below that, without fair values and counts below 89; the titles of the
 * markets give way first. Why a market is not quoted stands behind its figures, or where its quotes would be.
 */
export class MarketTable {
  readonly #columns: readonly Column[];
  readonly #titleWidth: number;
  readonly #left: number;

  /** @param width characters in a line of the terminal */
  constructor(
    width: number,
    private readonly paint: Paint,
  ) {
    this.#columns = LAYOUTS.find((layout) => TITLE_WIDTH.least + widthOf(layout) <= width) ?? LAYOUTS.at(-1)!;
    const room = width - widthOf(this.#columns);
    this.#titleWidth = Math.max(TITLE_WIDTH.least, Math.min(TITLE_WIDTH.most, room));
    this.#left = room - this.#titleWidth;
  }

  header(): string {
    const titles = this.#columns.map(({ title, width, align }) => column(title, width, align));
    return this.paint.dim([column('market', this.#titleWidth), ...titles].join(' '));
  }

  line(market: MarketStateView): string {
    const note = noteOf(market);
    const isBehind = note.length + 2 <= this.#left;
    const title = column(`  ${market.title}`, this.#titleWidth);
    const showsQuotes = market.halted === null && market.quotes.length > 0;
    const cells =
      isBehind || note === '' || showsQuotes ? this.#cells(market) : this.#cellsWith(note, market);
    const behind = isBehind && note !== '' ? `  ${this.paint.warn(note)}` : '';
    return [title, ...cells].join(' ') + behind;
  }

  #cells(market: MarketStateView): string[] {
    return this.#columns.map((each) => this.#cell(each, market));
  }

  #cell({ text, width, align, painted }: Column, market: MarketStateView): string {
    const cell = column(text(market), width, align);
    return painted === undefined ? cell : painted(cell, market, this.paint);
  }

  /** The note takes the place of both quotes: a market that is not quoted has none that matter. */
  #cellsWith(note: string, market: MarketStateView): string[] {
    const from = this.#columns.findIndex(({ title }) => title === 'our bid');
    const width = this.#columns[from]!.width + 1 + this.#columns[from + 1]!.width;
    const cells = this.#cells(market);
    cells.splice(from, 2, this.paint.warn(column(note, width, 'right')));
    return cells;
  }
}
