import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OrderClaims } from '../../ports/journal.js';
import type { Ended } from './requests.js';
import { type LeftBehind, leftBehind, type LostOrder } from './left-behind.js';

/** Nobody says whose a market is that is not traded any more. */
const NOBODYS = (): null => null;

/** An order advances while the pages are read, and a page can be lost: one listing alone proves no absence. */
const PASSES = 2;
/** After so many that could not be read to their end a cancel has to tell what is over: they may never be. */
const UNREAD_PASSES = 3;

/**
 * Ids that runs before this one were given and that may still rest. Each is known once a complete listing has shown it,
 * or cancels by its id were answered. That listings do not show it is no proof, however often: nothing under `open` or
 * `partial_filled` is also what a venue in trouble answers, and a start that believed it would ask for everything a
 * second time. One that rests in a market which is not traded any more is nobody else's to take away: it is cancelled, too,
 * and so is there what fits a create whose answer was lost.
 */
export class InheritedIds {
  readonly #unseen = new Set<OrderId>();
  /** Of those, the ones of which the venue has refused a cancel. */
  readonly #refused = new Set<OrderId>();
  /** And those that a listing has shown where nothing is traded. */
  readonly #stranded = new Set<OrderId>();
  /** Orders of which it could not say whether they are its own, and that no listing has shown yet or that stand where nothing is traded. */
  readonly #doubted = new Set<OrderId>();
  readonly #foreign = new Set<OrderId>();
  #lost: readonly LostOrder[] = [];
  #passes = 0;
  #unreadPasses = 0;

  /** @param windowUs microseconds by which an order's creation may differ from the request for it */
  constructor(
    private readonly isTraded: (market: MarketId) => boolean,
    private readonly windowUs: number,
  ) {}

  expect(ids: readonly OrderId[]): void {
    for (const id of ids) this.#unseen.add(id);
  }

  /** Orders that are not of those runs, and those that may be. */
  expectOthers({ foreign, ambiguous }: Pick<OrderClaims, 'foreign' | 'ambiguous'>): void {
    for (const id of foreign) this.#foreign.add(id);
    for (const id of ambiguous) this.#doubted.add(id);
  }

  /** Orders in markets that are not traded any more, of which nobody knows whether they were created, and by which id. */
  expectLost(orders: readonly LostOrder[]): void {
    this.#lost = [...this.#lost, ...orders];
  }

  /** See {@link OwnOrders.clockSet}. */
  clockSet(later: number): void {
    this.#lost = this.#lost.map((order) => ({ ...order, askedAt: (order.askedAt + later) as Micros }));
  }

  /** Until when one of those may still come; never: 0. */
  get mayComeUntil(): number {
    return Math.max(0, ...this.#lost.map(({ askedAt }) => askedAt + this.windowUs));
  }

  /** Those of which nobody has said yet whether they rest. */
  get unseen(): ReadonlySet<OrderId> {
    return this.#unseen;
  }

  /**
   * One complete pass: everything that works, and what of the ids is over.
   * @param filled what of that is known of a pass that was not read to its end
   */
  listed(present: readonly OrderReport[], ended: Ended = [], filled: readonly OrderReport[] = []): void {
    if (this.areKnown && this.#lost.length === 0 && this.#doubted.size === 0) return;
    const over = typeof ended === 'string' ? filled : ended;
    for (const { orderId } of over) this.#unseen.delete(orderId);
    this.#doubt(present, over);
    for (const { orderId, marketId } of present) if (this.isTraded(marketId)) this.#unseen.delete(orderId);
    for (const { orderId } of this.#strandedIn(present)) {
      this.#unseen.add(orderId);
      this.#stranded.add(orderId);
    }
    if (ended === 'unread') this.#unreadPasses += 1;
    else if (ended !== 'pending') this.#passes += 1;
  }

  #strandedIn(present: readonly OrderReport[]): readonly OrderReport[] {
    return this.#leftElsewhere(present).ours;
  }

  #leftElsewhere(present: readonly OrderReport[]): LeftBehind {
    const elsewhere = present.filter(({ marketId }) => !this.isTraded(marketId));
    const work = {
      named: this.#unseen,
      foreign: this.#foreign,
      ambiguous: this.#doubted,
      lost: this.#lost,
    };
    return leftBehind(elsewhere, NOBODYS, work, this.windowUs);
  }

  /** Where anything is shown, what is not shown is gone; where nothing is, that tells nothing. */
  #doubt(present: readonly OrderReport[], over: readonly OrderReport[]): void {
    const standing = this.#leftElsewhere(present).ambiguous;
    for (const { orderId } of over) this.#doubted.delete(orderId);
    if (present.length > 0) this.#doubted.clear();
    for (const { orderId } of standing) this.#doubted.add(orderId);
  }

  /** Those that may be of the runs before, as far as no market that is traded shows them. */
  get doubted(): ReadonlySet<OrderId> {
    return this.#doubted;
  }

  /**
   * A cancel by this id was answered. One that is refused may have met an order that was being processed, which no cancel
   * takes: only a second refusal says that nothing rests.
   */
  cancelled(id: OrderId, isDone: boolean): void {
    if (!this.#unseen.has(id)) return;
    if (isDone || this.#refused.has(id)) this.#unseen.delete(id);
    else this.#refused.add(id);
  }

  /** What enough listings have not shown: only a cancel can tell. And what one has shown where nobody else would cancel it. */
  get missed(): readonly OrderId[] {
    const unseen = [...this.#unseen];
    const isEnough = this.#passes >= PASSES || this.#unreadPasses >= UNREAD_PASSES;
    return isEnough ? unseen : unseen.filter((id) => this.#stranded.has(id));
  }

  /** Whether it is known of all whether they still rest, and nothing does where nothing is traded. */
  get areKnown(): boolean {
    return this.#unseen.size === 0;
  }
}
