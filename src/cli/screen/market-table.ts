/** The markets of a screen, a line each, in as many columns as the terminal has room for. */
import type {
  LevelView,
  MarketStateView,
  OwnQuoteView,
  EngineView,
} from '../../core/engine/observing/view.js';
import {
  column,
  moneyText,
  priceText,
  probabilityText,
  sharesText,
  signed,
  type Paint,
  paintSigned,
} from './format.js';
import { widthOf } from './text.js';
import type { EventId, MarketId } from '../../domain/ids.js';

interface Column {
  readonly title: string;
  /** Places; more where a figure takes more. */
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

/** Both sides where there is no room for a column each. */
const ourQuotes: Column = {
  title: 'our bid/ask',
  width: 13,
  align: 'right',
  text: ({ quotes }) => `${bestPrice(quotes, 'bid')}/${bestPrice(quotes, 'ask')}`,
};

const withShares = (level: LevelView | null): string =>
  level === null ? '-' : `${priceText(level.price)} x${sharesText(level.shares)}`;
const priceAlone = (level: LevelView | null): string => (level === null ? '-' : priceText(level.price));

/** The best own quote of a side, and how many more levels stand behind it. */
function quoteText(
  quotes: readonly OwnQuoteView[],
  side: 'bid' | 'ask',
  level: (level: LevelView | null) => string,
): string {
  const [first, ...others] = bestFirst(quotes, side);
  if (first === undefined) return '-';
  return `${level(first)}${others.length > 0 ? ` +${others.length}` : ''}`;
}

const bestPrice = (quotes: readonly OwnQuoteView[], side: 'bid' | 'ask'): string =>
  priceAlone(bestFirst(quotes, side)[0] ?? null);

const bestFirst = (quotes: readonly OwnQuoteView[], side: 'bid' | 'ask'): readonly OwnQuoteView[] =>
  quotes
    .filter((quote) => quote.side === side)
    .toSorted((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));

const noteOf = ({ instance, halted, refusedBy }: MarketStateView): string => {
  if (instance === null) return 'observed';
  return halted ?? (refusedBy === null ? '' : `refused: ${refusedBy}`);
};

const bookOfPrices = bookColumn(15, priceAlone);
const bidPrice = quoteColumn('bid', 9, priceAlone);
const askPrice = quoteColumn('ask', 9, priceAlone);

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
  [bookOfPrices, fair, bidPrice, askPrice, net, profit, fills],
  [bookOfPrices, bidPrice, askPrice, net, profit],
  [bidPrice, askPrice, net, profit],
  [ourQuotes, net],
  [net],
  [],
];

/** Where a note stands that has no room behind the figures. */
const QUOTES: ReadonlySet<string> = new Set(['our bid', 'our ask', ourQuotes.title]);

const placesOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + 1 + width, 0);

/** So wide that no figure is cut. */
const widened = (columns: readonly Column[], markets: readonly MarketStateView[]): readonly Column[] =>
  columns.map((each) => ({
    ...each,
    width: Math.max(each.width, ...markets.map((market) => widthOf(each.text(market)))),
  }));

/**
 * With sizes from 113 columns on, prices alone below that, without fair values and counts below 89, without the venue's book
 * below 73, without profits below 57; the titles of the markets give way first, and everything sooner where figures are
 * large, since none is ever cut. Why a market is not quoted stands behind its figures, or where its quotes would be.
 */
export class MarketTable {
  readonly #columns: readonly Column[];
  readonly #titleWidth: number;
  readonly #left: number;

