import type { Fill } from '../../../domain/fill.js';
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { Answer } from '../../../domain/answers.js';
import type { Input } from '../../../domain/inputs.js';
import type { HoldingReport } from '../../../domain/orders.js';
import { type Micros, type Money, PRICE_ONE, type Shares } from '../../../domain/units.js';
import {
  type Currency,
  type MarketStatus,
  modeOf,
  type Position,
  type Resolution,
} from '../../../domain/vocabulary.js';
import type { MarketTerms } from '../../execution/planning/market-terms.js';
import type { MarketRecord } from '../../mirror/events/catalogue.js';
import type { Mirror } from '../../mirror/mirror.js';
import type { EventExposure } from '../../portfolio/event-exposure.js';
import type { HoldingDifference, HoldingName } from '../../portfolio/holding-witness.js';
import type { Inventory } from '../../portfolio/accounts.js';
import type { Portfolio } from '../../portfolio/portfolio.js';
import type { OrderCosts } from '../../portfolio/worst-case.js';
import type { EngineObserver } from '../observing/observer.js';

const NONE: readonly MarketId[] = [];

/** Net long shares. */
export interface NetBetween {
  readonly least: Shares;
  readonly most: Shares;
}

interface ResolvedMarket {
  readonly status: MarketStatus;
  readonly resolution: Resolution | null;
}

/** The portfolio in the currency of the run, kept in step with what the venue says of holdings and resolutions. */
export class Positions {
  private isOpened = false;
  private readonly resolved = new Map<MarketId, Resolution>();
  private readonly disabled = new Set<MarketId>();
  /** Markets of which it is known whether they are disabled. */
  private readonly described = new Set<MarketId>();
  /**
   * Markets that may have been disabled ever since the start, and when they were so last: only a read that was sent
   * later has looked at what is held there.
   */
  private readonly unread = new Map<MarketId, Micros>();
  private readonly exposures = new Map<EventId, EventExposure>();

  constructor(
    readonly portfolio: Portfolio,
    readonly currency: Currency,
    private readonly mirror: Mirror,
    private readonly terms: ReadonlyMap<MarketId, MarketTerms>,
    private readonly observer: EngineObserver | null,
    /** Other runs trade other markets of the account: what is held there is none of this run's business. */
    private readonly isShared = false,
  ) {}

  /** Whether what was held before this run is known. */
  get areOpened(): boolean {
    return this.isOpened;
  }

  /** When holdings should be read because a report contradicts our fills; null when none does. */
  get readDue(): Micros | null {
    return this.portfolio.holdingsReadDue;
  }

  held(market: MarketId, position: Position): Shares {
    return this.portfolio.held(market, this.currency, position);
  }

  net(market: MarketId): Shares {
    return (this.held(market, 'long') - this.held(market, 'short')) as Shares;
  }

  /**
   * The same at least and at most: a fill that is told of after holdings that hold it already counts twice, until it is found
   * out.
   */
  netBetween(market: MarketId): NetBetween {
    const long = this.held(market, 'long');
    const short = this.held(market, 'short');
    const net = (long - short) as Shares;
    if (!this.portfolio.isContested) return { least: net, most: net };
    const contestedLong = this.contested(market, 'long');
    const contestedShort = this.contested(market, 'short');
    return {
      least: (Math.min(long, contestedLong) - Math.max(short, contestedShort)) as Shares,
      most: (Math.max(long, contestedLong) - Math.min(short, contestedShort)) as Shares,
    };
  }

  inventory(market: MarketId): Inventory {
    return this.portfolio.inventory(market, this.currency);
  }

  /** Of the run, marked at the foreign mids. */
  profit(): Money {
    return Math.round(this.portfolio.total(this.currency)) as Money;
  }

  profitOf(market: MarketId): Money {
    const scope = { kind: 'market', marketId: market, currency: this.currency } as const;
    return Math.round(this.portfolio.profit(scope).total) as Money;
  }

  /**
   * Tells what orders of a market may cost from now on: those that work, and those that are to be asked for.
   * @returns what its event is exposed to
   */
  open(market: MarketId, costs: OrderCosts): EventExposure {
    const exposure = this.exposureOf(this.mirror.market(market).event.id);
    exposure.order(market, costs);
    return exposure;
  }

