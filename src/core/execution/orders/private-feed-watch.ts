import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from './own-order.js';

/**
 * Notices a dead private channel. Every order named in an answer must soon show in a private frame; otherwise fills
 * would go unheard although public frames flow.
 */
export class PrivateFeedWatch {
  readonly #allowed: number;
  /** Accepted orders without a frame and when they were accepted, oldest first. */
  readonly #awaited = new Map<OwnOrder, number>();
  #isSilent = false;

  /** @param privateFrameMs how long after the answer the frame may come */
  constructor(privateFrameMs: number) {
    this.#allowed = privateFrameMs * 1_000;
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

  /** The channel was joined anew: frames from before are not awaited any more. */
  reset(): void {
    this.#awaited.clear();
    this.#isSilent = false;
  }

  /** Has a frame been missing for too long? True until a frame comes or the channel is joined anew. */
  isSilent(at: Micros): boolean {
    if (at >= this.dueAt()) {
      this.#isSilent = true;
      this.#awaited.clear();
    }
    return this.#isSilent;
  }

  /** When a frame is overdue if none comes; infinite when none is awaited. */
  dueAt(): number {
    if (this.#awaited.size === 0) return Infinity;
    for (const acceptedAt of this.#awaited.values()) return acceptedAt + this.#allowed;
    return Infinity;
  }
}
