/** A running bot as plain lines, for output that is no terminal. */
import type { EngineView, FillView, MarketStateView } from '../../core/engine/observing/view.js';
import { durationText, moneyText, sharesText, signed } from './format.js';
import { fillLine } from './lists.js';
import { marketNames } from './market-names.js';

/** One line with everything that matters: `00:12 running connected quotes 10 fills 3 ...`. */
export function statusLine(view: EngineView, elapsedMs: number): string {
  const quotes = view.markets.reduce((count, market) => count + market.quotes.length, 0);
  const names = marketNames(view);
  const inventory = view.markets
    .map(({ marketId, inventory: { long, short } }) => ({ marketId, net: long - short }))
    .filter(({ net }) => net !== 0)
    .map(({ marketId, net }) => `${names.get(marketId)} ${signed(sharesText(net as never))}`)
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
  const halted = reasonsText(view, ({ halted }) => halted);
  if (halted !== '') parts.push(`not quoted: ${halted}`);
  const refused = reasonsText(view, ({ refusedBy }) => refusedBy);
  if (refused !== '') parts.push(`orders refused: ${refused}`);
  for (const { name, fault } of view.instances)
    if (fault !== null) parts.push(`STOPPED: strategy instance ${name}: ${fault}`);
  for (const { text } of view.alarms) parts.push(`ALARM: ${text}`);
  if (view.killed !== null) parts.push(`KILLED: ${view.killed}`);
  return parts.join('  ');
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
  return [...byReason].map(([reason, markets]) => `${markets.join(', ')} (${reason})`).join('; ');
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
