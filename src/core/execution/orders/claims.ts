/**
 * Whose order is it? Frames and listings carry neither our key nor a client id, so a report about an unknown id may
 * be the order that a create under way is about to name, one whose answer was lost, or none of ours.
 */
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import type { OrderWriter, ReportSource } from './order-writer.js';
import { type CurrencyMode, modeOf } from '../../../domain/vocabulary.js';
import { sameTerms } from './lost-orders.js';
import type { Ownership } from './own-order.js';
import { found, type TrackedOrder } from './tracked-order.js';
import { Candidates } from './candidates.js';

/** `exclusive`: every order of the account there is ours. `shared`: only what our own answers named. */
export type MarketOwnership = 'exclusive' | 'shared';

/** What the registry must know of a market to place a report about it. */
export interface MarketTenure {
  readonly eventId: EventId;
  readonly ownership: MarketOwnership;
  /** Of the book that the run trades in. */
  readonly mode: CurrencyMode;
}

type OthersOwnership = Exclude<Ownership, 'ours'>;

/** A report and who made it. */
interface Told {
  readonly report: OrderReport;
  readonly source: ReportSource;
}

/**
 * What others have in the book of the other mode meets nothing of ours, and is in no book that we read. In a market that
 * is ours alone it is ours like everything else: a cancel of the market takes both.
 */
const isOfOtherBook = ({ currency }: OrderReport, { ownership, mode }: MarketTenure): boolean =>
  ownership === 'shared' && modeOf(currency) !== mode;

export class Claims {
  readonly #writer: OrderWriter;
  readonly #tenure: (marketId: MarketId) => MarketTenure | null;
  readonly #candidates: Candidates;
  /** Reports about ids that a create under way is likely to name, until it is answered. */
  readonly #early = new Map<OrderId, Told[]>();
  readonly #recognised = new Set<OrderId>();
  /** Ids of which an earlier run knew that they are not ours, and those of which it could not say. */
  readonly #others = new Map<OrderId, OthersOwnership>();

  /**
   * @param tenure      what is known of a market; null: not traded, its reports are dropped
   * @param clockWindow microseconds by which the venue's clock and ours may differ
   */
  constructor(writer: OrderWriter, tenure: (marketId: MarketId) => MarketTenure | null, clockWindow: number) {
    this.#writer = writer;
    this.#tenure = tenure;
    this.#candidates = new Candidates(writer, clockWindow);
  }

  /** Is every order of the account in this market ours? */
  isExclusive(marketId: MarketId): boolean {
    return this.#tenure(marketId)?.ownership === 'exclusive';
  }

  /** Ids that an earlier run was given in answers to its own requests. */
  recognise(ids: readonly OrderId[]): void {
    for (const id of ids) this.#recognised.add(id);
  }

  /** Ids that are not ours, or may not be, as an earlier run found. */
  know(ids: readonly OrderId[], ownership: OthersOwnership): void {
    for (const id of ids) this.#others.set(id, ownership);
  }

  /** A report about an id that no order has. */
  heard(report: OrderReport, source: ReportSource): void {
    this.#hear({ report, source }, this.#isCrowded(report, [report]));
  }

  /** What one complete listing shows under ids that no order has. */
  listed(reports: readonly OrderReport[]): void {
    const crowd = new Set(reports.filter((report) => this.#isCrowded(report, reports)));
    for (const report of reports) this.#hear({ report, source: 'listing' }, crowd.has(report));
  }

  #hear(told: Told, isCrowded: boolean): void {
    const { report } = told;
    const tenure = this.#tenure(report.marketId);
    if (tenure === null || isOfOtherBook(report, tenure)) return;
    if (this.#writer.blotter.isForgotten(report.orderId)) return;
    const early = this.#early.get(report.orderId);
    if (early !== undefined) early.push(told);
    else if (this.#isAwaited(report)) this.#early.set(report.orderId, [told]);
    else this.#place(told, tenure, isCrowded);
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

  /** Whether frames told of an order of this market that has not found its place yet: what it filled is not counted. */
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

  /** A request was answered: what nobody in its markets awaits any more finds its place. */
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
   * The order that carries the id. One that had it before the request left is another order: the venue has begun to
   * count anew (it lost its memory), and the old one is gone.
   */
  #holderOf(id: OrderId, asked: TrackedOrder): TrackedOrder | null {
    const holder = this.#writer.blotter.byId(id);
    if (holder === undefined || holder === asked) return holder ?? null;
    if (holder.namedAt === null || holder.namedAt >= asked.bornAt) return holder;
    this.#writer.apply(holder, 'finished', 'vanished');
    // A frame that came before the answer was taken for one about the old order.
    if (holder.heardAt !== null && holder.heardAt >= asked.bornAt) asked.heardAt = holder.heardAt;
    return null;
  }

  /** An order that already has another id was claimed for a twin of the same terms; the twin keeps that claim. */
  #nameNew(order: TrackedOrder, id: OrderId): TrackedOrder {
    this.#candidates.confirm(order);
    const named = order.orderId === null ? order : this.#twin(order);
    if (named !== order) this.#mistaken(order);
    this.#writer.name(named, id);
    return named;
  }

  /** Its id is not that of its request. Where no other lost create can have brought it, it may be a person's. */
  #mistaken(order: TrackedOrder): void {
    if (this.isExclusive(order.marketId) || order.ownership !== 'ours') return;
    if (!this.#candidates.hasTwin(order)) this.#doubt(order);
  }

  /** Another order of the same terms, as if asked for again. */
  #twin(order: TrackedOrder): TrackedOrder {
    const { price, requested, expiresAt } = order;
    return this.#writer.order(order, { price, shares: requested, expiresAt });
  }

  /**
   * An order found under the id is the one that was asked for; the one still waiting for a name was its shadow. If the id
   * was taken for that of another lost create, the shadow waits in that one's place.
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

  /**
   * Merges what was told of the order before it had a name; after its answer, which alone says what it took at once.
   */
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

  #place(told: Told, tenure: MarketTenure, isCrowded: boolean): void {
    const { report } = told;
    const [lost] = this.#isKnown(report) || isCrowded ? [] : this.#candidates.lost(report);
    if (lost !== undefined) this.#claim(lost, told);
    else this.#adopt(told, tenure, this.#ownershipOf(report, tenure, isCrowded));
  }

  /** Of an order that no lost create explains by count and time. */
  #ownershipOf(report: OrderReport, { ownership }: MarketTenure, isCrowded: boolean): Ownership {
    if (ownership === 'exclusive' || this.#recognised.has(report.orderId)) return 'ours';
    const known = this.#others.get(report.orderId);
    if (known !== undefined) return known;
    const guesses = this.#candidates.guessesBeside(report);
    for (const guess of guesses) this.#doubt(guess);
    const isDoubtful = isCrowded || guesses.length > 0 || this.#candidates.isDoubtful(report);
    return isDoubtful ? 'ambiguous' : 'foreign';
  }

  /** It is not known to be ours any more: a person has to look. What is under way about it takes its course. */
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

  #adopt({ report, source }: Told, tenure: MarketTenure, ownership: Ownership): void {
    const order = found(report, tenure.eventId, ownership, this.#writer.birth());
    this.#writer.blotter.add(order);
    this.#writer.tell({ kind: ownership === 'ours' ? 'found' : ownership, order });
    this.#writer.merge(order, report, source);
  }
}
