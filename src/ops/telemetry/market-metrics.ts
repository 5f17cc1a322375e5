/** Each market of a run: book, quotes, inventory and profit, labelled by market and event. */
import { currencyUnits, wholeShares } from '../../domain/units.js';
import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';
import type { Metric, Sample } from './metric.js';
import { flag, known } from './metric.js';

const SIDES = ['bid', 'ask'] as const;

export const MARKET_METRICS: readonly Metric<EngineView>[] = [
  perMarket('oddsmith_book_live', 'Whether the book may be relied on.', ({ book }) => [
    value(flag(book.freshness === 'live')),
  ]),
  perMarket('oddsmith_book_age_seconds', 'Age of the last news of the book.', ({ book }) =>
    known(book.ageMs, (ageMs) => value(ageMs / 1_000)),
  ),
  perMarket('oddsmith_fair_probability', 'Fair value in use.', ({ fair }) => known(fair, value)),
  perMarket('oddsmith_quotable', 'Whether the market may be quoted now.', ({ instance, halted }) => [
    value(flag(instance !== null && halted === null)),
  ]),
  perMarket('oddsmith_size_left', 'Part of the size that guards leave: 0 to 1.', ({ sizeLeft }) => [
    value(sizeLeft),
  ]),
  perMarket(
    'oddsmith_quotes',
    'Own orders that stand or may stand.',
    ({ quotes }) =>
      SIDES.map((side) => value(quotes.filter((quote) => quote.side === side).length, { side })),
    ['side'],
  ),
  perMarket(
    'oddsmith_inventory_shares',
    'Shares held.',
    ({ inventory: { long, short } }) => [
      value(wholeShares(long), { position: 'long' }),
      value(wholeShares(short), { position: 'short' }),
    ],
    ['position'],
  ),
  perMarket('oddsmith_market_profit', 'Profit of the run in this market in currency units.', ({ profit }) => [
    value(currencyUnits(profit)),
  ]),
  {
    ...perMarket('oddsmith_market_fills_total', 'Fills in this market.', ({ fills }) => [value(fills)]),
    type: 'counter',
  },
];

function value(of: number, labels: Sample['labels'] = {}): Sample {
  return { labels, value: of };
}

function perMarket(
  name: Metric<EngineView>['name'],
  help: string,
  read: (market: MarketStateView) => readonly Sample[],
  labels: readonly string[] = [],
): Metric<EngineView> {
  return {
    name,
    help,
    type: 'gauge',
    labels: ['market_id', 'event_id', ...labels],
    read: (view) => view.markets.flatMap((market) => read(market).map((sample) => located(market, sample))),
  };
}

const located = ({ marketId, eventId }: MarketStateView, sample: Sample): Sample => ({
  labels: { market_id: String(marketId), event_id: String(eventId), ...sample.labels },
  value: sample.value,
});
