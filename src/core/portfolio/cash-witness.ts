import type { Micros, Money } from '../../domain/units.js';

/** A balance that differs from what our fills, fees and payouts make it. */
export interface CashDifference {
  /** Opening balance plus everything we know of. */
  readonly ours: Money;
  readonly venue: Money;
  /** venue - ours: fees we did not know of, deposits and withdrawals by hand. Never profit. */
  readonly residual: Money;
  readonly since: Micros;
}

const MICROS_PER_MS = 1_000;

/** Compares the flow of one currency with its balance, from the first balance read on. */
export class CashWitness {
  /** Balance less flow, as accepted so far; null before the first read. */
  #base: number | null = null;
  #flowAt: Micros | null = null;
  #flow = 0;
  #doubt: { readonly residual: number; readonly since: Micros } | null = null;

  /** @param graceMs how long a fill and the balance that shows it may be apart */
  constructor(private readonly graceMs: number) {}

  /** What our flow was when it changed last. @param flow received less paid since the beginning of the run */
  flowed(flow: Money, at: Micros): void {
    if (flow === this.#flow) return;
    this.#flow = flow;
    this.#flowAt = at;
  }

  /**
   * A balance was read.
   * @param balance with what open orders lock, if the venue takes that out
   * @returns the difference, once two reads the grace period apart show the same one with no flow in between
   */
  read(balance: Money, sentAt: Micros): CashDifference | null {
    // A read that was sent before our flow was known may not show it.
    if (this.#flowAt !== null && sentAt <= this.#flowAt) return null;
    this.#base ??= balance - this.#flow;
    const ours = this.#base + this.#flow;
    const residual = balance - ours;
    if (residual === 0) {
      this.#doubt = null;
      return null;
    }
    if (this.#doubt?.residual !== residual) this.#doubt = { residual, since: sentAt };
    const { since } = this.#doubt;
    if (sentAt - since < this.graceMs * MICROS_PER_MS) return null;
    return { ours: ours as Money, venue: balance, residual: residual as Money, since };
  }

  /** The difference is known now: it moves the base and is not reported again. */
  accept(difference: CashDifference): void {
    if (this.#base !== null) this.#base += difference.residual;
    this.#doubt = null;
  }

  /** Money came, or went (negative), by hand. */
  deposited(amount: Money): void {
    if (this.#base !== null) this.#base += amount;
  }

  /**
   * An order of which nobody knew has locked so much all along. The first balance left it out; one that was asked for before
   * now and is still to come is no first one, for the order may be gone by then.
   */
  wasLocked(amount: Money, at: Micros): void {
    this.deposited(amount);
    this.#flowAt = at;
  }
}
