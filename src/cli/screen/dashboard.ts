/** The picture of a running bot: a pure function from its view to lines of text. */
import type { EngineView, FillView, LevelView, MarketStateView, OwnQuoteView } from '../../engine/view.js';
import {
  column,
  durationText,
  moneyText,
  priceText,
  probabilityText,
  sharesText,
  signed,
  timeText,
} from './format.js';
import type { Paint } from './paint.js';

export interface ScreenFrame {
  readonly title: string;
  readonly view: EngineView;
  readonly elapsedMs: number;
  /** Full URLs to show below the title, with their names. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** Shown in the last line, such as how to stop. */
  readonly hint: string;
}

const WIDTHS = {
  market: 24,
  book: 27,
  fair: 8,
  bid: 15,
  ask: 15,
  inventory: 10,
  profit: 10,
  fills: 6,
} as const;
const FILLS_SHOWN = 5;
const NOTICES_SHOWN = 3;

/** @param rows lines available; what does not fit is left out from the bottom lists first */
export function drawScreen(frame: ScreenFrame, rows: number, paint: Paint): readonly string[] {
  const top = [headLine(frame, paint), ...linkLines(frame, paint), '', headerLine(paint)];
  const markets = marketLines(frame.view, paint);
  const totals = ['', totalLine(frame.view, paint), countLine(frame.view, paint)];
  const lists = [...fillLines(frame.view, paint), ...noticeLines(frame.view, paint)];
  const foot = ['', paint.dim(frame.hint)];
  const room = rows - top.length - markets.length - totals.length - foot.length - 1;
  return [...top, ...markets, ...totals, ...lists.slice(0, Math.max(0, room)), ...foot];
}

function headLine({ title, view, elapsedMs }: ScreenFrame, paint: Paint): string {
  const mode = view.mode === 'real_money' ? paint.alarm(' REAL MONEY ') : 'play money';
  const connected = view.connection.state === 'connected';
  const connection = connected
    ? paint.good('● connected')
    : paint.bad(`○ ${view.connection.state} ${view.connection.reason}`.trimEnd());
  const killed = view.killed === null ? '' : `  ${paint.alarm(` KILLED: ${view.killed} `)}`;
  return `${paint.strong(title)}  ${mode} ${view.currency}  ${view.phase}  ${durationText(elapsedMs)}  ${connection}${killed}`;
}

const linkLines = ({ links }: ScreenFrame, paint: Paint): readonly string[] =>
  links.map(({ name, url }) => paint.dim(`${column(name, 8)} ${url}`));

function headerLine(paint: Paint): string {
  const cells = [
    column('market', WIDTHS.market),
    column('venue bid / ask', WIDTHS.book),
    column('fair', WIDTHS.fair, 'right'),
    column('our bid', WIDTHS.bid, 'right'),
    column('our ask', WIDTHS.ask, 'right'),
    column('net', WIDTHS.inventory, 'right'),
    column('profit', WIDTHS.profit, 'right'),
    column('fills', WIDTHS.fills, 'right'),
  ];
  return paint.dim(cells.join(' '));
}

function marketLines(view: EngineView, paint: Paint): readonly string[] {
  const lines: string[] = [];
  let event: number | null = null;
  for (const market of view.markets) {
    if (market.eventId !== event) lines.push(paint.strong(market.eventTitle));
    event = market.eventId;
    lines.push(marketLine(market, paint));
  }
  return lines;
}

function marketLine(market: MarketStateView, paint: Paint): string {
  const net = market.inventory.long - market.inventory.short;
  const netText = signed(sharesText(net as typeof market.inventory.long));
  const profit = signed(moneyText(market.profit));
  const cells = [
    column(`  ${market.title}`, WIDTHS.market),
    column(bookText(market), WIDTHS.book),
    column(market.fair === null ? '-' : probabilityText(market.fair), WIDTHS.fair, 'right'),
    paint.good(column(quoteText(market.quotes, 'bid'), WIDTHS.bid, 'right')),
    paint.bad(column(quoteText(market.quotes, 'ask'), WIDTHS.ask, 'right')),
    column(netText, WIDTHS.inventory, 'right'),
    paintSigned(column(profit, WIDTHS.profit, 'right'), market.profit, paint),
    column(String(market.fills), WIDTHS.fills, 'right'),
  ];
  const note = market.instance === null ? 'observed' : (market.halted ?? '');
  return note === '' ? cells.join(' ') : `${cells.join(' ')}  ${paint.warn(note)}`;
}

function bookText({ book }: MarketStateView): string {
  if (book.bid === null && book.ask === null) return book.freshness;
  return `${levelText(book.bid)} / ${levelText(book.ask)}`;
}

const levelText = (level: LevelView | null): string =>
  level === null ? '-' : `${priceText(level.price)} x${sharesText(level.shares)}`;

/** The best own quote of a side, and how many more levels stand behind it. */
function quoteText(quotes: readonly OwnQuoteView[], side: 'bid' | 'ask'): string {
  const ours = quotes.filter((quote) => quote.side === side);
  const [first] = ours.toSorted((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));
  if (first === undefined) return '-';
  const more = ours.length > 1 ? ` +${ours.length - 1}` : '';
  return `${priceText(first.price)} x${sharesText(first.shares)}${more}`;
}

const paintSigned = (text: string, value: number, paint: Paint): string =>
  value > 0 ? paint.good(text) : value < 0 ? paint.bad(text) : text;

function totalLine(view: EngineView, paint: Paint): string {
  const { total, free } = view.balance;
  const balance = total === null ? 'balance unknown' : `balance ${moneyText(total)} ${view.currency}`;
  const unlocked = free === null ? '' : `  free ${moneyText(free)}`;
  const profit = paintSigned(`${signed(moneyText(view.profit))} ${view.currency}`, view.profit, paint);
  return `${balance}${unlocked}  profit ${profit}`;
}

function countLine({ counts }: EngineView, paint: Paint): string {
  return paint.dim(
    `orders created ${counts.ordersCreated}, replaced ${counts.ordersReplaced}, cancelled ${counts.ordersCancelled}; ` +
      `fills ${counts.fills} of ${sharesText(counts.sharesFilled)} shares; resyncs ${counts.resyncs}`,
  );
}

function fillLines(view: EngineView, paint: Paint): readonly string[] {
  if (view.recentFills.length === 0) return [];
  const titles = new Map(view.markets.map((market) => [market.marketId, market.title]));
  const lines = view.recentFills
    .slice(0, FILLS_SHOWN)
    .map((fill) => fillLine(fill, titles.get(fill.marketId) ?? '?'));
  return ['', paint.strong('latest fills'), ...lines];
}

/** `  14:03:09  bought 10 long Yes at 0.48`. */
export function fillLine(fill: FillView, market: string): string {
  const verb = fill.side === 'bid' ? 'bought' : 'sold';
  return `  ${timeText(fill.at)}  ${verb} ${sharesText(fill.shares)} ${fill.position} ${market} at ${priceText(fill.price)}`;
}

function noticeLines(view: EngineView, paint: Paint): readonly string[] {
  if (view.notices.length === 0) return [];
  const lines = view.notices
    .slice(0, NOTICES_SHOWN)
    .map((notice) => `  ${timeText(notice.at)}  ${paint.warn(notice.level)}  ${notice.text}`);
  return ['', paint.strong('notices'), ...lines];
}
