/** What stands against a bot at one moment, by rule: read from what the engine already says. */
import type { EngineView, MarketStateView } from '../../core/engine/observing/view.js';
import { currencyUnits, type Money } from '../../domain/units.js';
import type { AlertRules, RuleName } from '../../settings/index.js';
import { lacksBook } from '../http/listener.js';
import type { Severity } from './alert.js';

/** All that rules look at. */
export interface Facts {
  readonly view: EngineView;
  readonly requestsLeftToday: number;
  /** Of the disk of the state folder; null: not known. */
  readonly freeMiB: number | null;
  /** Of the venue's clock, in milliseconds; negative: behind. */
  readonly venueAheadMs: number;
  /** The best profit of the run. */
  readonly bestProfit: Money;
}

/** Something that stands: of one rule each subject is told once. */
export interface Condition {
  readonly subject: string;
  readonly text: string;
}

/** A rule about what stands, and is over some time. */
export interface StandingRule {
  readonly severity: Severity;
  readonly title: string;
  readonly conditions: (facts: Facts, rules: AlertRules) => readonly Condition[];
}

/** These alarms have a rule of their own. */
const PACED: readonly string[] = ['orders-paced', 'throttled'];

const when = (holds: boolean, text: () => string): readonly Condition[] =>
  holds ? [{ subject: '', text: text() }] : [];

const amountOf = (value: Money, { currency }: EngineView): string =>
  `${currencyUnits(value).toFixed(2)} ${currency}`;

const namedMarket = ({ marketId, title }: MarketStateView): string =>
  title === marketId ? `market ${marketId}` : `${title} (market ${marketId})`;

const ofMarkets = (
  { markets }: EngineView,
  why: (market: MarketStateView) => string | null,
): readonly Condition[] =>
  markets.flatMap((market) => {
    const text = why(market);
    return text === null ? [] : [{ subject: market.marketId, text: `${namedMarket(market)}: ${text}` }];
  });

export const STANDING_RULES: Readonly<
  Record<Exclude<RuleName, 'fill' | 'difference' | 'end' | 'summary'>, StandingRule>
> = {
  kill: {
    severity: 'critical',
    title: 'the kill switch is latched',
    conditions: ({ view }) => when(view.killed !== null, () => view.killed ?? ''),
  },
  alarm: {
    severity: 'critical',
    title: 'an alarm stands',
    conditions: ({ view }) =>
      view.alarms.flatMap(({ code, text }) => (PACED.includes(code) ? [] : [{ subject: code, text }])),
  },
  strategy: {
    severity: 'critical',
    title: 'a strategy was stopped',
    conditions: ({ view }) =>
      view.instances.flatMap(({ name, fault }) =>
        fault === null ? [] : [{ subject: name, text: `${name}: ${fault}` }],
      ),
  },
  loss: {
    severity: 'critical',
    title: 'the run has lost more than the limit of the alert',
    conditions: ({ view }, { loss }) =>
      when(loss !== null && view.profit < -loss.above, () => `profit ${amountOf(view.profit, view)}`),
  },
  drawdown: {
    severity: 'critical',
    title: 'the profit fell further than the limit of the alert',
    conditions: ({ view, bestProfit }, { drawdown }) =>
      when(
        drawdown !== null && bestProfit - view.profit > drawdown.above,
        () => `profit ${amountOf(view.profit, view)}, ${amountOf(bestProfit, view)} at its best`,
      ),
  },
  doubt: {
    severity: 'critical',
    title: 'it is in doubt what became of orders',
    conditions: ({ view }) =>
      ofMarkets(view, ({ quotes }) => {
        const unknown = quotes.filter(({ state }) => state === 'unknown').length;
        return unknown === 0 ? null : `${unknown} orders`;
      }),
  },
  feed: {
    severity: 'warning',
    title: 'the realtime connection is lost',
    conditions: ({ view: { connection, phase } }) =>
      when(
        connection.state !== 'connected' && phase !== 'ended',
        () => `${connection.state}: ${connection.reason}`,
      ),
  },
  book: {
    severity: 'warning',
    title: 'books cannot be relied on',
    conditions: ({ view }) =>
      ofMarkets(view, (market) =>
        lacksBook(market) ? `the book is ${market.book.freshness}: ${market.book.reason}` : null,
      ),
  },
  limit: {
    severity: 'warning',
    title: 'a limit keeps orders back',
    conditions: ({ view }) => ofMarkets(view, ({ refusedBy }) => refusedBy),
  },
  cash: {
    severity: 'warning',
    title: 'cash does not suffice for the quotes',
    conditions: ({ view }) => {
      const { now } = view.cashShort;
      return now === null
        ? []
        : [
            {
              subject: '',
              text: `${amountOf(now.needed, view)} needed, ${amountOf(now.there, view)} there`,
            },
          ];
    },
  },
  paced: {
    severity: 'warning',
    title: 'quotes move less than wanted',
    conditions: ({ view, requestsLeftToday }) => [
      ...view.alarms.flatMap(({ code, text }) => (PACED.includes(code) ? [{ subject: code, text }] : [])),
      ...(requestsLeftToday > 0
        ? []
        : [{ subject: 'day', text: 'the requests of 24 hours (venue.rateLimit.perDay) are used up' }]),
    ],
  },
  disk: {
    severity: 'warning',
    title: 'the disk is nearly full',
    conditions: ({ freeMiB }, { disk }) =>
      when(
        freeMiB !== null && disk !== null && freeMiB < disk.belowMiB,
        () => `${freeMiB} MiB are free for stateDir`,
      ),
  },
  clock: {
    severity: 'warning',
    title: 'the clock of the machine is wrong',
    conditions: ({ venueAheadMs }, { clock }) =>
      when(clock !== null && Math.abs(venueAheadMs) > clock.aboveMs, () => {
        const direction = venueAheadMs > 0 ? 'behind' : 'ahead of';
        return `${Math.round(Math.abs(venueAheadMs))} ms ${direction} the clock of the venue`;
      }),
  },
};
