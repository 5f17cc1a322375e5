/** The picture of a running bot: a pure function from its view to lines of text. */
import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';
import {
  moneyText,
  sharesText,
  signed,
  column,
  durationText,
  wrapped,
  type Paint,
  paintSigned,
} from './format.js';
import { latestLines } from './bot-lines.js';
import type { MarketList } from './market-list.js';
import { chooseMarkets, isHeldBack, linesOf, MarketTable } from './market-table.js';
import { cashShortText } from '../../core/engine/quoting/funds.js';
import { plainTexts } from '../../domain/plain-text.js';
import { fitted, cut, type Segment, widthOf } from './text.js';

/** Characters. */
export interface ScreenSize {
  readonly rows: number;
  /** From 80 on nothing that matters is left out; in less, figures go column by column, and none is cut. */
  readonly columns: number;
}

/** Lines of markets, with their heading, that alarms leave in any case, and that addresses leave. */
const MARKET_LINES = { least: 4, beforeLinks: 9 } as const;
/** Above the markets, below them, and above the last line. */
const GAPS = 3;

/**
 * At most as many lines as the terminal has rows, less one, each within its columns. What there is no room for is left out:
 * first what happened lately, then markets, those last that need a person, and of these how many there are is said.
 */
export function drawScreen(
  shown: ScreenFrame,
  { rows, columns }: ScreenSize,
  paint: Paint,
): readonly string[] {
  // Before anything is painted: from here on an escape sequence is a colour of our own.
  const { list, ...said } = shown;
  const frame = { ...plainTexts(said), ...(list !== undefined && { list }) };
  const { view } = frame;
  const status = statusLines(frame, columns, paint);
  const warnings = warningLines(view, columns, paint);
  const links = linkLines(frame, paint);
  const wanted = 1 + linesOf(view.markets);
  const room = new Room(Math.max(1, rows - 1));
  const given = {
    status: room.take(1),
    hint: room.take(1),
    total: room.take(1),
    markets: room.take(Math.min(wanted, MARKET_LINES.least)),
    reasons: room.take(status.length - 1),
    warnings: room.take(warnings.length),
    moreMarkets: room.take(Math.min(wanted, MARKET_LINES.beforeLinks) - MARKET_LINES.least),
    links: room.takeWhole(links.length),
    counts: room.take(1),
    gaps: room.takeWhole(GAPS),
    otherMarkets: room.take(wanted - MARKET_LINES.beforeLinks),
    latest: room.take(Infinity),
  };
  const gap = given.gaps > 0 ? [''] : [];
  const lines = [
    ...status.slice(0, given.status + given.reasons),
    ...warnings.slice(0, given.warnings),
    ...links.slice(0, given.links),
    ...gap,
    ...marketLines(frame, given.markets + given.moreMarkets + given.otherMarkets, columns, paint),
    ...gap,
    ...[totalLine(view, columns, paint)].slice(0, given.total),
    ...[countLine(view, columns, paint)].slice(0, given.counts),
    ...latestLines(view, given.latest, columns, paint),
    ...gap,
    ...[paint.dim(hintLine(frame.hint, columns))].slice(0, given.hint),
  ];
  return lines.map((line) => cut(line, columns));
}

/** The heading, markets below their events, and how many there is no room for. */
function marketLines(
  { view, list }: ScreenFrame,
  rows: number,
  columns: number,
  paint: Paint,
): readonly string[] {
  if (rows === 0) return [];
  const table = new MarketTable(view.markets, columns, paint);
  const lines = [table.header()];
  if (list?.isUntouched === false) {
    const { shown, of, from } = list.take(view.markets, rows - 2);
    const place = shown.length === 0 ? 'no market' : `markets ${from + 1} to ${from + shown.length}`;
    const said = paint.warn(cut(`${place} of ${of}, ${list.told}`, columns));
    return [...lines, ...groupedLines(view, shown, table, columns, paint), said].slice(0, rows);
  }
  const isWhole = 1 + linesOf(view.markets) <= rows;
  const { shown, left } = chooseMarkets(view.markets, isWhole ? rows - 1 : rows - 2);
  lines.push(...groupedLines(view, shown, table, columns, paint));
  if (left.length > 0 && rows > 1) lines.push(paint.warn(leftText(left, columns)));
  return lines;
}

/** Markets below the titles of their events. */
function groupedLines(
  view: EngineView,
  shown: readonly MarketStateView[],
  table: MarketTable,
  columns: number,
  paint: Paint,
): readonly string[] {
  const lines: string[] = [];
  let event: string | null = null;
  for (const market of shown) {
    if (market.eventId !== event) lines.push(eventLine(view, market, columns, paint));
    event = market.eventId;
    lines.push(table.line(market));
  }
  return lines;
}

/** The title, and what the event costs at worst where it may cost anything; the title gives way. */
function eventLine(view: EngineView, market: MarketStateView, columns: number, paint: Paint): string {
  const event = view.events.find(({ eventId }) => eventId === market.eventId);
  if (event === undefined || event.worst >= 0) return paint.strong(market.eventTitle);
  const worst = `at worst ${moneyText(event.worst)} of ${moneyText(event.maxLoss)}`;
  const room = columns - worst.length - 2;
  if (room < LEAST_TITLE) return paint.strong(market.eventTitle);
  return `${paint.strong(cut(market.eventTitle, room))}  ${paint.dim(worst)}`;
}

/** With less of its title nobody knows the event. */
const LEAST_TITLE = 16;

