/** What screens, metrics and health may read of a running engine: a snapshot of plain values, made on demand. */
import type { MarketId } from '../../../domain/ids.js';
import type { Micros, Money, Shares } from '../../../domain/units.js';
import { NO_OWN_LEVELS } from '../../mirror/books/foreign-book.js';
import type { Quoter } from '../quoting/quoter.js';
import type { Quoters } from '../quoting/quoters.js';
import type { OrderPaces } from '../../execution/sending/order-pace.js';
import type { Alarms } from '../guarding/alarms.js';
import type { FailingRequests } from '../guarding/failing-requests.js';
import type { Desk } from '../../execution/desk.js';
import type { CashShares, Funds } from '../quoting/funds.js';
import type { Guards } from '../guarding/guards.js';
import type { KillSwitch } from '../../risk/index.js';
import type { Life } from '../departure.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { Notices } from '../guarding/notices.js';
import type { EngineOptions } from '../options.js';
import type { Positions } from '../accounting/positions.js';
import type { Tally } from '../accounting/tally.js';
import type {
  EngineView,
  EventStateView,
  MarketDetailView,
  MarketStateView,
  OwnQuoteView,
  RequestsView,
} from './view.js';
import { UNRESTRICTED } from '../../risk/quote-restriction.js';

/** What this part of the engine works with. */
export interface ViewParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly cashShares: CashShares;
  readonly killSwitch: KillSwitch;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly failing: FailingRequests;
  readonly tally: Tally;
  readonly life: Life;
  readonly paces: OrderPaces;
  readonly guards: Guards;
}

interface Moment {
  readonly seq: number;
  readonly now: Micros;
  readonly decisions: number;
}

const pacedMsOf = (paces: OrderPaces): number =>
  Math.max(0, ...paces.all.map(({ boundFor }) => boundFor / 1_000));

/** Plain values of everything a person may look at, made on demand. */
export function viewOf(parts: ViewParts, quoters: Quoters, moment: Moment): EngineView {
  const { options, cashShares, killSwitch, life, notices, tally, positions, mirror } = parts;
  return {
    phase: life.phase,
    runId: options.runId,
    seq: moment.seq,
    currency: options.terms.currency,
    mode: options.terms.mode,
    isPaper: options.venue.isPaper === true,
    connection: mirror.connection,
    killed: killSwitch.state?.reason ?? null,
    alarms: parts.alarms.standing,
    failing: parts.failing.standing,
    instances: options.instances.map(({ instance }) => ({
      name: instance.name,
      strategy: instance.strategy.name,
      fault: instance.fault?.text ?? null,
    })),
    markets: mirror.markets.map((market) => marketView(parts, quoters.get(market.id), market.id, moment.now)),
    events: eventViews(parts, quoters),
    requests: requestsView(parts),
    pauses: parts.guards.riskState(moment.now).pauses,
    balance: balanceView(parts),
    cashShort: { now: cashShares.shortage, worst: cashShares.worst },
    profit: positions.profit(),
    counts: { ...tally.counts(moment.decisions), pacedMs: pacedMsOf(parts.paces) },
    recentFills: [...tally.recentFills],
    notices: [...notices.recent],
  };
}

function eventViews({ mirror }: ViewParts, quoters: Quoters): readonly EventStateView[] {
  return mirror.events.flatMap(({ id, markets }) => {
    const limits = markets.flatMap((market) => quoters.get(market.id)?.owner.limits.maxEventLoss ?? []);
    if (limits.length === 0) return [];
    return [{ eventId: id, worst: quoters.worstOf(id), maxLoss: Math.min(...limits) as Money }];
  });
}

function requestsView({ desk, options }: ViewParts): RequestsView {
  const { perMinute, perDay } = options.budget;
  const { leftToday, spending } = desk.budget;
  return { perMinute, perDay, leftNow: Math.max(0, Math.floor(spending.tokens)), leftToday };
}

/** @returns null for a market that is not of the run */
export function marketRow(
  parts: ViewParts,
  quoters: Quoters,
  id: MarketId,
  now: Micros,
): MarketStateView | null {
  const isKnown = quoters.get(id) !== undefined || parts.mirror.markets.some((one) => one.id === id);
  return isKnown ? marketView(parts, quoters.get(id), id, now) : null;
}

/** @returns null for a market that is not of the run */
export function marketDetail(
  parts: ViewParts,
  quoters: Quoters,
  id: MarketId,
  now: Micros,
): MarketDetailView | null {
  const row = marketRow(parts, quoters, id, now);
  if (row === null) return null;
  const quoter = quoters.get(id);
  const { bids, asks } = parts.mirror.view(id, NO_OWN_LEVELS, now);
  return {
    ...row,
    tickUnits: parts.mirror.market(id).tickUnits,
    bids,
    asks,
    fairFrom: quoter?.fair ?? null,
    mid: quoter?.mid ?? null,
    weightedMid: quoter?.weightedMid ?? null,
    restriction: quoter?.restriction ?? UNRESTRICTED,
  };
}

function balanceView({ mirror, funds, options }: ViewParts): EngineView['balance'] {
  const { amount, freshness } = mirror.balance(options.terms.currency);
  // Until it is read again nothing counts as free, which is no sum that the account has.
  if (amount === null || freshness === 'resyncing') return { total: null, free: null };
  const ofAccount = Math.max(0, funds.accountCash().amount);
  return { total: (ofAccount + funds.locked()) as Money, free: funds.freeCash() };
}

function marketView(
  parts: ViewParts,
  quoter: Quoter | undefined,
  id: MarketId,
  now: Micros,
): MarketStateView {
  const { mirror, positions, tally } = parts;
  const market = mirror.market(id);
  return {
    marketId: id,
    eventId: market.event.id,
    title: market.title,
    eventTitle: market.event.title,
    instance: quoter?.owner.instance.name ?? null,
    tradability: mirror.tradability(id, now).state,
    halted: quoter === undefined ? null : quoter.halt,
    refusedBy: quoter?.refusedBy ?? null,
    sizeLeft: sizeLeft(quoter),
    book: bookView(parts, id, now),
    fair: quoter?.fair?.p ?? null,
    signals: quoter?.standingSignals(now) ?? [],
    quotes: quotesOf(parts, id),
    inventory: { long: positions.held(id, 'long'), short: positions.held(id, 'short') },
    profit: positions.profitOf(id),
    fills: tally.fillsOf(id),
  };
}

const sizeLeft = (quoter: Quoter | undefined): number =>
  quoter === undefined || quoter.halt !== null ? 0 : quoter.restriction.size;

/** The venue's book as it is, our own shares included. */
function bookView({ mirror }: ViewParts, id: MarketId, now: Micros): MarketStateView['book'] {
  const book = mirror.view(id, NO_OWN_LEVELS, now);
  return {
    freshness: book.freshness.state,
    reason: book.freshness.reason,
    ageMs: Number.isFinite(book.ageMs) ? book.ageMs : null,
    readAgeMs: mirror.readAgeMs(id, now),
    bid: book.bids[0] ?? null,
    ask: book.asks[0] ?? null,
  };
}

function quotesOf({ desk }: ViewParts, id: MarketId): readonly OwnQuoteView[] {
  return desk.orders
    .own(id)
    .working.filter((order) => order.ownership === 'ours' && order.remaining > (0 as Shares))
    .map(({ bookSide, longPrice, remaining, state }) => ({
      side: bookSide,
      price: longPrice,
      shares: remaining,
      state,
    }));
}