  /** The event's worst case, all orders counted that {@link open} told of. */
  exposureOf(event: EventId): EventExposure {
    const known = this.exposures.get(event);
    if (known !== undefined) return known;
    const exposure = this.portfolio.exposure(event, this.currency);
    this.exposures.set(event, exposure);
    return exposure;
  }

  /** As {@link Portfolio.reopen}. */
  reopen(event: EventId): void {
    this.exposures.delete(event);
    this.portfolio.reopen(event);
  }

  /**
   * What a share of the position has to cost less than, the fee of a fill that rested put by, so that it is no certain loss
   * together with the dearest own quotes in the other markets of the event; null where quotes in several markets never are.
   * @param event which the market belongs to
   */
  roomIn(event: EventExposure, market: MarketId, position: Position): Money | null {
    const room = event.roomIn(market, position);
    return room === null ? null : ((room - this.restingFee(market)) as Money);
  }

  /** The dearer of both fees of the market, money units per whole share; a rebate is not counted on. */
  worstFee(market: MarketId): Money {
    const terms = this.terms.get(market);
    return Math.max(terms?.takerFee ?? 0, terms?.makerFee ?? 0) as Money;
  }

  /** Of a fill that rested, money units per whole share; a rebate is not counted on. */
  restingFee(market: MarketId): Money {
    return Math.max(this.terms.get(market)?.makerFee ?? 0, 0) as Money;
  }

  /**
   * Takes in what may tell that a market was resolved, or that its resolution was taken back (`speaksOfStatus`).
   * @param markets of which it may tell that
   */
  heard(input: Input, at: Micros, markets: readonly Readonly<MarketRecord>[] = this.mirror.markets): void {
    this.lookAtDisabled(markets, at, input.kind === 'market-status' ? input.marketId : null);
    for (const market of marketsDescribedBy(input)) this.described.add(market);
    this.lookAtResolutions(markets, at);
  }

  /** Books a fill. */
  filled(fill: Fill, at: Micros): void {
    this.portfolio.fill(fill, at, (held) =>
      this.isRead(fill) ? this.mirror.held(fill.marketId, held, fill.currency) : null,
    );
  }

  /** The venue told a holding. */
  reported(holding: HoldingReport, at: Micros): void {
    if (this.isRead(holding) && this.isOwn(holding)) this.portfolio.reported(holding, at);
  }

  /**
   * A complete read of holdings.
   * @param isExplained whether fills of that market are known and not booked yet
   * @returns differences, each to be {@link repair}ed; the first read that the mirror takes in opens the books, and what frames have
   *   told since it was sent is newer
   */
  read(answer: Answer, isExplained: (market: MarketId) => boolean, at: Micros): readonly HoldingDifference[] {
    if (!answer.outcome.ok || answer.sentAt === null) return [];
    const { body } = answer.outcome;
    if (body.kind !== 'read-holdings') return [];
    const isFirst = !this.isOpened;
    if (isFirst && !this.mirror.isRead('holdings')) return [];
    this.isOpened = true;
    const told = isFirst ? this.mirror.holdings().filter((report) => this.isRead(report)) : body.holdings;
    const holdings = this.isShared ? told.filter((report) => this.isOwn(report)) : told;
    for (const report of holdings)
      if (report.shares > 0 && (isFirst || this.isUnread(report, answer.sentAt)))
        this.repair(openingOf(report, at), at);
    this.forgetUnread(answer.sentAt);
    if (isFirst) this.tellOpened(holdings, at, this.isShared ? [...this.terms.keys()] : null);
    return this.portfolio.holdingsRead(holdings, isExplained, answer.sentAt, at);
  }

  /** A market joins the run: what is held there was held before. Of an account of its own, the first read told. */
  joined(market: MarketId, at: Micros): void {
    if (!this.isShared || !this.isOpened) return;
    const holdings = this.mirror.holdings().filter(({ marketId }) => marketId === market);
    for (const report of holdings) {
      const { position, currency, shares } = report;
      if (shares <= 0 || !this.isRead(report)) continue;
      if (this.portfolio.held(market, currency, position) === 0) this.repair(openingOf(report, at), at);
    }
    this.tellOpened(holdings, at, [market]);
  }

  /** Takes the venue's number over where no fill explains it. @returns by how much that changes ours */
  repair(difference: HoldingDifference, at: Micros): Shares {
    const { marketId, currency, position } = difference;
    const { came, longPrice } = this.portfolio.repair(difference, at);
    // Whoever looks on adds up the run's currency alone.
    if (came !== 0 && currency === this.currency)
      this.observer?.transferred?.(marketId, at, position, came, longPrice);
    return came;
  }

