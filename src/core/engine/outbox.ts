import type { SendEffect } from '../../domain/effects.js';
import type { Micros } from '../../domain/units.js';
import { requestsOf } from '../execution/sending/request-cost.js';
import type { DecisionChain } from './observing/decision-chain.js';
import { requestedOrders } from './observing/requested-orders.js';
import type { EngineParts } from './parts.js';
import { objectionTo } from './quoting/last-word.js';
import type { Quoters } from './quoting/quoters.js';

/** Lets a request leave. */
export type Leave = (send: SendEffect) => void;

/** The step that decided requests. */
interface Sending {
  readonly seq: number;
  readonly now: Micros;
  /** Null: they are returned by the step. */
  readonly leave: Leave | null;
}

const NO_SENDS: readonly SendEffect[] = Object.freeze([]);

/**
 * Lets requests leave, and then writes down that they have: their bytes should not wait for that. What asks for something
 * that depends on it in between, as the last word may, has it written down first.
 */
export class Outbox {
  /** Requests of which it is not written down yet. */
  #leaving = NO_SENDS;
  #seq = 0;
  #now = 0 as Micros;
  /** What broke in the midst of a last word: whoever asked for that holds a request back for it, but all has to stop. */
  #broken: { readonly error: unknown } | null = null;

  constructor(
    private readonly parts: EngineParts,
    private readonly quoters: Pick<Quoters, 'left'>,
    private readonly decisions: Pick<DecisionChain, 'append'>,
  ) {}

  /**
   * Where handing them over breaks, what was decided is written down all the same.
   * @throws InvariantError when what follows from them cannot be
   */
  send(sends: readonly SendEffect[], { seq, now, leave }: Sending): void {
    this.#leaving = sends;
    this.#seq = seq;
    this.#now = now;
    try {
      if (leave !== null) for (let at = 0; at < sends.length; at++) leave(sends[at]!);
    } finally {
      this.#writeDown();
    }
    if (this.#broken !== null) throw this.#broken.error;
  }

  /** The last word on a request, and on a further page of it. @returns why it must not leave, or null */
  objectionTo(effect: SendEffect, now: Micros): string | null {
    if (this.#leaving.length > 0) this.#catchUp();
    return objectionTo(effect, this.parts, now);
  }

  #catchUp(): void {
    try {
      this.#writeDown();
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }

  /** Once: orders count as under way, and cash, promises, reads, counts and the chain of decisions follow. */
  #writeDown(): void {
    const sends = this.#leaving;
    if (sends.length === 0) return;
    this.#leaving = NO_SENDS;
    const { mirror, desk, tally, cashUnderWay, observer } = this.parts;
    const now = this.#now;
    desk.sent(sends, now);
    for (const effect of sends) {
      mirror.issued(effect.requestId, effect.request);
      this.quoters.left(effect.request);
      tally.sent(effect, now);
      if (observer?.requested !== undefined) this.#tell(effect, now);
    }
    cashUnderWay.decided(sends);
    this.decisions.append(this.#seq, sends);
  }

  #tell({ requestId, request }: SendEffect, now: Micros): void {
    const { observer, desk } = this.parts;
    const orders = requestedOrders(request, desk.orders);
    observer?.requested?.(requestId, request.kind, requestsOf(request), now, orders);
  }
}
