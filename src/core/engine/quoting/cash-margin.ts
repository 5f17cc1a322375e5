import type { Micros, Money } from '../../../domain/units.js';

/** Part of a refused order's lock that is held back. */
const PART = 8;
/** Microseconds without a refusal after which half of it is given free: ten minutes. */
const EASED_AFTER = 600_000_000;
/** A cent; less is nothing. */
const LEAST = 10_000;

/**
 * What is held back of the cash because the venue counts otherwise: fees that the configuration does not know, or a lock
 * that nobody told of. A first refusal says no more than that our balance was old, and has it read. Every one that comes
 * although the balance was read since holds back more, until orders pass. What caused it may be over, so it is tried again
 * with half of it now and then: where it is not, that costs a refusal.
 */
export class CashMargin {
  #amount = 0;
  #refusedAt = Infinity;
  /** Of the last refusal, or of the last time that some was given free. */
  #changedAt = 0;

  get amount(): Money {
    return this.#amount as Money;
  }

  /**
   * The venue had not the cash for an order of ours.
   * @param lock what we thought it would lock
   * @param asOf of the balance that this was thought by; null while none is known
   */
  refused(lock: number, asOf: Micros | null, at: Micros): void {
    if (asOf !== null && asOf > this.#refusedAt) this.#amount += Math.ceil(lock / PART);
    this.#refusedAt = at;
    this.#changedAt = at;
  }

  balanceRead(at: Micros): void {
    if (this.#amount === 0 || at - this.#changedAt < EASED_AFTER) return;
    this.#amount = this.#amount < 2 * LEAST ? 0 : Math.floor(this.#amount / 2);
    this.#changedAt = at;
  }

  /** A person resumed: whatever it was is mended. */
  lift(): void {
    this.#amount = 0;
    this.#refusedAt = Infinity;
  }
}
