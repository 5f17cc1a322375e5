/** What happened lately, below the markets of a screen. */
import type { EngineView, FillView } from '../../core/engine/observing/view.js';
import { column, priceText, sharesText, timeText, wrapped } from './format.js';
import { marketNames } from './market-names.js';
import type { Paint } from './paint.js';
import { widthOf } from './text-width.js';

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
export function fillLine(fill: FillView, market: string, columns = Infinity): string {
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
