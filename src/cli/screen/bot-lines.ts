/** A running bot as plain lines, for output that is no terminal. */
import type { EngineView, FillView, MarketStateView } from '../../core/engine/observing/view.js';
import {
  durationText,
  moneyText,
  sharesText,
  signed,
  column,
  priceText,
  timeText,
  wrapped,
  type Paint,
} from './format.js';
import { marketNames } from './market-table.js';
import { cashShortText } from '../../core/engine/quoting/funds.js';
import { cut, widthOf } from './text.js';
import type { EndEffect } from '../../domain/effects.js';

/** Of a list, and of one line: a log that a bot writes for weeks is read by people. */
const LISTED_MOST = 5;
const LINE_MOST = 1_000;

/** The first of a list, and how many more there are. */
const someOf = (texts: readonly string[], between: string): string =>
  texts.length <= LISTED_MOST
    ? texts.join(between)
    : `${texts.slice(0, LISTED_MOST).join(between)} and ${texts.length - LISTED_MOST} more`;

/** One line with everything that matters, of bounded length: `00:12 running connected quotes 10 fills 3 ...`. */
export function statusLine(view: EngineView, elapsedMs: number): string {
  const quotes = view.markets.reduce((count, market) => count + market.quotes.length, 0);
  const names = marketNames(view);
  const inventory = view.markets
    .map(({ marketId, inventory: { long, short } }) => ({ marketId, net: long - short }))
    .filter(({ net }) => net !== 0)
    .map(({ marketId, net }) => `${names.get(marketId)} ${signed(sharesText(net as never))}`);
  const parts: readonly string[] = [
    ...(view.isPaper ? ['PAPER'] : []),
    ...(view.mode === 'real_money' && !view.isPaper ? ['REAL MONEY'] : []),
    durationText(elapsedMs),
    view.phase,
    connectionText(view),
    `quotes ${quotes}`,
    `fills ${view.counts.fills}`,
    `profit ${signed(moneyText(view.profit))} ${view.currency}`,
    `inventory ${inventory.length === 0 ? 'none' : someOf(inventory, ', ')}`,
  ];
  const urgent = [
    ...view.instances.flatMap(({ name, fault }) =>
      fault === null ? [] : [`STOPPED: strategy instance ${name}: ${fault}`],
    ),
    ...view.alarms.map(({ text }) => `ALARM: ${text}`),
    ...(view.killed === null ? [] : [`KILLED: ${view.killed}`]),
  ];
  const halted = reasonsText(view, ({ halted }) => halted);
  const refused = reasonsText(view, ({ refusedBy }) => refusedBy);
  const { now: cashShort } = view.cashShort;
  const held = [
    ...(cashShort === null ? [] : [cashShortText(cashShort, view.currency)]),
    ...(halted === '' ? [] : [`not quoted: ${halted}`]),
    ...(refused === '' ? [] : [`orders refused: ${refused}`]),
  ];
  const usual = cut([...parts, ...held].join('  '), LINE_MOST);
  return urgent.length === 0 ? usual : `${usual}  ${cut(someOf(urgent, '  '), LINE_MOST)}`;
}

const connectionText = ({ connection: { state, reason } }: EngineView): string =>
  state === 'connected' || reason === '' ? state : `${state} (${reason})`;

/** What keeps markets from being quoted, the reason once for all that it holds for. */
function reasonsText(view: EngineView, reasonOf: (market: MarketStateView) => string | null): string {
  if (view.phase !== 'running') return '';
  const names = marketNames(view);
  const byReason = new Map<string, string[]>();
  for (const market of view.markets) {
    const reason = market.instance === null ? null : reasonOf(market);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), names.get(market.marketId)!]);
  }
  return someOf(
    [...byReason].map(([reason, markets]) => `${someOf(markets, ', ')} (${reason})`),
    '; ',
  );
}

/** Lines for fills that were not shown before, oldest first. @param shown count of fills shown so far */
export function newFillLines(view: EngineView, shown: number): readonly string[] {
  const names = marketNames(view);
  const fresh = Math.min(view.counts.fills - shown, view.recentFills.length);
  return view.recentFills
    .slice(0, Math.max(0, fresh))
    .toReversed()
    .map((fill: FillView) => fillLine(fill, names.get(fill.marketId) ?? '?'));
}

/** What happened lately, below the markets of a screen. */

/** An empty line and the heading of a list. */
const LIST_HEAD = 2;
const FILLS_SHOWN = 5;
const NOTICES_SHOWN = 3;
/** With less of its name nobody knows the market. */
const LEAST_NAME = 12;

/** As much of each list as there are rows for; a heading never stands alone. */
export function latestLines(
  view: EngineView,
  rows: number,
  columns: number,
  paint: Paint,
): readonly string[] {
  const fit: string[] = [];
  for (const lines of [fillLines(view, columns, paint), noticeLines(view, columns, paint)]) {
    const left = rows - fit.length;
    if (left > LIST_HEAD) fit.push(...lines.slice(0, left));
  }
  return fit;
}

