/**
 * Decides whose order a report is about. Frames and listings carry neither our key nor a client id. So an unknown id may
 * belong to a create under way, to a create whose answer was lost, or to somebody else.
 */
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import type { OrderWriter, ReportSource } from './order-writer.js';
import { type CurrencyMode, type MarketOwnership, modeOf } from '../../../domain/vocabulary.js';
import { sameTerms, orderedTerms, reportedTerms } from './order-terms.js';
import type { Ownership } from './order-life.js';
import { found, type TrackedOrder } from './tracked-order.js';
import type { Micros } from '../../../domain/units.js';
import { isUnsettled } from './requests.js';

/** A market that we trade, and who else places orders there. */
export interface TradedMarket {
  readonly eventId: EventId;
  readonly ownership: MarketOwnership;
  /** The currency mode of the book that the run trades in. */
  readonly mode: CurrencyMode;
}

type OthersOwnership = Exclude<Ownership, 'ours'>;

/** A report and its source. */
interface Told {
  readonly report: OrderReport;
  readonly source: ReportSource;
}

/**
 * Is the order in the other currency mode's book of a shared market? Such an order cannot trade with ours. In an exclusive
 * market it is ours like every other: a cancel of the market takes both modes.
 */
const isOfOtherBook = ({ currency }: OrderReport, { ownership, mode }: TradedMarket): boolean =>
  ownership === 'shared' && modeOf(currency) !== mode;

export class Claims {
  readonly #writer: OrderWriter;
  readonly #tradedMarket: (marketId: MarketId) => TradedMarket | null;
  readonly #candidates: Candidates;
  /** Reports about unknown ids that a create under way may name. They wait for its answer. */
  readonly #early = new Map<OrderId, Told[]>();
  readonly #recognised = new Set<OrderId>();
  /** Ids that an earlier run found to be foreign or ambiguous. */
  readonly #others = new Map<OrderId, OthersOwnership>();

  /**
   * @param tradedMarket null for a market that is not traded: its reports are dropped
   * @param clockWindow microseconds by which the venue's clock and ours may differ
   */
  constructor(
    writer: OrderWriter,
    tradedMarket: (marketId: MarketId) => TradedMarket | null,
    clockWindow: number,
  ) {
    this.#writer = writer;
    this.#tradedMarket = tradedMarket;
    this.#candidates = new Candidates(writer, clockWindow);
  }

  /** Is every order of the account in this market ours? */
  isExclusive(marketId: MarketId): boolean {
    return this.#tradedMarket(marketId)?.ownership === 'exclusive';
  }

  /** Ids that an earlier run was given in answers to its own requests. */
  recognise(ids: readonly OrderId[]): void {
    for (const id of ids) this.#recognised.add(id);
  }

  /** Ids that an earlier run found to be foreign or ambiguous. */
  know(ids: readonly OrderId[], ownership: OthersOwnership): void {
    for (const id of ids) this.#others.set(id, ownership);
  }

  /** A report about an id that no order has. */
  heard(report: OrderReport, source: ReportSource): void {
    this.#hear({ report, source }, this.#isCrowded(report, [report]));
  }