function leftText(left: EngineView['markets'], columns: number): string {
  const held = left.filter(isHeldBack).length;
  const more = `… ${left.length} more ${left.length === 1 ? 'market' : 'markets'}`;
  const segments = [
    { text: held === 0 ? more : `${more}, ${held} not quoted in full`, rank: 0 },
    { text: '(all of them in /metrics)', rank: 1 },
  ];
  return fitted(segments, columns, ' ');
}

function totalLine(view: EngineView, columns: number, paint: Paint): string {
  const { total, free } = view.balance;
  const balance = total === null ? 'balance unknown' : `balance ${moneyText(total)} ${view.currency}`;
  const profit = paintSigned(`${signed(moneyText(view.profit))} ${view.currency}`, view.profit, paint);
  const segments = [
    { text: balance, rank: 1 },
    { text: free === null ? '' : `free ${moneyText(free)}`, rank: 2 },
    { text: `profit ${profit}`, rank: 0 },
  ];
  return fitted(segments, columns);
}

function countLine({ counts }: EngineView, columns: number, paint: Paint): string {
  const { ordersCreated, ordersReplaced, ordersCancelled } = counts;
  const segments = [
    {
      text: `orders created ${ordersCreated}, replaced ${ordersReplaced}, cancelled ${ordersCancelled}`,
      rank: 1,
    },
    { text: `fills ${counts.fills} of ${sharesText(counts.sharesFilled)} shares`, rank: 0 },
    { text: `resyncs ${counts.resyncs}`, rank: 2 },
  ];
  return paint.dim(fitted(segments, columns, '; '));
}

function hintLine(hint: string, columns: number): string {
  const parts = hint.split('; ');
  const segments = parts.map((text, at) => ({ text, rank: at === parts.length - 1 ? 0 : 1 }));
  return fitted(segments, columns, '; ');
}

/** What stands above the markets of a screen: how the bot is, what only a person can mend, where to look. */

/** The state of the bot; why it is killed or not connected stands below it where it has no room behind it. */
function statusLines(frame: ScreenFrame, columns: number, paint: Paint): readonly string[] {
  const segments = statusSegments(frame, paint);
  let line = segments.map(({ text }) => text).join('  ');
  const below: string[] = [];
  for (const { text, painted } of reasonsOf(frame.view, paint)) {
    if (widthOf(line) + 2 + widthOf(text) <= columns) line = `${line}  ${painted(text)}`;
    else below.push(...wrapped(text, columns).map(painted));
  }
  return [widthOf(line) <= columns ? line : fitted(segments, columns), ...below];
}

function statusSegments({ title, view, elapsedMs }: ScreenFrame, paint: Paint): readonly Segment[] {
  const isReal = view.mode === 'real_money' && !view.isPaper;
  const { state } = view.connection;
  return [
    { text: paint.strong(title), rank: 4 },
    ...(view.isPaper ? [{ text: paint.alarm(' PAPER '), rank: 1 }] : []),
    { text: `${isReal ? paint.alarm(' REAL MONEY ') : 'play money'} ${view.currency}`, rank: isReal ? 1 : 5 },
    { text: view.phase, rank: 2 },
    { text: durationText(elapsedMs), rank: 3 },
    { text: state === 'connected' ? paint.good('● connected') : paint.bad(`○ ${state}`), rank: 0 },
  ];
}

interface Reason {
  readonly text: string;
  readonly painted: (text: string) => string;
}

const reasonsOf = (
  { connection: { state, reason }, killed }: EngineView,
  paint: Paint,
): readonly Reason[] => [
  ...(state === 'connected' || reason === '' ? [] : [{ text: reason, painted: paint.bad }]),
  ...(killed === null ? [] : [{ text: ` KILLED: ${killed} `, painted: paint.alarm }]),
];

const RESET =
  'nothing is quoted until a person resets it: oddsmith resume <file>, behind a fence oddsmith guard clear <file>';

/** What only a person can mend, and how, stays in sight until it is. */
const warningLines = (
  { killed, alarms, instances, cashShort, currency }: EngineView,
  columns: number,
  paint: Paint,
): readonly string[] => [
  ...(killed === null ? [] : wrapped(RESET, columns)),
  ...(cashShort.now === null ? [] : wrapped(cashShortText(cashShort.now, currency), columns).map(paint.warn)),
  ...[...alarms.map(({ text }) => text), ...instances.flatMap(stoppedText)].flatMap((text) =>
    wrapped(text, columns - 2).map((line) => paint.alarm(` ${line} `)),
  ),
];

/** One sentence about an instance whose strategy failed, with what to do; none about the others. */
const stoppedText = ({ name, fault }: EngineView['instances'][number]): readonly string[] =>
  fault === null
    ? []
    : [
        `strategy instance ${name} is stopped: ${fault}; oddsmith resume <file> lets it go on, a changed strategy takes a restart`,
      ];

const linkLines = ({ links }: ScreenFrame, paint: Paint): readonly string[] =>
  links.map(({ name, url }) => paint.dim(`${column(name, 8)} ${url}`));

/** Rows of a screen that are shared out: who asks first is given first. */
class Room {
  constructor(private left: number) {}

  /** As many of them as there are. */
  take(wanted: number): number {
    const given = Math.max(0, Math.min(wanted, this.left));
    this.left -= given;
    return given;
  }

  /** All of them or none. */
  takeWhole(wanted: number): number {
    return wanted <= this.left ? this.take(wanted) : 0;
  }
}

/** What a screen shows at one moment. */
export interface ScreenFrame {
  readonly title: string;
  readonly view: EngineView;
  readonly elapsedMs: number;
  /** Full URLs to show below the title, with their names. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** As keys ordered it; left out: nobody can press any. */
  readonly list?: MarketList;
  /** Shown in the last line, such as how to stop; of several parts with semicolons the last one matters most. */
  readonly hint: string;
}
