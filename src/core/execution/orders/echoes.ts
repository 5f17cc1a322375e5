import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';

/**
 * Every order that an answer told us of must show in a private frame soon. One that does not means that the private
 * channel is dead though public frames flow: fills would go unheard.
 */
export class Echoes {
  readonly #allowed: number;
  /** Orders not heard of yet and when they were accepted, oldest first. */
  readonly #awaited = new Map<OwnOrder, number>();
  #isSilent = false;

  /** @param echoMs how long after the answer the frame may come */
  constructor(echoMs: number) {
    this.#allowed = echoMs * 1_000;
  }

  /** An answer told of the order, and no frame has. */
  await(order: OwnOrder, at: Micros): void {
    this.#awaited.set(order, at);
  }

  /** A frame, maybe of some time ago, told of the order. */
  heard(order: OwnOrder): void {
    this.#awaited.delete(order);
  }

  /** A frame came just now: the channel speaks. */
  spoke(): void {
    this.#isSilent = false;
  }

  /** The channel was joined anew; what it said before then is lost and not missed. */
  reset(): void {
    this.#awaited.clear();
    this.#isSilent = false;
  }

  /** Has a frame been missing for too long? Stays so until one comes or the channel is joined anew. */
  isSilent(at: Micros): boolean {
    if (at >= this.dueAt()) {
      this.#isSilent = true;
      this.#awaited.clear();
    }
    return this.#isSilent;
  }

  /** Whether the channel spoke when it was last asked about. */
  get areHeard(): boolean {
    return !this.#isSilent;
  }

  /** When a frame is overdue if none comes; infinite when none is awaited. */
  dueAt(): number {
    if (this.#awaited.size === 0) return Infinity;
    for (const acceptedAt of this.#awaited.values()) return acceptedAt + this.#allowed;
    return Infinity;
  }
}
