/** What is known about orders of a bot that a listing alone does not prove gone. */
import type { JournalWork } from '../../core/execution/orders/left-behind.js';
import type { Clock } from '../../core/ports/clock.js';
import type { OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';

/** A cancel that met an order in processing is refused. Two seconds later no venue that works is still processing it. */
const AGAIN_US = 2_000_000;

/**
 * Orders that a journal names. An order counts as open until the venue has answered for its id: a cancel was done, or was
 * refused again after a while in which no listing showed the order. That no listing shows an order is no proof.
 */
export class NamedOrders {
  readonly #ended = new Set<OrderId>();
  /** When a cancel was refused, monotonic. */
  readonly #refusedAt = new Map<OrderId, number>();

  /** A complete listing showed these: earlier answers about them count no more. */
  shown(ids: Iterable<OrderId>): void {
    for (const id of ids) {
      this.#ended.delete(id);
      this.#refusedAt.delete(id);
    }
  }

  /** A cancel by this id was answered. @param at monotonic */
  answered(id: OrderId, isDone: boolean, at: number): void {
    const refusedAt = this.#refusedAt.get(id);
    if (isDone || (refusedAt !== undefined && at >= refusedAt + AGAIN_US)) this.#ended.add(id);
    else if (refusedAt === undefined) this.#refusedAt.set(id, at);
  }

  /** Those of which nobody knows that they ended. */
  open(named: Iterable<OrderId>): readonly OrderId[] {
    return [...named].filter((id) => !this.#ended.has(id));
  }

  /** Whether to ask for its cancel now: right after a refusal the reason would be the same. */
  isDue(id: OrderId, at: number): boolean {
    const refusedAt = this.#refusedAt.get(id);
    return refusedAt === undefined || at >= refusedAt + AGAIN_US;
  }
}

/**
 * Orders that may be the bot's or somebody else's, while nobody knows that they are gone. A listing that shows other orders
 * proves that; an empty one does not.
 */
export class AmbiguousOrders {
  #open: ReadonlySet<OrderId> = new Set();
  /** Those that a listing has missed while it showed others. */
  readonly #gone = new Set<OrderId>();

  get open(): readonly OrderId[] {
    return [...this.#open];
  }

  /**
   * A complete listing.
   * @param shown    those in it that may be the bot's
   * @param doubted  those that the bot itself could not place
   * @param isEmpty  it shows nothing at all
   * @param isPlaced whether it is known by now whose an order is
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

/** Until when requests of a journal whose answers were lost may still take effect. Each is judged when it is read first. */
export class LostRequests {
  /** By when it was asked for, monotonic. */
  #until: ReadonlyMap<Micros, number> = new Map();

  constructor(
    private readonly windowUs: number,
    private readonly clock: Clock,
  ) {}

  /** @returns monotonic; long ago where nothing was lost */
  mayActUntil({ lost }: Pick<JournalWork, 'lost'>): number {
    const until = new Map<Micros, number>();
    for (const { askedAt } of lost) until.set(askedAt, this.#until.get(askedAt) ?? this.#judge(askedAt));
    this.#until = until;
    return Math.max(...until.values());
  }

  /** A request that seems to lie ahead was written by another clock, or ours was set back: it was asked for before now. */
  #judge(askedAt: Micros): number {
    const { clock, windowUs } = this;
    return clock.monotonic() + windowUs + Math.min(0, askedAt - clock.now());
  }
}
