/** A running bot as plain lines, for output that is no terminal. */
import type { EngineView, FillView } from '../../engine/observing/view.js';
import { fillLine } from './dashboard.js';
import { durationText, moneyText, sharesText, signed } from './format.js';

/** One line with everything that matters: `00:12 running connected quotes 10 fills 3 ...`. */
export function statusLine(view: EngineView, elapsedMs: number): string {
  const quotes = view.markets.reduce((count, market) => count + market.quotes.length, 0);
  const inventory = view.markets
    .map(({ title, inventory: { long, short } }) => ({ title, net: long - short }))
    .filter(({ net }) => net !== 0)
    .map(({ title, net }) => `${title} ${signed(sharesText(net as never))}`)
    .join(', ');
  const parts = [
    ...(view.mode === 'real_money' ? ['REAL MONEY'] : []),
    durationText(elapsedMs),
    view.phase,
    connectionText(view),
    `quotes ${quotes}`,
    `fills ${view.counts.fills}`,
    `profit ${signed(moneyText(view.profit))} ${view.currency}`,
    `inventory ${inventory === '' ? 'none' : inventory}`,
  ];
  const halted = haltedText(view);
  if (halted !== '') parts.push(`not quoted: ${halted}`);
  for (const { text } of view.alarms) parts.push(`ALARM: ${text}`);
  if (view.killed !== null) parts.push(`KILLED: ${view.killed}`);
  return parts.join('  ');
}

const connectionText = ({ connection: { state, reason } }: EngineView): string =>
  state === 'connected' || reason === '' ? state : `${state} (${reason})`;

/** Why markets are not quoted, the reason once for all that it holds for. */
function haltedText({ markets, phase }: EngineView): string {
  if (phase !== 'running') return '';
  const byReason = new Map<string, string[]>();
  for (const { title, instance, halted } of markets)
    if (instance !== null && halted !== null) byReason.set(halted, [...(byReason.get(halted) ?? []), title]);
  return [...byReason].map(([reason, titles]) => `${titles.join(', ')} (${reason})`).join('; ');
}

/** Lines for fills that were not shown before, oldest first. @param shown count of fills shown so far */
export function newFillLines(view: EngineView, shown: number): readonly string[] {
  const titles = new Map(view.markets.map((market) => [market.marketId, market.title]));
  const fresh = Math.min(view.counts.fills - shown, view.recentFills.length);
  return view.recentFills
    .slice(0, Math.max(0, fresh))
    .toReversed()
    .map((fill: FillView) => fillLine(fill, titles.get(fill.marketId) ?? '?'));
}
