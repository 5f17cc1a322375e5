/** Proof that orders of a bot are gone. A listing alone does not prove it. */
import type { JournalWork } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import type { OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';

/** Pause after the venue refused to cancel an order in processing. A working venue processes for less than this. */
const AGAIN_US = 2_000_000;

/**
 * Orders that a journal names. An order counts as open until the venue has answered for its id. Either a cancel succeeded,
 * or a later cancel was refused again while no listing showed the order. A listing without the order is no proof.
 */
export class NamedOrders {
  readonly #ended = new Set<OrderId>();
  /** When a cancel was refused, monotonic. */
  readonly #refusedAt = new Map<OrderId, number>();

  /** Takes a complete listing. Earlier answers about the orders in it do not count any more. */
  shown(ids: Iterable<OrderId>): void {
    for (const id of ids) {
      this.#ended.delete(id);
      this.#refusedAt.delete(id);
    }
  }

  /** Takes the answer of a cancel by id. @param at monotonic */
  answered(id: OrderId, isDone: boolean, at: number): void {
    const refusedAt = this.#refusedAt.get(id);
    if (isDone || (refusedAt !== undefined && at >= refusedAt + AGAIN_US)) this.#ended.add(id);
    else if (refusedAt === undefined) this.#refusedAt.set(id, at);
  }

  /** Orders without proof of their end. */
  open(named: Iterable<OrderId>): readonly OrderId[] {
    return [...named].filter((id) => !this.#ended.has(id));
  }

  /** Tells whether to cancel it now. Right after a refusal the answer would be the same. */
  isDue(id: OrderId, at: number): boolean {
    const refusedAt = this.#refusedAt.get(id);
    return refusedAt === undefined || at >= refusedAt + AGAIN_US;
  }
}

/**
 * Ambiguous orders that may still be open. A listing that shows other orders, but not these, proves that they are gone. An
 * empty listing does not.
 */
export class AmbiguousOrders {
  #open: ReadonlySet<OrderId> = new Set();
  /** Orders that a listing missed while it showed others. */
  readonly #gone = new Set<OrderId>();

  get open(): readonly OrderId[] {
    return [...this.#open];
  }

  /**
   * Takes a complete listing.
   * @param shown    orders in it that may be the bot's
   * @param doubted  orders that the bot itself counted as ambiguous
   * @param isEmpty  the listing is empty
   * @param isPlaced whether the owner of an order is known now
   */
  listed(
    shown: readonly OrderId[],
    doubted: ReadonlySet<OrderId>,
    isEmpty: boolean,
    isPlaced: (id: OrderId) => boolean,
  ): void {
    const before = [...this.#open, ...doubted].filter((id) => !isPlaced(id) && !this.#gone.has(id));
    this.#open = new Set(isEmpty ? before : shown);
    for (const id of before) if (!this.#open.has(id)) this.#gone.add(id);
    for (const id of shown) this.#gone.delete(id);
  }
}

/** Latest time at which unanswered requests of a journal may still take effect. Each is judged when it is first read. */
export class LostRequests {
  /** By the monotonic time of its first read. */
  #until: ReadonlyMap<Micros, number> = new Map();

  constructor(
    private readonly windowUs: number,
    private readonly clock: Clock,
  ) {}

  /** @returns a monotonic time, far in the past without unanswered requests */
  mayActUntil({ lost }: Pick<JournalWork, 'lost'>): number {
    const until = new Map<Micros, number>();
    for (const { askedAt } of lost) until.set(askedAt, this.#until.get(askedAt) ?? this.#judge(askedAt));
    this.#until = until;
    return Math.max(...until.values());
  }

  /** A request in the future has the time of another clock, or ours was set back. It counts as sent now. */
  #judge(askedAt: Micros): number {
    const { clock, windowUs } = this;
    return clock.monotonic() + windowUs + Math.min(0, askedAt - clock.now());
  }
}