  /** All reports of one complete listing whose ids no order has. @param asOf the listing shows everything from before */
  listed(reports: readonly OrderReport[], asOf: Micros): void {
    const crowd = new Set(reports.filter((report) => this.#isCrowded(report, reports)));
    for (const report of reports) this.#hear({ report, source: 'listing' }, crowd.has(report));
    this.#candidates.listed(asOf);
  }

  #hear(told: Told, isCrowded: boolean): void {
    const { report } = told;
    const tradedMarket = this.#tradedMarket(report.marketId);
    if (tradedMarket === null || isOfOtherBook(report, tradedMarket)) return;
    if (this.#writer.blotter.isForgotten(report.orderId)) return;
    const early = this.#early.get(report.orderId);
    if (early !== undefined) early.push(told);
    else if (this.#isAwaited(report)) this.#early.set(report.orderId, [told]);
    else this.#place(told, tradedMarket, isCrowded);
  }

  #isCrowded(report: OrderReport, reports: readonly OrderReport[]): boolean {
    if (this.isExclusive(report.marketId) || this.#isKnown(report)) return false;
    const rivals = reports.filter((one) => one === report || !this.#isKnown(one) || this.#isDoubted(one));
    return this.#candidates.areTooMany(report, rivals);
  }

  #isKnown({ orderId }: OrderReport): boolean {
    return this.#recognised.has(orderId) || this.#others.has(orderId);
  }

  #isDoubted({ orderId }: OrderReport): boolean {
    return !this.#recognised.has(orderId) && this.#others.get(orderId) === 'ambiguous';
  }

  /** Does a report about an order of this market still wait? Its fills are not counted yet. */
  isWithheld(marketId: MarketId): boolean {
    for (const [told] of this.#early.values()) if (told?.report.marketId === marketId) return true;
    return false;
  }

  /**
   * The venue answered the request of `order` with this report.
   * @returns the order that now carries the id: `order` itself, or the one found earlier under that id
   */
  named(order: TrackedOrder, report: OrderReport): TrackedOrder {
    const holder = this.#holderOf(report.orderId, order);
    return holder === null ? this.#nameNew(order, report.orderId) : this.#nameHeld(order, holder);
  }

  /** A request was answered: reports that no create under way can name any more are placed. */
  release(): void {
    for (const [id, told] of this.#early) {
      if (told.some(({ report }) => this.#isAwaited(report))) continue;
      this.#early.delete(id);
      for (const { report, source } of told) this.#again(report, source);
    }
  }

  #again(report: OrderReport, source: ReportSource): void {
    const order = this.#writer.blotter.byId(report.orderId);
    if (order === undefined) this.heard(report, source);
    else this.#writer.merge(order, report, source);
  }

  /**
   * The order that carries the id. If it had the id before the request left, the venue has reused the id after losing its
   * memory: the old order is gone.
   */
  #holderOf(id: OrderId, asked: TrackedOrder): TrackedOrder | null {
    const holder = this.#writer.blotter.byId(id);
    if (holder === undefined || holder === asked) return holder ?? null;
    if (holder.namedAt === null || holder.namedAt >= asked.bornAt) return holder;
    this.#writer.apply(holder, 'finished', 'vanished');
    // A frame before the answer was counted for the old order.
    if (holder.heardAt !== null && holder.heardAt >= asked.bornAt) asked.heardAt = holder.heardAt;
    return null;
  }

  /** If the order already took another id by its terms, that id passes to a second order of the same terms. */
  #nameNew(order: TrackedOrder, id: OrderId): TrackedOrder {
    this.#candidates.confirm(order);
    const named = order.orderId === null ? order : this.#counterpart(order);
    if (named !== order) this.#mistaken(order);
    this.#writer.name(named, id);
    return named;
  }

  /** The order's id is not its request's. If no other lost create can have brought it, it may be a person's. */
  #mistaken(order: TrackedOrder): void {
    if (this.isExclusive(order.marketId) || order.ownership !== 'ours') return;
    if (!this.#candidates.hasEqual(order)) this.#doubt(order);
  }

  /** A second order of the same terms. */
  #counterpart(order: TrackedOrder): TrackedOrder {
    const { price, requested, expiresAt } = order;
    return this.#writer.order(order, { price, shares: requested, expiresAt });
  }

  /**
   * The order found under the id is the one that was asked for, so the unnamed one is dropped. If the id had been taken for
   * another lost create's, the unnamed one waits in that create's place.
   */
  #nameHeld(order: TrackedOrder, holder: TrackedOrder): TrackedOrder {
    const wasGuessed = this.#candidates.confirm(holder);
    if (holder === order) return order;
    holder.ownership = 'ours';
    if (order.orderId !== null) return holder;
    if (wasGuessed) this.#writer.apply(order, 'lost', null);
    else this.#writer.blotter.drop(order);
    return holder;
  }

  /** Merges early reports about the order, after its answer: only the answer tells what it took at once. */
  takeEarly(order: TrackedOrder): void {
    const id = order.orderId as OrderId;
    const told = this.#early.get(id);
    if (told === undefined) return;
    this.#early.delete(id);
    for (const { report, source } of told) this.#writer.merge(order, report, source);
  }

  #isAwaited(report: OrderReport): boolean {
    const working = this.#writer.blotter.working(report.marketId);
    return working.some(
      (order) => order.state === 'creating' && order.orderId === null && sameTerms(order, report),
    );
  }

  #place(told: Told, tradedMarket: TradedMarket, isCrowded: boolean): void {
    const { report } = told;
    const [lost] = this.#isKnown(report) || isCrowded ? [] : this.#candidates.lost(report);
    if (lost !== undefined) this.#claim(lost, told);
    else this.#adopt(told, tradedMarket, this.#ownershipOf(report, tradedMarket, isCrowded));
  }

  /** Ownership of an order that no lost create explains. */
  #ownershipOf(report: OrderReport, { ownership }: TradedMarket, isCrowded: boolean): Ownership {
    if (ownership === 'exclusive' || this.#recognised.has(report.orderId)) return 'ours';
    const known = this.#others.get(report.orderId);
    if (known !== undefined) return known;
    const guesses = this.#candidates.guessesBeside(report);
    for (const guess of guesses) this.#doubt(guess);
    const isDoubtful = isCrowded || guesses.length > 0 || this.#candidates.isDoubtful(report);
    return isDoubtful ? 'ambiguous' : 'foreign';
  }

  /** The order may be somebody else's: a person has to look. Requests under way about it are not stopped. */
  #doubt(order: TrackedOrder): void {
    this.#candidates.confirm(order);
    order.ownership = 'ambiguous';
    this.#writer.blotter.restate(order);
    this.#writer.tell({ kind: 'ambiguous', order });
  }

  #claim(order: TrackedOrder, { report, source }: Told): void {
    this.#writer.name(order, report.orderId);
    this.#candidates.guess(order);
    this.#writer.tell({ kind: 'claimed', order });
    this.#writer.merge(order, report, source);
  }

  #adopt({ report, source }: Told, tradedMarket: TradedMarket, ownership: Ownership): void {
    const order = found(report, tradedMarket.eventId, ownership, this.#writer.birth());
    this.#writer.blotter.add(order);
    this.#writer.tell({ kind: ownership === 'ours' ? 'found' : ownership, order });
    this.#writer.merge(order, report, source);
  }
}

