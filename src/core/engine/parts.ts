import type { EventId, MarketId } from '../../domain/ids.js';
import type { MarketDescription, TradingTerms } from '../../domain/market.js';
import type { Micros } from '../../domain/units.js';
import type { TradedMarket } from '../execution/orders/claims.js';
import { Desk } from '../execution/desk.js';
import type { MarketTerms } from '../execution/planning/market-terms.js';
import { OrderPaces, type PaceOf } from '../execution/sending/order-pace.js';
import { Mirror } from '../mirror/mirror.js';
import type { EventRules } from '../portfolio/event-exposure.js';
import { Portfolio } from '../portfolio/portfolio.js';
import { KillSwitch, LossWatch } from '../risk/index.js';
import type { StrategyInstance } from '../strategy/instance.js';
import { Alarms } from './guarding/alarms.js';
import { FailingRequests } from './guarding/failing-requests.js';
import { BarredOrders } from './quoting/venue-rules.js';
import { CashShares, cashShortText, Funds } from './quoting/funds.js';
import { ConnectionNews } from './guarding/connection.js';
import { FairValues } from './quoting/fair-values.js';
import { Guards } from './guarding/guards.js';
import { Life } from './departure.js';
import { Notices } from './guarding/notices.js';
import { type EngineOptions, type RunningOptions, runningOptions } from './options.js';
import { mayReplay, OtherHands } from './quoting/last-look.js';
import type { EngineObserver } from './observing/observer.js';
import { Positions } from './accounting/positions.js';
import { Tally } from './accounting/tally.js';
import type { QuotedMarket } from './quoting/quoted-market.js';

/** How long an ended order still takes fills, in milliseconds: frames and books about it may be under way. */
const ENDED_KEPT_MS = 120_000;
/** How long reports about one trade may be apart before they are a difference, in milliseconds. */
const REPORTS_APART_MS = 6_000;

/**
 * Wires the parts of one engine.
 * @param startedAt where the request budget begins to count
 * @param quoted    filled by the quoters, which need the parts themselves
 */
export function assembleEngine(
  given: EngineOptions,
  startedAt: Micros,
  quoted: ReadonlyMap<MarketId, QuotedMarket>,
  observer: EngineObserver | null,
): EngineParts {
  const options = runningOptions(given);
  const terms = termsOf(options);
  const mirror = new Mirror({
    events: options.events,
    quoted: options.instances.flatMap((owner) => owner.markets),
    learnedGrids: options.learnedGrids,
    settings: options.mirror,
  });
  const nets = options.venue.legs === 'net';
  const portfolio = new Portfolio((event) => rulesOf(options, mirror, event), REPORTS_APART_MS, nets);
  const { currency } = options.terms;
  const { accountParts: parts = 1 } = options;
  const positions = new Positions(portfolio, currency, mirror, terms, observer, parts > 1);
  const otherHands = new OtherHands();
  const paces = new OrderPaces(options.windows.sent, startedAt);
  for (const { instance, markets, limits: one } of options.instances)
    paces.arrange(instance.name, markets, one.ordersPerMinute, startedAt);
  const paceOf = paces.of;
  const desk = new Desk(
    {
      orders: {
        tradedMarket: (market) => tradedMarket(options, terms, market),
        fees: (market) => terms.get(market) ?? options.terms,
        clockWindowMs: options.clockWindowMs,
        keepEndedMs: ENDED_KEPT_MS,
        nets,
      },
      budget: options.budget,
      spending: options.spending,
      callsBefore: options.callsBefore,
      venueAhead: options.venueAhead,
      venue: options.venue,
      scheduler: options.scheduler,
      settlement: options.settlement,
      silence: mirror.silence,
      withdrawal: options.withdrawal,
      venueTime: (ours) => mirror.venueClock.at(ours),
      disabledIn: () => mirror.eventsWithDisabled,
      touchOf: (market) => quoted.get(market)?.touch ?? null,
      paceOf,
      mayReplay: (order) => mayReplay(order, { quoted, otherHands, positions }),
    },
    startedAt,
  );
  const funds = new Funds({ currency, terms, mirror, desk, positions, parts });
  const killSwitch = new KillSwitch();
  const notices = new Notices();
  const alarms = new Alarms(notices);
  const limits = options.instances.map((owner) => owner.limits);
  return {
    options,
    terms,
    changeTerms: (changed) => {
      terms.set(changed.marketId, changed);
      funds.repriced(changed.marketId);
    },
    mirror,
    desk,
    paceOf,
    paces,
    standby: new Map(),
    otherHands,
    positions,
    funds,
    cashShares: new CashShares(funds, (shortage, at) =>
      notices.warn('cash-short', cashShortText(shortage, currency), null, at),
    ),
    barredOrders: new BarredOrders(),
    fairValues: new FairValues(options.fairSources),
    guards: new Guards({ options, mirror, notices, killSwitch, observer }, startedAt),
    killSwitch,
    lossWatch: new LossWatch(limits, killSwitch, currency, options.riskState.losses),
    notices,
    alarms,
    failing: new FailingRequests(notices, mirror),
    connectionNews: new ConnectionNews(notices, alarms),
    tally: new Tally(),
    life: new Life(),
    quoted,
    observer,
  };
}