  /**
   * @param markets all that there are, shown or not: columns keep their places
   * @param width   characters in a line of the terminal
   */
  constructor(
    markets: readonly MarketStateView[],
    width: number,
    private readonly paint: Paint,
  ) {
    const layouts = LAYOUTS.map((layout) => widened(layout, markets));
    this.#columns =
      layouts.find((layout) => TITLE_WIDTH.least + placesOf(layout) <= width) ?? layouts.at(-1)!;
    const room = width - placesOf(this.#columns);
    this.#titleWidth = Math.min(TITLE_WIDTH.most, room);
    this.#left = room - this.#titleWidth;
  }

  header(): string {
    const titles = this.#columns.map(({ title, width, align }) => column(title, width, align));
    return this.paint.dim([column('market', this.#titleWidth), ...titles].join(' '));
  }

  line(market: MarketStateView): string {
    const note = noteOf(market);
    const title = column(`  ${market.title}`, this.#titleWidth);
    if (note === '') return [title, ...this.#cells(market)].join(' ');
    if (note.length + 2 <= this.#left)
      return `${[title, ...this.#cells(market)].join(' ')}  ${this.paint.warn(note)}`;
    if (market.halted === null && market.quotes.length > 0) return [title, ...this.#cells(market)].join(' ');
    if (!this.#columns.some(({ title: name }) => QUOTES.has(name)))
      return [this.paint.warn(title), ...this.#cells(market)].join(' ');
    return [title, ...this.#cellsWith(note, market)].join(' ');
  }

  #cells(market: MarketStateView): string[] {
    return this.#columns.map((each) => this.#cell(each, market));
  }

  #cell({ text, width, align, painted }: Column, market: MarketStateView): string {
    const cell = column(text(market), width, align);
    return painted === undefined ? cell : painted(cell, market, this.paint);
  }

  /** The note takes the place of the quotes: a market that is not quoted has none that matter. */
  #cellsWith(note: string, market: MarketStateView): string[] {
    const from = this.#columns.findIndex(({ title }) => QUOTES.has(title));
    const quotes = this.#columns.filter(({ title }) => QUOTES.has(title));
    const cells = this.#cells(market);
    const width = placesOf(quotes) - 1;
    cells.splice(from, quotes.length, this.paint.warn(column(note, width, 'right')));
    return cells;
  }
}

/** Which markets a screen shows that has no room for all of them. */

export interface MarketChoice {
  /** Together with their events. */
  readonly shown: readonly MarketStateView[];
  readonly left: readonly MarketStateView[];
}

/**
 * Those that need a person first: not quoted as wanted while shares are held, then not quoted for a reason of their own, then
 * with shares, then the others, and at last those that are only observed or are over. They stand where they stand when there is room for all,
 * so that nothing leaps about.
 * @param lines for markets and the titles of their events
 */
export function chooseMarkets(markets: readonly MarketStateView[], lines: number): MarketChoice {
  if (linesOf(markets) <= lines) return { shown: markets, left: [] };
  const events = new Set<EventId>();
  const chosen = new Set<MarketStateView>();
  let room = lines;
  for (const market of markets.toSorted((one, other) => needOf(one) - needOf(other))) {
    room -= events.has(market.eventId) ? 1 : 2;
    if (room < 0) break;
    events.add(market.eventId);
    chosen.add(market);
  }
  return {
    shown: [...events]
      .toSorted((one, other) => placeOf(markets, one) - placeOf(markets, other))
      .flatMap((event) => markets.filter((market) => market.eventId === event && chosen.has(market))),
    left: markets.filter((market) => !chosen.has(market)),
  };
}

/** A line each, and one for every event. */
export const linesOf = (markets: readonly MarketStateView[]): number =>
  markets.reduce((sum, { eventId }, at) => sum + (markets[at - 1]?.eventId === eventId ? 1 : 2), 0);

/** Something keeps a market that trades from being quoted as its strategy wants. */
export const isHeldBack = (market: MarketStateView): boolean =>
  isQuoted(market) && (market.halted !== null || market.refusedBy !== null || market.sizeLeft < 1);

const isQuoted = ({ instance, tradability }: MarketStateView): boolean =>
  instance !== null && tradability !== 'closed';

const holdsShares = ({ inventory: { long, short } }: MarketStateView): boolean => long !== 0 || short !== 0;

/** What holds many markets back at once, and is said above them. */
const SAID_ABOVE: ReadonlySet<string> = new Set([
  'killed',
  'strategy-fault',
  'starting',
  'stopping',
  'ended',
]);

function needOf(market: MarketStateView): number {
  if (holdsShares(market)) return isHeldBack(market) ? 0 : 2;
  if (isHeldBack(market) && !SAID_ABOVE.has(market.halted ?? '')) return 1;
  return isQuoted(market) ? 3 : 4;
}

const placeOf = (markets: readonly MarketStateView[], event: EventId): number =>
  markets.findIndex(({ eventId }) => eventId === event);

/**
 * What markets are called where their event does not stand above them: by their title, with that of the event before it
 * where several have the same, and with their number where that does not tell them apart either.
 */
export function marketNames({ markets }: Pick<EngineView, 'markets'>): ReadonlyMap<MarketId, string> {
  const titles = countOf(markets.map(({ title }) => title));
  const fullTitles = countOf(markets.map(fullTitle));
  return new Map(
    markets.map((market) => {
      if (titles.get(market.title) === 1) return [market.marketId, market.title];
      const full = fullTitle(market);
      return [market.marketId, fullTitles.get(full) === 1 ? full : `${full} (${market.marketId})`];
    }),
  );
}

const fullTitle = ({ eventTitle, title }: EngineView['markets'][number]): string => `${eventTitle} ${title}`;

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
