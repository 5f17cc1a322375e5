/** What a run came to: for a person, and as one JSON line. */
import type { EndEffect } from '../../domain/effects.js';
import type { EngineView } from '../../core/engine/observing/view.js';
import { durationText, moneyText, sharesText, signed } from './format.js';
import { marketNames } from './market-names.js';

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
    `${view.mode === 'real_money' ? 'REAL MONEY ' : ''}ran ${durationText(elapsedMs)}; ${end.text}`,
    ...(view.killed === null ? [] : [`  killed   ${view.killed}`]),
    `  orders   ${counts.ordersCreated} created, ${counts.ordersReplaced} replaced, ${counts.ordersCancelled} cancelled`,
    `  fills    ${counts.fills} of ${sharesText(counts.sharesFilled)} shares for ${moneyText(counts.amountFilled)} ${currency}`,
    `  profit   ${signed(moneyText(view.profit))} ${currency}, open shares at the mid`,
    holdings.length === 0 ? '  holdings none' : ['  holdings', ...holdings].join('\n'),
    // Behind everything that may be long.
    ...stoppedLines(view),
    ...(report === null ? [] : [`  report   ${report}`]),
  ];
}

/** What quoted nothing at the end for a fault of its strategy: an end without orders looks like any other. */
function stoppedLines({ instances }: EngineView): readonly string[] {
  const stopped = instances.filter(({ fault }) => fault !== null);
  const all = stopped.length > 0 && stopped.length === instances.length;
  return [
    ...stopped.map(({ name, fault }) => `  STOPPED  strategy instance ${name}: ${fault}`),
    ...(all ? ['           nothing was quoted any more'] : []),
  ];
}

/** Decimals are strings in currency units and whole shares. */
export const summaryJson = (
  view: EngineView,
  end: EndEffect,
  elapsedMs: number,
  report: string | null,
): string =>
  JSON.stringify({
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
    profit: String(view.profit / 1_000_000),
    currency: view.currency,
    currencyMode: view.mode,
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
