/** The engine as a whole: counts, connection, profit and balance of a run. */
import { currencyUnits, type Money, wholeShares } from '../../domain/units.js';
import type { EngineView, EventStateView, MarketStateView } from '../../core/engine/observing/view.js';

/** Name, help, type and labels of a metric. */
export interface MetricHead {
  readonly name: `oddsmith_${string}`;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

/** One value with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that a scrape reads. Units are seconds, bytes, whole shares and currency units; 1 means true. */
export interface Metric<Source> extends MetricHead {
  readonly read: (source: Source) => readonly Sample[];
}

/** A metric without labels. */
export const plain = <Source>(
  head: Omit<MetricHead, 'labels'>,
  read: (source: Source) => number,
): Metric<Source> => ({ ...head, labels: [], read: (source) => [{ labels: {}, value: read(source) }] });

/** A metric with one label whose values are not known beforehand. */
export const byWord = <Source>(
  head: Omit<MetricHead, 'labels'>,
  label: string,
  read: (source: Source) => Readonly<Record<string, number>>,
): Metric<Source> => ({
  ...head,
  labels: [label],
  read: (source) =>
    Object.entries(read(source)).map(([word, value]) => ({ labels: { [label]: word }, value })),
});

/** Shows no sample for an unknown value. */
const known = <Value>(value: Value | null, sample: (value: Value) => Sample): readonly Sample[] =>
  value === null ? [] : [sample(value)];

const SHUT: readonly string[] = ['paused', 'closed'];

/** Counts things by a word. @param usual words that are shown although nothing has them */
function countedBy<Thing>(
  usual: readonly string[],
  label: string,
  things: readonly Thing[],
  wordOf: (thing: Thing) => string,
): readonly Sample[] {
  const counts = new Map<string, number>(usual.map((word) => [word, 0]));
  for (const thing of things) counts.set(wordOf(thing), (counts.get(wordOf(thing)) ?? 0) + 1);
  return [...counts].map(([word, value]) => ({ labels: { [label]: word }, value }));
}

const flag = (value: boolean): number => (value ? 1 : 0);

/** Series are bounded: whoever quotes thousands of markets has the others in the sums. */
const MOST_EVENTS = 100;
const MOST_MARKETS = 500;
const MOST_SIGNALS = 20;
const lossOf = ({ worst }: EventStateView): Money => Math.max(0, 0 - worst) as Money;

const gauge = (name: Metric<unknown>['name'], help: string) => ({ name, help, type: 'gauge' }) as const;
const counter = (name: Metric<unknown>['name'], help: string) => ({ name, help, type: 'counter' }) as const;

export const ENGINE_METRICS: readonly Metric<EngineView>[] = [
  {
    ...gauge('oddsmith_run_info', 'The run: always 1.'),
    labels: ['run_id', 'currency', 'currency_mode', 'phase'],
    read: ({ runId, currency, mode, phase }) => [
      { labels: { run_id: runId, currency, currency_mode: mode, phase }, value: 1 },
    ],
  },
  byWord(
    counter('oddsmith_inputs_total', 'Inputs of the engine by kind.'),
    'kind',
    (view) => view.counts.inputs,
  ),
  byWord(
    counter('oddsmith_engine_requests_total', 'Requests the engine asked for, by kind.'),
    'kind',
    (view) => view.counts.requests,
  ),
  byWord(
    counter('oddsmith_refusals_total', 'Refusals by the venue and by risk, by code.'),
    'code',
    (view) => view.counts.refusals,
  ),
  byWord(
    counter(
      'oddsmith_differences_total',
      "Differences between our view and the venue's: of a book, an order, a holding, the cash.",
    ),
    'of',
    (view) => view.counts.differences,
  ),
  plain(
    counter(
      'oddsmith_orders_paced_seconds_total',
      'Time in which ordersPerMinute made quotes move less often than wanted.',
    ),
    (view) => view.counts.pacedMs / 1_000,
  ),
  plain(counter('oddsmith_decisions_total', 'Decisions of the engine.'), (view) => view.counts.decisions),
  plain(counter('oddsmith_orders_created_total', 'Orders created.'), (view) => view.counts.ordersCreated),
  plain(
    counter('oddsmith_orders_replaced_total', 'Orders replaced by an update.'),
    (view) => view.counts.ordersReplaced,
  ),
  plain(
    counter('oddsmith_orders_cancelled_total', 'Orders cancelled by us.'),
    (view) => view.counts.ordersCancelled,
  ),
  plain(counter('oddsmith_fills_total', 'Fills of own orders.'), (view) => view.counts.fills),
  plain(counter('oddsmith_filled_shares_total', 'Shares filled.'), (view) =>
    wholeShares(view.counts.sharesFilled),
  ),
  plain(
    gauge(
      'oddsmith_inferred_shares',
      'Shares filled that no message told of: inferred from holdings, and no order was told to have traded them yet.',
    ),
    (view) => wholeShares(view.counts.sharesInferred),
  ),
  {
    ...counter('oddsmith_filled_amount_total', 'Currency units paid and received in fills.'),
    labels: ['currency'],
    read: ({ currency, counts }) => [{ labels: { currency }, value: currencyUnits(counts.amountFilled) }],
  },
  plain(
    counter(
      'oddsmith_unintended_takes_total',
      'Fills of orders that traded at once although they were to rest.',
    ),
    (view) => view.counts.takes,
  ),
  {
    ...counter('oddsmith_unintended_taken_amount_total', 'Currency units paid and received in such fills.'),
    labels: ['currency'],
    read: ({ currency, counts }) => [{ labels: { currency }, value: currencyUnits(counts.amountTaken) }],
  },
  plain(
    counter('oddsmith_malformed_frames_total', 'Realtime frames that could not be read.'),
    (view) => view.counts.malformedFrames,
  ),
  plain(
    counter('oddsmith_resyncs_total', 'Resynchronisations with the venue over REST.'),
    (view) => view.counts.resyncs,
  ),
  plain(gauge('oddsmith_connection_up', 'Whether the realtime connection stands.'), (view) =>
    flag(view.connection.state === 'connected'),
  ),
  plain(gauge('oddsmith_killed', 'Whether the kill switch is latched.'), (view) =>
    flag(view.killed !== null),
  ),
  {
    ...gauge('oddsmith_alarm', 'Something that only a person can mend; 1 while it lasts.'),
    labels: ['code'],
    read: ({ alarms }) => alarms.map(({ code }) => ({ labels: { code }, value: 1 })),
  },
  {
    ...gauge('oddsmith_instance_faulted', 'Whether a strategy instance was stopped for a fault.'),
    labels: ['instance', 'strategy'],
    read: ({ instances }) =>
      instances.map(({ name, strategy, fault }) => ({
        labels: { instance: name, strategy },
        value: flag(fault !== null),
      })),
  },
  {
    ...gauge('oddsmith_profit', 'Profit of the run in currency units, inventory marked at the foreign mid.'),
    labels: ['currency'],
    read: ({ currency, profit }) => [{ labels: { currency }, value: currencyUnits(profit) }],
  },
  {
    ...gauge('oddsmith_balance', 'Balance of the account in currency units: total, and free of locks.'),
    labels: ['currency', 'part'],
    read: ({ currency, balance }) => [
      ...known(balance.total, (value) => ({
        labels: { currency, part: 'total' },
        value: currencyUnits(value),
      })),
      ...known(balance.free, (value) => ({
        labels: { currency, part: 'free' },
        value: currencyUnits(value),
      })),
    ],
  },
  {
    ...gauge(
      'oddsmith_worst_case_loss',
      'Currency units that all events may cost, each in its worst case, with open orders filled that cost.',
    ),
    labels: ['currency'],
    read: ({ currency, events }) => [
      {
        labels: { currency },
        value: events.reduce((sum, event) => sum + currencyUnits(lossOf(event)), 0),
      },
    ],
  },
  {
    ...gauge('oddsmith_event_worst_case_loss', 'The same of one event, of the 100 that may cost most.'),
    labels: ['event_id', 'currency'],
    read: ({ currency, events }) =>
      events
        .filter(({ worst }) => worst < 0)
        .toSorted((one, other) => one.worst - other.worst)
        .slice(0, MOST_EVENTS)
        .map((event) => ({
          labels: { event_id: String(event.eventId), currency },
          value: currencyUnits(lossOf(event)),
        })),
  },
  {
    ...gauge('oddsmith_markets', 'Markets: quoted now, halted, or only observed.'),
    labels: ['state'],
    read: ({ markets }) =>
      countedBy(['quoted', 'halted', 'observed'], 'state', markets, ({ instance, halted }) => {
        if (instance === null) return 'observed';
        return halted === null ? 'quoted' : 'halted';
      }),
  },
  {
    ...gauge(
      'oddsmith_quoted_books',
      'Books of markets that are open and to be quoted, by freshness; live and hidden may be relied on.',
    ),
    labels: ['freshness'],
    read: ({ markets }) =>
      countedBy(
        ['live'],
        'freshness',
        markets.filter(({ instance, tradability }) => instance !== null && !SHUT.includes(tradability)),
        ({ book }) => book.freshness,
      ),
  },
  {
    ...gauge('oddsmith_orders', 'Own orders that stand or may stand, by state.'),
    labels: ['state'],
    read: ({ markets }) =>
      countedBy(
        ['live', 'unknown'],
        'state',
        markets.flatMap(({ quotes }) => quotes),
        ({ state }) => state,
      ),
  },
  {
    ...gauge('oddsmith_cash_missing', 'Currency units that wanted quotes would lock beyond what is there.'),
    labels: ['currency'],
    read: ({ currency, cashShort: { now } }) => [
      { labels: { currency }, value: now === null ? 0 : currencyUnits((now.needed - now.there) as Money) },
    ],
  },
];

/** Metrics of each market: book, quotes, inventory and profit, labelled by market and event. */

const SIDES = ['bid', 'ask'] as const;

export const MARKET_METRICS: readonly Metric<EngineView>[] = [
  perMarket('oddsmith_book_live', 'Whether the book may be relied on.', ({ book }) => [
    value(flag(book.freshness === 'live')),
  ]),
  perMarket('oddsmith_book_age_seconds', 'Age of the last news of the book.', ({ book }) =>
    known(book.ageMs, (ageMs) => value(ageMs / 1_000)),
  ),
  perMarket(
    'oddsmith_book_read_age_seconds',
    'Time since the book was last compared with a read: so long a silent channel may have gone unnoticed.',
    ({ book }) => known(book.readAgeMs, (ageMs) => value(ageMs / 1_000)),
  ),
  perMarket('oddsmith_fair_probability', 'Fair value in use.', ({ fair }) => known(fair, value)),
  perMarket(
    'oddsmith_signal_age_seconds',
    'Age of each signal that its strategy declares and that has a value, the first 20 of each market.',
    ({ signals }) =>
      signals
        .slice(0, MOST_SIGNALS)
        .map(({ name, ageMs }) => ({ labels: { signal: name }, value: ageMs / 1_000 })),
    ['signal'],
  ),
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
    read: ({ markets }) =>
      shownMarkets(markets).flatMap((market) => read(market).map((sample) => located(market, sample))),
  };
}

/** Quoted markets come first, each kind in the order of the file, so that series stay the same. */
function shownMarkets(markets: readonly MarketStateView[]): readonly MarketStateView[] {
  if (markets.length <= MOST_MARKETS) return markets;
  const quoted = markets.filter(({ instance }) => instance !== null);
  const observed = markets.filter(({ instance }) => instance === null);
  return [...quoted, ...observed].slice(0, MOST_MARKETS);
}

const located = ({ marketId, eventId }: MarketStateView, sample: Sample): Sample => ({
  labels: { market_id: String(marketId), event_id: String(eventId), ...sample.labels },
  value: sample.value,
});
