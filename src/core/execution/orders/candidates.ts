import type { OrderReport } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import { orderedTerms, reportedTerms, sameTerms } from './lost-orders.js';
import type { OrderWriter } from './order-writer.js';
import { isUnsettled } from './requests.js';
import type { TrackedOrder } from './tracked-order.js';

/**
 * Which orders may be those of creates whose answer was lost? Where others trade under the account, too, an order of all the
 * terms of a lost one is that one, unless more of its terms have come than were lost: then none that no answer has named is
 * known to be ours, for to leave one of ours to a person costs less than to cancel one of hers. A time of creation says that
 * an order is ours and never that it is not, for who tells of it may have another clock.
 */
export class Candidates {
  readonly #writer: Pick<OrderWriter, 'blotter' | 'at'>;
  readonly #clockWindow: number;
  /** Orders that took their id from a frame or listing: another lost create of the same terms may have brought it, or a person. */
  readonly #guessed = new WeakSet<TrackedOrder>();

  /** @param clockWindow microseconds by which the venue's clock and ours may differ */
  constructor(writer: Pick<OrderWriter, 'blotter' | 'at'>, clockWindow: number) {
    this.#writer = writer;
    this.#clockWindow = clockWindow;
  }

  /** The order takes its id by its terms. */
  guess(order: TrackedOrder): void {
    this.#guessed.add(order);
  }

  /** It is guessed no more. @returns whether it was */
  confirm(order: TrackedOrder): boolean {
    return this.#guessed.delete(order);
  }

  /** Creates of these terms whose answer was lost and that can have produced an order of that age. */
  lost(report: OrderReport): readonly TrackedOrder[] {
    const { createdAt } = report;
    return this.#alike(report).filter(
      (order) => isUnsettled(order) && (createdAt === null || this.#isNear(createdAt, order.askedAt)),
    );
  }

  /**
   * Have more come that may be the lost ones of these terms than were lost?
   * @param reports of orders that have no place yet, this one among them
   */
  areTooMany(report: OrderReport, reports: readonly OrderReport[]): boolean {
    const lost = this.lost(report);
    const [first] = lost;
    if (first === undefined) return false;
    const terms = reportedTerms(report);
    const alike = reports.filter((one) => reportedTerms(one) === terms && this.lost(one).length > 0);
    return alike.length + this.#doubtedSince(first, report) > lost.length;
  }

  /** Orders that took the place of a lost one in which this one, older or as young, might stand as well. */
  guessesBeside(report: OrderReport): readonly TrackedOrder[] {
    const at = timeOf(report, this.#writer.at);
    return this.#alike(report).filter(
      (order) =>
        order.orderId !== null &&
        this.#guessed.has(order) &&
        (report.orderId < order.orderId || this.#isNear(order.askedAt, at)),
    );
  }

  /** May it be one of ours, though no lost create explains it by count and time? */
  isDoubtful(report: OrderReport): boolean {
    const at = timeOf(report, this.#writer.at);
    return this.#alike(report).some(
      (order) => isUnsettled(order) || (order.ownership === 'ambiguous' && this.#isNear(order.bornAt, at)),
    );
  }

  /** Is there a lost create that is to bring the same order? */
  hasTwin(order: TrackedOrder): boolean {
    const terms = orderedTerms(order);
    const working = this.#writer.blotter.working(order.marketId);
    return working.some((one) => one !== order && isUnsettled(one) && orderedTerms(one) === terms);
  }

  /** How many that nobody could place may be this one: what was known before it was asked for is not. */
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

/** A frame tells no creation, and may be some seconds old. */
const timeOf = ({ createdAt }: OrderReport, at: Micros): Micros => createdAt ?? at;
