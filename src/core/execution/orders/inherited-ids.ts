import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import type { OrderClaims } from '../../ports/journal.js';
import type { Ended } from './requests.js';
import { type LeftBehind, leftBehind, type LostOrder } from './left-behind.js';

/** The ownership of a market that is not traded is unknown. */
const NOBODYS = (): null => null;

/** An order may move between pages while they are read, and a page can be lost: one listing proves no absence. */
const PASSES = 2;
/** After so many incomplete listings a cancel has to tell which orders have ended. */
const UNREAD_PASSES = 3;

/**
 * Order ids of earlier runs that may still rest. An id is known once a complete listing has shown it, or a cancel by
 * the id was answered. A missing id proves nothing, however often: a venue in trouble lists nothing as well, and
 * believing it would ask for everything a second time. An order in a market that is not traded any more is cancelled,
 * and so is an order there that matches a lost create.
 */
export class InheritedIds {
  readonly #unseen = new Set<OrderId>();
  /** Unseen ids whose cancel the venue has refused once. */
  readonly #refused = new Set<OrderId>();
  /** Ids that a listing showed in a market that is not traded. */
  readonly #stranded = new Set<OrderId>();
  /** Ambiguous orders of an earlier run that no listing has shown yet, or that stand where nothing is traded. */
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

  /** Foreign and ambiguous orders of earlier runs. */
  expectOthers({ foreign, ambiguous }: Pick<OrderClaims, 'foreign' | 'ambiguous'>): void {
    for (const id of foreign) this.#foreign.add(id);
    for (const id of ambiguous) this.#doubted.add(id);
  }

  /** Orders of lost creates in markets that are not traded any more. */
  expectLost(orders: readonly LostOrder[]): void {
    this.#lost = [...this.#lost, ...orders];
  }

  /** See {@link OwnOrders.clockSet}. */
  clockSet(later: number): void {
    this.#lost = this.#lost.map((order) => ({ ...order, askedAt: (order.askedAt + later) as Micros }));
  }

  /** Until when one of those may still appear; 0 for never. */
  get mayComeUntil(): number {
    return Math.max(0, ...this.#lost.map(({ askedAt }) => askedAt + this.windowUs));
  }

  /** Ids that are not known to rest or to be gone. */
  get unseen(): ReadonlySet<OrderId> {
    return this.#unseen;
  }

  /**
   * Takes one complete listing: open orders, and which of the ids have ended.
   * @param filled known ends of an incomplete listing
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

  /** If the listing shows anything, ids that it does not show are gone. An empty listing proves nothing. */
  #doubt(present: readonly OrderReport[], over: readonly OrderReport[]): void {
    const standing = this.#leftElsewhere(present).ambiguous;
    for (const { orderId } of over) this.#doubted.delete(orderId);
    if (present.length > 0) this.#doubted.clear();
    for (const { orderId } of standing) this.#doubted.add(orderId);
  }

  /** Ambiguous orders that no traded market shows. */
  get doubted(): ReadonlySet<OrderId> {
    return this.#doubted;
  }

  /**
   * A cancel by this id was answered. A refused cancel may have met an order in processing: only a second refusal
   * proves that nothing rests.
   */
  cancelled(id: OrderId, isDone: boolean): void {
    if (!this.#unseen.has(id)) return;
    if (isDone || this.#refused.has(id)) this.#unseen.delete(id);
    else this.#refused.add(id);
  }

  /** Ids to cancel: those that enough listings have missed, and those shown where nothing is traded. */
  get missed(): readonly OrderId[] {
    const unseen = [...this.#unseen];
    const isEnough = this.#passes >= PASSES || this.#unreadPasses >= UNREAD_PASSES;
    return isEnough ? unseen : unseen.filter((id) => this.#stranded.has(id));
  }

  /** Is every id known, and does none rest where nothing is traded? */
  get areKnown(): boolean {
    return this.#unseen.size === 0;
  }
}