/**
 * Matches unknown orders of a shared market with creates whose answer was lost. An order with all the terms of a lost
 * create is taken for it. If more orders match than creates were lost, all of them are ambiguous: leaving one of ours to a
 * person costs less than cancelling one of hers. A creation time can prove that an order is ours. It never proves the
 * opposite, because the clocks may differ.
 */
export class Candidates {
  readonly #writer: Pick<OrderWriter, 'blotter' | 'at'>;
  readonly #clockWindow: number;
  /** Orders that took their id by their terms: another lost create or a person may have brought it. */
  readonly #guessed = new WeakSet<TrackedOrder>();
  #listedAsOf = -Infinity;

  /** @param clockWindow microseconds by which the venue's clock and ours may differ */
  constructor(writer: Pick<OrderWriter, 'blotter' | 'at'>, clockWindow: number) {
    this.#writer = writer;
    this.#clockWindow = clockWindow;
  }

  /** A complete listing has shown every order from before that time. */
  listed(asOf: Micros): void {
    this.#listedAsOf = Math.max(this.#listedAsOf, asOf);
  }

  /** The order takes an id by its terms alone. */
  guess(order: TrackedOrder): void {
    this.#guessed.add(order);
  }

  /** An answer confirmed the order's id. @returns whether it was a guess before */
  confirm(order: TrackedOrder): boolean {
    return this.#guessed.delete(order);
  }

  /** Lost creates with the report's terms that can have produced an order of its age. */
  lost(report: OrderReport): readonly TrackedOrder[] {
    const { createdAt } = report;
    return this.#alike(report).filter(
      (order) => isUnsettled(order) && (createdAt === null || this.#isNear(createdAt, order.askedAt)),
    );
  }

  /**
   * Do more orders match than creates of these terms were lost?
   * @param reports of orders not placed yet, this one among them
   */
  areTooMany(report: OrderReport, reports: readonly OrderReport[]): boolean {
    const lost = this.lost(report);
    const [first] = lost;
    if (first === undefined) return false;
    const terms = reportedTerms(report);
    const alike = reports.filter((one) => reportedTerms(one) === terms && this.lost(one).length > 0);
    return alike.length + this.#doubtedSince(first, report) > lost.length;
  }

  /** Guessed orders whose lost create this older, or equally old, order matches as well. */
  guessesBeside(report: OrderReport): readonly TrackedOrder[] {
    return this.#alike(report).filter(
      (order) =>
        order.orderId !== null && this.#guessed.has(order) && this.#mayBeAsOld(report, order.askedAt),
    );
  }

  /**
   * May the reported order have been created when the other was asked for, or before? A frame tells no creation time. Only
   * a listing in between, which would have shown the order, proves that it is younger.
   */
  #mayBeAsOld({ createdAt }: OrderReport, askedAt: Micros): boolean {
    const latest = askedAt + this.#clockWindow;
    if (createdAt !== null) return createdAt <= latest;
    return this.#writer.at <= latest || this.#listedAsOf <= latest;
  }

  /** May the order be ours although no lost create explains it by count and time? */
  isDoubtful(report: OrderReport): boolean {
    const at = timeOf(report, this.#writer.at);
    return this.#alike(report).some(
      (order) => isUnsettled(order) || (order.ownership === 'ambiguous' && this.#isNear(order.bornAt, at)),
    );
  }

  /** Is there another lost create of the same terms? */
  hasEqual(order: TrackedOrder): boolean {
    const terms = orderedTerms(order);
    const working = this.#writer.blotter.working(order.marketId);
    return working.some((one) => one !== order && isUnsettled(one) && orderedTerms(one) === terms);
  }

  /** Number of ambiguous orders that may be this lost create: those found since it was asked for. */
  #doubtedSince({ askedAt }: TrackedOrder, report: OrderReport): number {
    return this.#alike(report).filter(
      ({ ownership, namedAt, bornAt }) =>
        ownership === 'ambiguous' && (namedAt ?? 0) >= askedAt && this.#isNear(bornAt, askedAt),
    ).length;
  }

  #alike(report: OrderReport): TrackedOrder[] {
    return this.#writer.blotter.working(report.marketId).filter((order) => sameTerms(order, report));
  }

  #isNear(one: number, other: number): boolean {
    return Math.abs(one - other) <= this.#clockWindow;
  }
}

/** A frame tells no creation time; its receive time may be some seconds later. */
const timeOf = ({ createdAt }: OrderReport, at: Micros): Micros => createdAt ?? at;
