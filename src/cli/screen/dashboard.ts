/** The picture of a running bot: a pure function from its view to lines of text. */
import type { EngineView, FillView } from '../../engine/observing/view.js';
import {
  column,
  durationText,
  moneyText,
  priceText,
  sharesText,
  signed,
  timeText,
  wrapped,
} from './format.js';
import { marketNames } from './market-names.js';
import { MarketTable } from './market-table.js';
import { type Paint, paintSigned } from './paint.js';

export interface ScreenFrame {
  readonly title: string;
  readonly view: EngineView;
  readonly elapsedMs: number;
  /** Full URLs to show below the title, with their names. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** Shown in the last line, such as how to stop. */
  readonly hint: string;
}

/** An empty line and the heading of a list. */
const LIST_HEAD = 2;
const FILLS_SHOWN = 5;
const NOTICES_SHOWN = 3;

/** Characters. */
export interface ScreenSize {
  /** What does not fit is left out from the bottom lists first. */
  readonly rows: number;
  /** From 80 on nothing that matters is left out; a narrower terminal cuts lines. */
  readonly columns: number;
}

export function drawScreen(
  frame: ScreenFrame,
  { rows, columns }: ScreenSize,
  paint: Paint,
): readonly string[] {
  const table = new MarketTable(columns, paint);
  const top = [
    headLine(frame, paint),
    ...resetLines(frame, columns),
    ...alarmLines(frame, columns, paint),
    ...linkLines(frame, paint),
    '',
    table.header(),
  ];
  const markets = marketLines(frame.view, table, paint);
  const totals = ['', totalLine(frame.view, paint), countLine(frame.view, paint)];
  const foot = ['', paint.dim(frame.hint)];
  const room = rows - top.length - markets.length - totals.length - foot.length - 1;
  const lists = fitting([fillLines(frame.view, paint), noticeLines(frame.view, columns, paint)], room);
  return [...top, ...markets, ...totals, ...lists, ...foot];
}

/** As much of each list as there is room for; a heading never stands alone. */
function fitting(lists: readonly (readonly string[])[], room: number): readonly string[] {
  const fit: string[] = [];
  for (const lines of lists) {
    const left = room - fit.length;
    if (left > LIST_HEAD) fit.push(...lines.slice(0, left));
  }
  return fit;
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

/** What to do about a latched switch, since none resets itself. */
const resetLines = ({ view }: ScreenFrame, columns: number): readonly string[] =>
  view.killed === null ? [] : wrapped(RESET, columns);

const RESET =
  'nothing is quoted until a person resets it: oddsmith resume <file>, behind a fence oddsmith guard clear <file>';

/** What only a person can mend stays in sight until it is. */
const alarmLines = ({ view }: ScreenFrame, columns: number, paint: Paint): readonly string[] =>
  view.alarms.flatMap(({ text }) => wrapped(text, columns - 2).map((line) => paint.alarm(` ${line} `)));

const linkLines = ({ links }: ScreenFrame, paint: Paint): readonly string[] =>
  links.map(({ name, url }) => paint.dim(`${column(name, 8)} ${url}`));

function marketLines(view: EngineView, table: MarketTable, paint: Paint): readonly string[] {
  const lines: string[] = [];
  let event: number | null = null;
  for (const market of view.markets) {
    if (market.eventId !== event) lines.push(paint.strong(market.eventTitle));
    event = market.eventId;
    lines.push(table.line(market));
  }
  return lines;
}

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
  const names = marketNames(view);
  const lines = view.recentFills
    .slice(0, FILLS_SHOWN)
    .map((fill) => fillLine(fill, names.get(fill.marketId) ?? '?'));
  return ['', paint.strong('latest fills'), ...lines];
}

/** `  14:03:09  bought 10 long Yes at 0.48`. */
export function fillLine(fill: FillView, market: string): string {
  const verb = fill.side === 'bid' ? 'bought' : 'sold';
  return `  ${timeText(fill.at)}  ${verb} ${sharesText(fill.shares)} ${fill.position} ${market} at ${priceText(fill.price)}`;
}

/** A notice tells what happened first and what to do last: its end must not be cut off. */
function noticeLines(view: EngineView, columns: number, paint: Paint): readonly string[] {
  if (view.notices.length === 0) return [];
  const names = marketNames(view);
  const lines = view.notices.slice(0, NOTICES_SHOWN).flatMap(({ at, level, marketId, text }) => {
    const subject = marketId === null ? '' : `${names.get(marketId) ?? `market ${marketId}`}: `;
    const indent = `  ${timeText(at)}  ${level}  `.length;
    const [first = '', ...rest] = wrapped(`${subject}${text}`, columns - indent);
    return [
      `  ${timeText(at)}  ${paint.warn(level)}  ${first}`,
      ...rest.map((line) => ' '.repeat(indent) + line),
    ];
  });
  return ['', paint.strong('notices'), ...lines];
}