function termsOf({ events, terms }: EngineOptions): Map<MarketId, MarketTerms> {
  return new Map(
    events.flatMap((event) =>
      event.markets.map((market) => [market.id, marketTerms(terms, market)] as const),
    ),
  );
}

/** The terms of one market: those of the run, and the market's own tick. */
export function marketTerms(terms: TradingTerms, { id, eventId, tickUnits }: MarketDescription): MarketTerms {
  const { currency, mode, takerFee, makerFee, minAmount, maxAmount } = terms;
  return { currency, mode, takerFee, makerFee, minAmount, maxAmount, eventId, marketId: id, tickUnits };
}

function tradedMarket(
  { ownership, terms: { mode } }: RunningOptions,
  terms: ReadonlyMap<MarketId, MarketTerms>,
  market: MarketId,
): TradedMarket | null {
  const owner = ownership.get(market);
  const known = terms.get(market);
  return owner === undefined || known === undefined
    ? null
    : { eventId: known.eventId, ownership: owner, mode };
}

/**
 * Unless configuration says so, nobody promises that the listed outcomes are all there are. What excludes what is as the
 * mirror knows it whenever it is asked.
 */
function rulesOf({ events, winners, venue }: RunningOptions, mirror: Mirror, id: EventId): EventRules {
  const event = events.find((one) => one.id === id);
  const known = event === undefined ? null : mirror.event(id);
  const winning = winners.get(id) ?? 0;
  return {
    get resolutionMode() {
      return known?.resolutionMode ?? 'non_exclusive';
    },
    mayExclude: known?.claims.mayExclude ?? false,
    nonePossible: winning === 0,
    winners: winning > 1 ? { least: winning, most: winning } : undefined,
    voidPossible: venue.voids,
    markets: event?.markets.map((market) => market.id) ?? [],
  };
}

/** What the pieces of the engine share. Each part is written in one place and read everywhere. */
export interface EngineParts {
  readonly options: RunningOptions;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  /** Puts these in the place of the market's terms. */
  readonly changeTerms: (terms: MarketTerms) => void;
  readonly mirror: Mirror;
  readonly desk: Desk;
  /** How fast creates and updates of a market may leave. */
  readonly paceOf: PaceOf;
  readonly paces: OrderPaces;
  /** Instances that a `configure` may let join, by name. */
  readonly standby: Map<string, StrategyInstance>;
  readonly otherHands: OtherHands;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly cashShares: CashShares;
  readonly barredOrders: BarredOrders;
  readonly fairValues: FairValues;
  readonly guards: Guards;
  readonly killSwitch: KillSwitch;
  readonly lossWatch: LossWatch;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly failing: FailingRequests;
  readonly connectionNews: ConnectionNews;
  readonly tally: Tally;
  readonly life: Life;
  /** Markets that instances quote, in the order of the configuration. */
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
  /** Who looks on; mostly nobody. */
  readonly observer: EngineObserver | null;
}