  private tellOpened(
    holdings: readonly HoldingReport[],
    at: Micros,
    markets: readonly MarketId[] | null,
  ): void {
    const own = holdings.filter(({ currency }) => currency === this.currency);
    this.observer?.opened?.(own, at, markets);
  }

  private contested(market: MarketId, position: Position): Shares {
    return this.portfolio.contested(market, this.currency, position);
  }

  private isOwn({ marketId }: Pick<HoldingName, 'marketId'>): boolean {
    return !this.isShared || this.terms.has(marketId);
  }

  /** Whether reads tell of the holding: of the other mode none does, that a report could be held against. */
  private isRead({ currency }: Pick<HoldingName, 'currency'>): boolean {
    return modeOf(currency) === modeOf(this.currency);
  }

  /** What is held there was held before this run: nothing of ours can have been filled since. */
  private isUnread({ marketId, position, currency }: HoldingReport, sentAt: Micros): boolean {
    const held = this.portfolio.held(marketId, currency, position);
    return (this.unread.get(marketId) ?? Infinity) <= sentAt && held === 0;
  }

  private forgetUnread(sentAt: Micros): void {
    for (const [market, since] of this.unread)
      if (since <= sentAt && !this.disabled.has(market)) this.unread.delete(market);
  }

  /**
   * The venue lists what is held in a disabled market elsewhere: a read that did not look there, or that looked while
   * the market changed its place, says nothing of it.
   * @param changed the market that has just changed, be it from we do not know what; null: none
   */
  private lookAtDisabled(
    markets: readonly Readonly<MarketRecord>[],
    at: Micros,
    changed: MarketId | null,
  ): void {
    for (const { id, disabled } of markets) {
      const isNew = !this.described.has(id) && (disabled || id === changed);
      if (disabled === this.disabled.has(id) && !isNew) continue;
      if (disabled) this.disabled.add(id);
      else this.disabled.delete(id);
      if (isNew || this.unread.has(id)) this.unread.set(id, at);
      this.mirror.distrust('holdings', at);
    }
  }

  private lookAtResolutions(markets: readonly Readonly<MarketRecord>[], at: Micros): void {
    for (const market of markets) {
      const known = this.resolved.get(market.id);
      const resolution = resolutionOf(market);
      const isOtherwise = resolution !== null && resolution !== known;
      if (known !== undefined && (isOtherwise || !isOver(market))) this.reverse(market.id, at);
      if (isOtherwise) this.resolve(market.id, resolution, at);
    }
  }

  private resolve(market: MarketId, resolution: Resolution, at: Micros): void {
    this.resolved.set(market, resolution);
    this.portfolio.resolve(market, resolution, at);
    this.observer?.resolved?.(market, at, resolution);
  }

  private reverse(market: MarketId, at: Micros): void {
    this.resolved.delete(market);
    this.portfolio.reverse(market, at);
    this.observer?.reversed?.(market, at);
  }
}

function marketsDescribedBy(input: Input): readonly MarketId[] {
  if (input.kind === 'market-status')
    return input.marketId === null || input.disabled === undefined ? NONE : [input.marketId];
  if (input.kind !== 'answer' || !input.outcome.ok || input.outcome.body.kind !== 'read-event') return NONE;
  return input.outcome.body.event.markets.flatMap(({ id, disabled }) => (disabled === null ? [] : [id]));
}

const isOver = ({ status }: ResolvedMarket): boolean => status === 'resolved' || status === 'cancelled';

/** A cancelled market is void: every cash flow in it is taken back (facts, "Trading rules"). */
function resolutionOf(market: ResolvedMarket): Resolution | null {
  if (market.status === 'cancelled') return 'void';
  return market.status === 'resolved' ? market.resolution : null;
}

function openingOf(
  report: { readonly shares: Shares; readonly purchasesAmount: number | null } & Omit<
    HoldingDifference,
    'ours' | 'venue' | 'venuePrice' | 'since'
  >,
  at: Micros,
): HoldingDifference {
  const { eventId, marketId, position, currency, shares, purchasesAmount } = report;
  const venuePrice = purchasesAmount === null ? null : (purchasesAmount / (shares / 100)) * PRICE_ONE;
  return { eventId, marketId, position, currency, ours: 0 as Shares, venue: shares, venuePrice, since: at };
}