function fillLines(view: EngineView, columns: number, paint: Paint): readonly string[] {
  if (view.recentFills.length === 0) return [];
  const names = marketNames(view);
  const lines = view.recentFills
    .slice(0, FILLS_SHOWN)
    .map((fill) => fillLine(fill, names.get(fill.marketId) ?? '?', columns));
  return ['', paint.strong('latest fills'), ...lines];
}

/**
 * `  14:03:09  bought 10 long Yes at 0.48`.
 * @param columns where there are fewer the name of the market gives way, then the time
 */
function fillLine(fill: FillView, market: string, columns = Infinity): string {
  const verb = fill.side === 'bid' ? 'bought' : 'sold';
  const before = `${verb} ${sharesText(fill.shares)} ${fill.position}`;
  const behind = `at ${priceText(fill.price)}`;
  const time = `  ${timeText(fill.at)}  `;
  const room = columns - before.length - behind.length - 2;
  const isTimed = room - time.length >= Math.min(LEAST_NAME, widthOf(market));
  const left = isTimed ? room - time.length : room - 2;
  const name = widthOf(market) <= left ? market : column(market, Math.max(1, left));
  return `${isTimed ? time : '  '}${before} ${name} ${behind}`;
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

/** What a run came to: for a person, and as one JSON line. */

const moneyWord = ({ isPaper, mode }: EngineView): string =>
  isPaper ? 'PAPER ' : mode === 'real_money' ? 'REAL MONEY ' : '';

/** @param report path of the page; null when there is none */
export function summaryLines(
  view: EngineView,
  end: EndEffect,
  elapsedMs: number,
  report: string | null,
): readonly string[] {
  const { counts, currency } = view;
  const names = marketNames(view);
  const holdings = view.markets
    .filter(({ inventory: { long, short } }) => long !== 0 || short !== 0)
    .map(
      ({ marketId, inventory: { long, short }, profit }) =>
        `    ${names.get(marketId)}: ${sharesText(long)} long, ${sharesText(short)} short, profit ${signed(moneyText(profit))}`,
    );
  return [
    `${moneyWord(view)}ran ${durationText(elapsedMs)}; ${end.text}`,
    ...(view.killed === null ? [] : [`  killed   ${view.killed}`]),
    `  orders   ${counts.ordersCreated} created, ${counts.ordersReplaced} replaced, ${counts.ordersCancelled} cancelled`,
    `  fills    ${counts.fills} of ${sharesText(counts.sharesFilled)} shares for ${moneyText(counts.amountFilled)} ${currency}${inferredText(view)}`,
    `  profit   ${signed(moneyText(view.profit))} ${currency}, open shares at the mid`,
    holdings.length === 0 ? '  holdings none' : ['  holdings', ...holdings].join('\n'),
    // Behind everything that may be long.
    ...stoppedLines(view),
    ...(report === null ? [] : [`  report   ${report}`]),
  ];
}

/** Fills that the venue's holdings show and no message told of. */
const inferredText = ({ counts }: EngineView): string =>
  counts.sharesInferred === 0 ? '' : `, ${sharesText(counts.sharesInferred)} shares of them inferred`;

/** What quoted nothing at the end for a fault of its strategy: an end without orders looks like any other. */
function stoppedLines({ instances }: EngineView): readonly string[] {
  const stopped = instances.filter(({ fault }) => fault !== null);
  const all = stopped.length > 0 && stopped.length === instances.length;
  return [
    ...stopped.map(({ name, fault }) => `  STOPPED  strategy instance ${name}: ${fault}`),
    ...(all ? ['           nothing was quoted any more'] : []),
  ];
}

/** For machines: decimals are strings in currency units and whole shares. */
export const summaryFacts = (view: EngineView, end: EndEffect, elapsedMs: number, report: string | null) => ({
  event: 'summary',
  outcome: end.outcome,
  text: end.text,
  seconds: Math.round(elapsedMs / 1_000),
  ordersPlaced: view.counts.ordersCreated + view.counts.ordersReplaced,
  ordersCreated: view.counts.ordersCreated,
  ordersReplaced: view.counts.ordersReplaced,
  ordersCancelled: view.counts.ordersCancelled,
  fills: view.counts.fills,
  sharesFilled: String(view.counts.sharesFilled / 100),
  sharesInferred: String(view.counts.sharesInferred / 100),
  profit: String(view.profit / 1_000_000),
  currency: view.currency,
  currencyMode: view.mode,
  mode: view.isPaper ? 'paper' : 'live',
  ordersOpen: view.markets.reduce((count, market) => count + market.quotes.length, 0),
  report,
  stopped: view.instances.flatMap(({ name, strategy, fault }) =>
    fault === null ? [] : [{ instance: name, strategy, fault }],
  ),
  markets: view.markets.map(({ marketId, title, fills, profit, inventory, tradability }) => ({
    marketId,
    title,
    tradability,
    fills,
    long: String(inventory.long / 100),
    short: String(inventory.short / 100),
    profit: String(profit / 1_000_000),
  })),
});
